package io.slicewise.load.generator.child;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Signals;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.child.SampleFile.WallClock;
import io.slicewise.load.generator.child.http.PlainHttp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.ThreadListener;
import org.apache.jmeter.threads.JMeterContext;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.collections.HashTree;
import org.slf4j.LoggerFactory;

/**
 * The generator's program. Its arguments are the plan, the run's directory, the maximum duration of
 * the load in milliseconds, and {@code run} or {@code check}. It prints {@code ready} when
 * everything is loaded and then follows the commands on its input (see {@link Wire}).
 */
public final class Generator {
  /** JMeter properties of the run, in the run's directory. */
  public static final String PROPERTIES = "load.properties";

  /** Every sample of the run, in the run's directory. */
  public static final String SAMPLES = "samples.jtl.gz";

  /** JMeter's home for this run, in the run's directory; useless afterwards. */
  public static final String HOME = "jmeter-home";

  /** The property with the addresses of JMeter's servers that run the users, by commas. */
  public static final String SERVERS = "slicewise.jmeter-servers";

  /** The property with the directory of the servers' marks. */
  public static final String MARKS = "slicewise.jmeter-marks";

  private static final long ASK_MILLIS = 2_000;
  private static final long INTERRUPT_MILLIS = 3_000;
  private static final long SECOND_MILLIS = 1_000;
  private static final int FAULTY = 3;

  private final PrintStream wire;
  private final SampleFile file;
  private final SampleTap tap;
  private final Optional<OpenLoad> arrivals = OpenLoad.ofThisRun();
  private final HealthMeter health = new HealthMeter(arrivals);
  private final LoadEngine engine;
  private final Timer timer = new Timer("progress", true);
  private final WallClock clock = WallClock.ofThisProcess();
  private final HarnessWatch watch = new HarnessWatch();
  private final Thread run = new Thread(this::run, "run");

  private Generator(
      PrintStream wire, Path plan, Path directory, Properties properties, Duration longest)
      throws IOException, LoadedPlan.Fault {
    this.wire = wire;
    file = new SampleFile(directory.resolve(SAMPLES), clock, this::unwritten);
    tap = new SampleTap(file, arrivals);
    if (properties.containsKey(SERVERS)) {
      RemoteEngines servers = new RemoteEngines(tap, properties, longest);
      engine = servers;
      engine.configure(LoadedPlan.load(plan, List.of(servers.watch())));
    } else {
      engine = new OwnEngine();
      HashTree loaded = LoadedPlan.load(plan, listeners());
      PlainHttp.takeOver(loaded);
      engine.configure(loaded);
    }
    run.setDaemon(true);
  }

  private List<TestElement> listeners() {
    List<TestElement> listeners = new ArrayList<>();
    if (ParentParts.isAskedFor()) {
      listeners.add(new ParentParts(file, arrivals));
    }
    listeners.add(tap);
    FirstUser.ofThisRun().ifPresent(listeners::add);
    arrivals.ifPresent(listeners::add);
    return listeners;
  }

  private void unwritten(IOException fault) {
    send(Wire.fault("the samples cannot be written: " + FileFault.reason(fault)));
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream wire = System.out;
    System.setOut(System.err);
    // A terminal sends Ctrl-C to the whole process group; the harness decides what to do.
    Signals.on("INT", () -> {});
    Path plan = Path.of(arguments[0]);
    Path directory = Path.of(arguments[1]);
    long longestMillis = Long.parseLong(arguments[2]);
    BufferedReader control =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Generator generator;
    try {
      Properties properties = properties(directory.resolve(PROPERTIES));
      Properties all = new Properties();
      all.putAll(properties);
      readSecrets(control, all);
      JMeterHome.prepare(directory.resolve(HOME), all);
      Duration longest = Duration.ofMillis(longestMillis);
      generator = new Generator(wire, plan, directory, properties, longest);
    } catch (LoadedPlan.Fault | IOException fault) {
      LoggerFactory.getLogger(Generator.class).error("The plan cannot run", fault);
      wire.println(Wire.fault(FileFault.reason(fault)));
      wire.flush();
      Runtime.getRuntime().halt(FAULTY);
      return;
    }
    generator.send(Wire.READY);
    if (arguments[3].equals("run")) {
      generator.followCommands(control, longestMillis);
    }
    generator.end();
  }

