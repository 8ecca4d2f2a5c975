package io.slicewise.load.generator;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.load.generator.child.Generator;
import io.slicewise.load.generator.child.Wire;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.commons.io.FileUtils;

/** A generator's process, from the harness's side: its state and its input. */
public final class GeneratorProcess {
  /** A process whose users run elsewhere stops them when its input ends. */
  private static final Duration ENDING = Duration.ofSeconds(8);

  private final LoadRequest request;
  private final GeneratorChannel channel;
  private final Runnable cleanUp;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<GeneratorHealth> health = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final BlockingQueue<CompletableFuture<GeneratorHealth>> cuts =
      new LinkedBlockingQueue<>();
  private final BlockingQueue<Instant> clocks = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> deadline = new CompletableFuture<>();
  private boolean killed;
  private volatile LoadProgress progress = LoadProgress.NONE;
  private volatile Histogram recent = new Histogram(2);
  private volatile boolean finished;
  private volatile long heardNanos = System.nanoTime();

  private GeneratorProcess(LoadRequest request, GeneratorChannel channel, Runnable cleanUp) {
    this.request = request;
    this.channel = channel;
    this.cleanUp = cleanUp;
  }

  /** Starts a process on this machine, in the run's directory; returns before it is ready. */
  static GeneratorProcess start(LoadRequest request, String mode) {
    try {
      writeProperties(request, request.directory().resolve(Generator.PROPERTIES));
      ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(request, mode).words());
      builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
      builder.redirectError(request.directory().resolve("generator.log").toFile());
      Path home = request.directory().resolve(Generator.HOME);
      boolean elsewhere = request.properties().containsKey(Generator.SERVERS);
      if (elsewhere) {
        // Relative paths of JMeter's servers are below it.
        builder.directory(Files.createDirectories(home).toFile());
        builder.environment().put("CLASSPATH", absoluteClassPath());
      }
      return follow(
          request,
          new LocalChannel(builder.start(), elsewhere ? ENDING : Duration.ZERO),
          () -> FileUtils.deleteQuietly(home.toFile()));
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "the generator's JVM cannot be started in "
              + request.directory()
              + ": "
              + FileFault.reason(fault),
          "check that the directory can be written to and that the machine has memory left",
          fault);
    }
  }

  /** Returns this program's class path for a process with another working directory. */
  public static String absoluteClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Follows a process that has just been started and sends it the secrets.
   *
   * @param request as the process sees it: plan and directory are on its machine
   * @param cleanUp runs once, after the process was killed
   */
  public static GeneratorProcess follow(
      LoadRequest request, GeneratorChannel channel, Runnable cleanUp) {
    GeneratorProcess started = new GeneratorProcess(request, channel, cleanUp);
    Thread reader = new Thread(started::read, "generator-output");
    reader.setDaemon(true);
    reader.start();
    request.secrets().forEach((name, secret) -> started.send(Wire.secret(name, secret.reveal())));
    started.send(Wire.LOAD);
    return started;
  }

  /** Writes users and ramp under the names that plans read, and the other properties as given. */
  public static void writeProperties(LoadRequest request, Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(
        "duration", Long.toString(request.ramp().plus(request.longest()).toSeconds() + 1));
    properties.putAll(request.properties());
    properties.setProperty("users", Integer.toString(request.users()));
    properties.setProperty("ramp", Long.toString(request.ramp().toSeconds()));
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, "JMeter properties of this run");
    }
  }

  private void read() {
    try {
      channel.follow(this::receive);
    } catch (IOException | RuntimeException broken) {
      channel.kill();
    }
    fail(
        new SlicewiseException(
            ErrorKind.TRIAL_FAILED,
            channel.describeEnd(),
            "see generator.log and jmeter.log in " + request.directory()));
  }

  /** Whatever is awaited of the process does not come any more. */
  private void fail(SlicewiseException fault) {
    Stream.of(ready, started, health, ended).forEach(step -> step.completeExceptionally(fault));
    for (CompletableFuture<GeneratorHealth> cut = cuts.poll(); cut != null; cut = cuts.poll()) {
      cut.completeExceptionally(fault);
    }
  }

  private void receive(String line) {
    heardNanos = System.nanoTime();
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case Wire.READY -> ready.complete(null);
      case Wire.STARTED -> started.complete(null);
      case Wire.RECENT -> recent = Wire.readRecent(words[1]);
      case Wire.PROGRESS -> progress = Wire.readProgress(words[1]);
      case Wire.CUT -> cuts.remove().complete(Wire.readHealth(words[1]));
      case Wire.FINISHED -> finished = true;
      case Wire.HEALTH -> health.complete(Wire.readHealth(words[1]));
      case Wire.ENDED -> ended.complete(null);
      case Wire.FAULT -> fault(words[1]);
      case Wire.CLOCK -> clocks.add(Wire.readClock(words[1]));
      default -> channel.kill();
    }
  }

  /** Records an error: of the plan before the process is ready, of the trial afterwards. */
  private void fault(String sentence) {
    ErrorKind kind = ready.isDone() ? ErrorKind.TRIAL_FAILED : ErrorKind.INPUT;
    fail(new SlicewiseException(kind, sentence, ""));
  }

  /** Waits for a message of the process; throws its error or its unexpected end. */
  public static <T> T await(CompletableFuture<T> word, Duration limit) throws TimeoutException {
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
  public synchronized void send(String line) {
    try {
      channel.send(line);
    } catch (IOException deaf) {
      channel.kill();
    }
  }

  /** Asks the process for the time of its clock and waits for the answer; empty after the limit. */
  public Optional<Instant> askClock(Duration limit) {
    clocks.clear();
    send(Wire.CLOCK);
    try {
      return Optional.ofNullable(clocks.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Returns the time since the process last sent a line. */
  public Duration silence() {
    return Duration.ofNanos(System.nanoTime() - heardNanos);
  }

  /** Asks to complete the samples so far as that file; the answer is the health up to then. */
  public CompletableFuture<GeneratorHealth> cut(Path samples) {
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

  public CompletableFuture<Void> ready() {
    return ready;
  }

  /** Returns when the users start. */
  public CompletableFuture<Void> started() {
    return started;
  }

  public CompletableFuture<GeneratorHealth> health() {
    return health;
  }

  public CompletableFuture<Void> ended() {
    return ended;
  }

  public LoadProgress progress() {
    return progress;
  }

  /** Returns the response times of the last ten seconds; empty unless it is one of several. */
  public Histogram recent() {
    return recent;
  }

  /** Returns why the process ended, or why its samples are incomplete; empty if neither is so. */
  public Optional<String> failure() {
    try {
      ended.getNow(null);
      return Optional.empty();
    } catch (CompletionException fault) {
      return Optional.of(FileFault.reason(fault.getCause()));
    }
  }

  /**
   * Returns the last error or warning in JMeter's log, without its time; empty if there is none.
   */
  Optional<String> lastWords() {
    try {
      return InputFile.text(request.directory().resolve("jmeter.log"), InputFile.LISTS)
          .lines()
          .filter(line -> line.matches("\\S+ (?:ERROR|WARN) .*"))
          .reduce((earlier, later) -> later)
          .map(line -> Visible.line(line.replaceFirst("\\S+ \\S+ ", "")));
    } catch (IOException unread) {
      return Optional.empty();
    }
  }

  /** Whether users may still be active. */
  public boolean isAtWork() {
    return channel.isAlive() && !finished && !ended.isDone();
  }

  Path samples() {
    return request.directory().resolve(Generator.SAMPLES);
  }

  public LoadRequest request() {
    return request;
  }

  /** Kills the process after {@code limit}, unless it has been killed before. */
  public void killAfter(Duration limit) {
    CompletableFuture<Void> unused =
        deadline
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
            .thenRunAsync(this::kill);
  }

  /**
   * Kills the process, waits for its end, and cleans up. Only the first call has an effect:
   * afterwards the directory may belong to another attempt.
   */
  public void kill() {
    synchronized (deadline) {
      if (killed) {
        return;
      }
      killed = true;
      deadline.cancel(false);
      channel.kill();
      cleanUp.run();
    }
  }

  /** A generator's process on this machine, as a child of this one. */
  static final class LocalChannel implements GeneratorChannel {
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
}
