package io.slicewise.load.generator;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.child.Generator;
import io.slicewise.load.generator.child.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.io.FileUtils;

/** The generator's process, from the harness's side: its state and its input. */
final class GeneratorProcess {
  private static final Duration KILLED = Duration.ofSeconds(5);

  private final LoadRequest request;
  private final Process process;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<GeneratorHealth> health = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final BlockingQueue<CompletableFuture<GeneratorHealth>> cuts =
      new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> deadline = new CompletableFuture<>();
  private boolean killed;
  private volatile LoadProgress progress = LoadProgress.NONE;
  private volatile boolean finished;

  private GeneratorProcess(LoadRequest request, Process process) {
    this.request = request;
    this.process = process;
  }

  /** Starts the process in the run's directory; returns before it is ready. */
  static GeneratorProcess start(LoadRequest request, String mode) {
    try {
      writeProperties(request);
      ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(request, mode).words());
      builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
      builder.redirectError(request.directory().resolve("generator.log").toFile());
      GeneratorProcess started = new GeneratorProcess(request, builder.start());
      Thread reader = new Thread(started::read, "generator-output");
      reader.setDaemon(true);
      reader.start();
      request.secrets().forEach((name, secret) -> started.send(Wire.secret(name, secret.reveal())));
      started.send(Wire.LOAD);
      return started;
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "the generator's JVM cannot be started in " + request.directory() + ": " + fault,
          "check that the directory can be written to and that the machine has memory left",
          fault);
    }
  }

  /** Writes users and ramp under the names that plans read, and the other properties as given. */
  private static void writeProperties(LoadRequest request) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(
        "duration", Long.toString(request.ramp().plus(request.longest()).toSeconds() + 1));
    properties.putAll(request.properties());
    properties.setProperty("users", Integer.toString(request.users()));
    properties.setProperty("ramp", Long.toString(request.ramp().toSeconds()));
    Path file = request.directory().resolve(Generator.PROPERTIES);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, "JMeter properties of this run");
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line;
      while ((line = lines.readLine()) != null) {
        receive(line);
      }
    } catch (IOException | RuntimeException broken) {
      process.destroyForcibly();
    }
    SlicewiseException death = death();
    ready.completeExceptionally(death);
    health.completeExceptionally(death);
    ended.completeExceptionally(death);
    failCuts(death);
  }

  private void failCuts(SlicewiseException fault) {
    for (CompletableFuture<GeneratorHealth> cut = cuts.poll(); cut != null; cut = cuts.poll()) {
      cut.completeExceptionally(fault);
    }
  }

  private void receive(String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case Wire.READY -> ready.complete(null);
      case Wire.PROGRESS -> progress = Wire.readProgress(words[1]);
      case Wire.CUT -> cuts.remove().complete(Wire.readHealth(words[1]));
      case Wire.FINISHED -> finished = true;
      case Wire.HEALTH -> health.complete(Wire.readHealth(words[1]));
      case Wire.ENDED -> ended.complete(null);
      case Wire.FAULT -> fault(words[1]);
      default -> process.destroyForcibly();
    }
  }

  /** Records an error: of the plan before the process is ready, of the trial afterwards. */
  private void fault(String sentence) {
    ErrorKind kind = ready.isDone() ? ErrorKind.TRIAL_FAILED : ErrorKind.INPUT;
    SlicewiseException fault = new SlicewiseException(kind, sentence, "");
    ready.completeExceptionally(fault);
    ended.completeExceptionally(fault);
    failCuts(fault);
  }

  private SlicewiseException death() {
    try {
      if (!process.waitFor(KILLED.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    String status = process.isAlive() ? "unknown" : Integer.toString(process.exitValue());
    return new SlicewiseException(
        ErrorKind.TRIAL_FAILED,
        "the generator's JVM ended unexpectedly with status " + status,
        "see generator.log and jmeter.log in " + request.directory());
  }

  /** Waits for a message of the process; throws its error or its unexpected end. */
  static <T> T await(CompletableFuture<T> word, Duration limit) throws TimeoutException {
    try {
      return word.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException fault) {
      if (fault.getCause() instanceof SlicewiseException known) {
        throw known;
      }
      throw new IllegalStateException(fault.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new SlicewiseException(
          ErrorKind.INTERRUPTED, "interrupted while waiting for the generator", "", interrupted);
    }
  }

  /** Sends a line to the process; ignored if the process has ended, which is reported elsewhere. */
  void send(String line) {
    try {
      Writer control = process.outputWriter(StandardCharsets.UTF_8);
      control.write(line + "\n");
      control.flush();
    } catch (IOException deaf) {
      process.destroyForcibly();
    }
  }

  /** Asks to complete the samples so far as that file; the answer is the health up to then. */
  CompletableFuture<GeneratorHealth> cut(Path samples) {
    CompletableFuture<GeneratorHealth> answer = new CompletableFuture<>();
    cuts.add(answer);
    send(Wire.cut(samples));
    try {
      ended.getNow(null);
    } catch (CompletionException death) {
      answer.completeExceptionally(death.getCause());
    }
    return answer;
  }

  CompletableFuture<Void> ready() {
    return ready;
  }

  CompletableFuture<GeneratorHealth> health() {
    return health;
  }

  CompletableFuture<Void> ended() {
    return ended;
  }

  LoadProgress progress() {
    return progress;
  }

  /** Whether users may still be active. */
  boolean isAtWork() {
    return process.isAlive() && !finished && !ended.isDone();
  }

  Path samples() {
    return request.directory().resolve(Generator.SAMPLES);
  }

  LoadRequest request() {
    return request;
  }

  /** Kills the process after {@code limit}, unless it has been killed before. */
  void killAfter(Duration limit) {
    CompletableFuture<Void> unused =
        deadline
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
            .thenRunAsync(this::kill);
  }

  /**
   * Kills the process, waits for its end, and removes its JMeter home. Only the first call has an
   * effect: afterwards the directory may belong to another attempt.
   */
  synchronized void kill() {
    if (killed) {
      return;
    }
    killed = true;
    deadline.cancel(false);
    process.destroyForcibly();
    try {
      process.waitFor(KILLED.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    FileUtils.deleteQuietly(request.directory().resolve(Generator.HOME).toFile());
  }
}