  private static Properties properties(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    return properties;
  }

  /** Reads the secrets, which come before everything else and through no file. */
  private static void readSecrets(BufferedReader control, Properties properties)
      throws IOException {
    String line;
    while ((line = control.readLine()) != null && !line.equals(Wire.LOAD)) {
      Map.Entry<String, String> secret = Wire.readSecret(line);
      properties.setProperty(secret.getKey(), secret.getValue());
    }
  }

  /** Follows the commands on the input; returns after a stop command or the end of the input. */
  private void followCommands(BufferedReader control, long longestMillis) throws IOException {
    String line;
    while ((line = control.readLine()) != null && !line.equals(Wire.STOP)) {
      if (line.equals(Wire.CLOCK)) {
        send(Wire.clock(clock.now()));
      } else if (Wire.readHere(line).isPresent()) {
        watch.heard(Wire.readHere(line).get());
      } else if (Wire.readCut(line).isPresent()) {
        cut(Wire.readCut(line).get());
      } else {
        Wire.readAt(line)
            .ifPresentOrElse(
                timed -> at(timed.getValue(), () -> follow(timed.getKey(), longestMillis)),
                follower(line, longestMillis));
      }
    }
  }

  private Runnable follower(String command, long longestMillis) {
    return () -> follow(command, longestMillis);
  }

  private void follow(String command, long longestMillis) {
    switch (command) {
      case Wire.GO -> begin(longestMillis);
      case Wire.WINDOW -> {
        health.begin();
        engine.beginWindow();
      }
      case Wire.STOP -> end();
      default -> send(Wire.fault("unknown command: " + command));
    }
  }

  /** Waits for a time of the wall clock, by the clock that nobody sets. */
  private void at(Instant time, Runnable action) {
    long nanos = Math.max(0, Duration.between(clock.now(), time).toNanos());
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(action);
  }

  private void cut(Path samples) {
    try {
      GeneratorHealth now = health.read();
      file.cut(samples);
      send(Wire.cut(now));
    } catch (IOException fault) {
      send(Wire.fault("the samples of a window cannot be completed: " + FileFault.reason(fault)));
    }
  }

  private void begin(long longestMillis) {
    health.begin();
    run.start();
    timer.scheduleAtFixedRate(
        new TimerTask() {
          @Override
          public void run() {
            report();
          }
        },
        SECOND_MILLIS,
        SECOND_MILLIS);
    CompletableFuture.delayedExecutor(longestMillis, TimeUnit.MILLISECONDS).execute(this::end);
  }

  private void report() {
    LoadProgress progress = tap.progress(engine.users(), health.read());
    if (FirstUser.isOneOfSeveral()) {
      send(Wire.recent(tap.recent()));
    }
    send(Wire.progress(progress));
    engine.fault().ifPresent(sentence -> send(Wire.fault(sentence)));
    if (watch.isLost()) {
      new Thread(this::end, "end").start();
    }
  }

  private void run() {
    try {
      engine.run(() -> send(Wire.STARTED));
    } catch (LoadedPlan.Fault fault) {
      LoggerFactory.getLogger(Generator.class).error("The plan cannot run", fault);
      send(Wire.fault(String.valueOf(fault.getMessage())));
    } catch (RuntimeException | LinkageError fault) {
      LoggerFactory.getLogger(Generator.class).error("The plan ended", fault);
      send(Wire.fault("the plan cannot run: " + FileFault.reason(fault)));
    }
    send(Wire.FINISHED);
  }

