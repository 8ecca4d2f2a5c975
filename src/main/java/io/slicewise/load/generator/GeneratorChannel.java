package io.slicewise.load.generator;

import java.io.IOException;
import java.util.function.Consumer;

/** The way to a generator's process: lines in both directions, and its end. */
public interface GeneratorChannel {
  /** Passes on the lines that the process prints, until it ends. Called once. */
  void follow(Consumer<String> lines) throws IOException;

  /** Sends a line to the process. */
  void send(String line) throws IOException;

  /** Whether the process has not ended, as far as it is known here. */
  boolean isAlive();

  /** Ends the process at once and waits for its end, for a few seconds. */
  void kill();

  /**
   * Returns how an unexpected end is reported, such as "the generator's JVM ended with status 1".
   */
  String describeEnd();
}
