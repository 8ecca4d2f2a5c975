package io.slicewise.load.generator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A generator's process on this machine, as a child of this one. */
record LocalChannel(Process process) implements GeneratorChannel {
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
    process.destroyForcibly();
    awaitEnd();
  }

  private boolean awaitEnd() {
    try {
      return process.waitFor(KILLED.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public String describeEnd() {
    if (!awaitEnd()) {
      process.destroyForcibly();
    }
    String status = process.isAlive() ? "unknown" : Integer.toString(process.exitValue());
    return "the generator's JVM ended unexpectedly with status " + status;
  }
}