  /**
   * Asks the users to stop after their sample, then interrupts the others. Users that still hang
   * end only with this process.
   */
  private synchronized void end() {
    try {
      send(Wire.health(health.read()));
      if (run.isAlive()) {
        engine.stop(false);
        arrivals.ifPresent(OpenLoad::end);
        run.join(ASK_MILLIS);
      }
      if (run.isAlive()) {
        engine.stop(true);
        run.join(INTERRUPT_MILLIS);
      }
      file.close();
      send(Wire.ENDED);
    } catch (IOException | InterruptedException fault) {
      send(Wire.fault("the samples cannot be completed: " + FileFault.reason(fault)));
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private void send(String line) {
    synchronized (wire) {
      wire.println(line);
      wire.flush();
    }
  }

  /**
   * Numbers the users of one generator after those of the generators before it, so that what a plan
   * chooses by a user's number is not used twice and no two users have one name.
   */
  static final class FirstUser extends AbstractTestElement
      implements ThreadListener, NoThreadClone {
    /** JMeter properties of one of several generators. */
    static final String NUMBER = "slicewise.first-user";

    static final String GENERATORS = "slicewise.generators";
    private static final long serialVersionUID = 1L;

    FirstUser() {
      setName("first user");
    }

    /** Whether other generators run the same plan at the same time. */
    static boolean isOneOfSeveral() {
      return JMeterUtils.getPropDefault(GENERATORS, 1) > 1;
    }

    /** Returns the element for a run that is not the first generator's. */
    static Optional<FirstUser> ofThisRun() {
      return JMeterUtils.getPropDefault(NUMBER, 0) > 0
          ? Optional.of(new FirstUser())
          : Optional.empty();
    }

    @Override
    public void threadStarted() {
      JMeterContext user = JMeterContextService.getContext();
      user.setThreadNum(user.getThreadNum() + JMeterUtils.getPropDefault(NUMBER, 0));
      String name = user.getThread().getThreadName();
      String own = name.substring(0, name.lastIndexOf('-') + 1) + (user.getThreadNum() + 1);
      user.getThread().setThreadName(own);
      Thread.currentThread().setName(own); // from which __threadNum takes its number
    }

    @Override
    public void threadFinished() {
      // The number ends with its user.
    }
  }

  /**
   * Notices a harness that cannot be heard any more, as when the network is cut: then the input
   * does not end for hours. A harness on this machine is not watched, because it never says that it
   * is there.
   */
  private static final class HarnessWatch {
    /** When the harness is lost; empty before it was heard. */
    private volatile OptionalLong deadlineNanos = OptionalLong.empty();

    /** Notes that the harness is there, and how long it may be silent from now on. */
    void heard(Duration patience) {
      deadlineNanos = OptionalLong.of(System.nanoTime() + patience.toNanos());
    }

    boolean isLost() {
      OptionalLong deadline = deadlineNanos;
      return deadline.isPresent() && System.nanoTime() - deadline.getAsLong() > 0;
    }
  }

  /**
   * A JMeter home without an installation: the three property files that JMeter requires on disk
   * are copied from its configuration jar. Properties that plans need keep JMeter's defaults; those
   * that would end the process or slow the generator are set here, after the user's own properties.
   */
  static final class JMeterHome {
    private static final String[] FILES = {
      "jmeter.properties", "saveservice.properties", "upgrade.properties"
    };

    private JMeterHome() {}

    /** Creates the home and initializes JMeter's static state with it; once per process. */
    static void prepare(Path home, Properties properties) throws IOException {
      Path bin = Files.createDirectories(home.resolve("bin"));
      Files.createDirectories(home.resolve("lib").resolve("ext"));
      for (String name : FILES) {
        try (InputStream packed = JMeterUtils.class.getResourceAsStream("/bin/" + name)) {
          if (packed == null) {
            throw new IOException("JMeter's configuration jar does not contain bin/" + name);
          }
          Files.copy(packed, bin.resolve(name));
        }
      }
      System.setProperty("JMeter.NonGui", "true");
      JMeterUtils.setJMeterHome(home.toString());
      JMeterUtils.loadJMeterProperties(bin.resolve("jmeter.properties").toString());
      JMeterUtils.getJMeterProperties().putAll(properties);
      JMeterUtils.getJMeterProperties().putAll(ours());
      if (properties.containsKey(Generator.SERVERS)) {
        JMeterUtils.getJMeterProperties().putAll(ofServers());
      }
      JMeterUtils.setLocale(Locale.ENGLISH);
      SaveService.loadProperties();
      // JMeter requests columns for the plan's variables when a run begins.
      SampleEvent.initSampleVariables();
    }

    private static Properties ours() {
      Properties ours = new Properties();
      ours.setProperty("jmeterengine.stopfail.system.exit", "false");
      ours.setProperty("jmeterengine.force.system.exit", "false");
      ours.setProperty("summariser.name", "");
      return ours;
    }

    /** How JMeter's servers send samples: never in the clear, soon, and many at a time. */
    private static Properties ofServers() {
      Properties ours = new Properties();
      ours.setProperty("server.rmi.ssl.disable", "false");
      ours.setProperty("mode", "StrippedBatch");
      ours.setProperty("num_sample_threshold", "100");
      ours.setProperty("time_threshold", "1000");
      return ours;
    }
  }

  /** The users run in this process. */
  static final class OwnEngine implements LoadEngine {
    private final StandardJMeterEngine engine = new StandardJMeterEngine();

    @Override
    public void configure(HashTree plan) {
      engine.configure(plan);
    }

    @Override
    public void run(Runnable started) {
      started.run();
      engine.run();
    }

    @Override
    public void stop(boolean now) {
      engine.stopTest(now);
    }

    @Override
    public void beginWindow() {
      // The generator's health begins with it, nothing else.
    }

    @Override
    public int users() {
      return JMeterContextService.getNumberOfThreads();
    }

    @Override
    public Optional<String> fault() {
      return Optional.empty();
    }
  }

  /**
   * Writes the requests inside a transaction controller's parent sample, which JMeter hands over
   * only with their parent, and marks the sums of transactions that ended with their user, which
   * JMeter writes without a message. A request's own parts (redirects, embedded resources) are
   * omitted.
   */
  static final class ParentParts extends WholeSamples {
    /** The JMeter property that enables it. */
    private static final String PROPERTY = "slicewise.requests-of-parents";

    private static final String MESSAGE = "Number of samples in transaction : ";
    private static final long serialVersionUID = 1L;

    private final transient SampleFile file;
    private final transient Optional<OpenLoad> arrivals;

    ParentParts(SampleFile file, Optional<OpenLoad> arrivals) {
      this.file = file;
      this.arrivals = arrivals;
      setName("requests of parents");
    }

    /** Whether the run's properties enable it. */
    static boolean isAskedFor() {
      return JMeterUtils.getPropDefault(PROPERTY, false);
    }

    @Override
    public void sampleOccurred(SampleEvent event) {
      SampleResult result = event.getResult();
      if (event.isTransactionSampleEvent() && result.getResponseMessage().isEmpty()) {
        result.setResponseMessage(MESSAGE + "unknown, its user ended");
      }
      if (isSum(result)) {
        writeParts(result, event.getThreadGroup());
      }
    }

    private void writeParts(SampleResult sum, String threadGroup) {
      for (SampleResult part : sum.getSubResults()) {
        if (isSum(part)) {
          writeParts(part, threadGroup);
        }
        file.write(
            new SampleEvent(part, threadGroup),
            arrivals.map(open -> open.lateMillis(part)).orElse(0L));
      }
    }

    private static boolean isSum(SampleResult result) {
      return result.getResponseMessage().startsWith(MESSAGE);
    }
  }

  /** What runs the users of a plan: this process, or JMeter's own servers. */
  interface LoadEngine {
    /**
     * Gets ready to run a plan.
     *
     * @throws LoadedPlan.Fault if it cannot
     */
    void configure(HashTree plan) throws LoadedPlan.Fault;

    /**
     * Runs the users until they have ended.
     *
     * @param started is called when all engines have begun to start their users
     * @throws LoadedPlan.Fault if they cannot start
     */
    void run(Runnable started) throws LoadedPlan.Fault;

    /**
     * Asks the users to stop after their sample.
     *
     * @param now interrupt them instead
     */
    void stop(boolean now);

    /** The measured window begins. */
    void beginWindow();

    /** Returns the number of active users. */
    int users();

    /** Returns why the samples since the window's start are not the whole load; usually empty. */
    Optional<String> fault();
  }
}
