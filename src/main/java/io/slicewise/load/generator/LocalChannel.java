package io.slicewise.load.generator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A generator's process on this machine, as a child of this one.
 *
 * @param ending how long it may take to end by itself when its input ends, before it is killed
 */
record LocalChannel(Process process, Duration ending) implements GeneratorChannel {
  private static final Duration KILLED = Duration.ofSeconds(5);

  @Override
  public void follow(Consumer<String> lines) throws IOException {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = reader.readLine()) != null) {
        lines.accept(line);
      }
    }
  }

  @Override
  public void send(String line) throws IOException {
    Writer control = process.outputWriter(StandardCharsets.UTF_8);
    control.write(line + "\n");
    control.flush();
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
    process.destroyForcibly();
    awaitEnd(KILLED);
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
    if (!awaitEnd(KILLED)) {
      process.destroyForcibly();
    }
    String status = process.isAlive() ? "unknown" : Integer.toString(process.exitValue());
    return "the generator's JVM ended unexpectedly with status " + status;
  }
}
