package io.slicewise.load.generator;

import io.slicewise.base.units.Phrase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A generator's process on this machine, as a child of this one. */
final class LocalChannel implements GeneratorChannel {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** How long the end of a process that has closed its output may take to be noticed. */
  private static final Duration NOTICED = Duration.ofSeconds(1);

  /** The status of a process that was ended by SIGKILL. */
  private static final int KILLED = 137;

  private final Process process;
  private final Duration ending;

  private volatile boolean outputEnded;

  /** Whether it was still running when this end killed it. */
  private volatile boolean killedHere;

  /**
   * @param ending how long it may take to end by itself when its input ends, before it is killed
   */
  LocalChannel(Process process, Duration ending) {
    this.process = process;
    this.ending = ending;
  }

  @Override
  public void follow(Consumer<String> lines) throws IOException {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        lines.accept(line);
      }
      outputEnded = true;
    }
  }

  @Override
  public void send(String line) throws IOException {
    try {
      Writer control = process.outputWriter(StandardCharsets.UTF_8);
      control.write(line + "\n");
      control.flush();
    } catch (IOException deaf) {
      // It is about to end, which must not look like the caller's kill.
      awaitEnd(LIMIT);
      throw deaf;
    }
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void kill() {
    if (!ending.isZero()) {
      endInput();
    }
    destroy();
  }

  private void destroy() {
    killedHere |= outputEnded ? !awaitEnd(NOTICED) : process.isAlive();
    process.destroyForcibly();
    awaitEnd(LIMIT);
  }

  private void endInput() {
    try {
      process.outputWriter(StandardCharsets.UTF_8).close();
    } catch (IOException ended) {
      // Then it has no input.
    }
    awaitEnd(ending);
  }

  private boolean awaitEnd(Duration limit) {
    try {
      return process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public String describeEnd() {
    if (killedHere) {
      return "the generator's JVM was killed by Slicewise";
    }
    if (!awaitEnd(LIMIT)) {
      destroy();
      return Phrase.of(
          "the generator's JVM closed its output but did not end within %d s, so Slicewise killed"
              + " it",
          LIMIT.toSeconds());
    }
    int status = process.exitValue();
    return Phrase.of(
        "the generator's JVM ended unexpectedly with status %d%s",
        status,
        status == KILLED
            ? ": something other than Slicewise killed it (SIGKILL), such as the kernel when memory"
                + " ran out"
            : "");
  }
}
