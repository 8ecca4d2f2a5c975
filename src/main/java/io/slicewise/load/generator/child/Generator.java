package io.slicewise.load.generator.child;

import io.slicewise.load.generator.GeneratorHealth;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.samplers.SampleListener;
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

  private static final long ASK_MILLIS = 2_000;
  private static final long INTERRUPT_MILLIS = 3_000;
  private static final long SECOND_MILLIS = 1_000;
  private static final int FAULTY = 3;

  private final PrintStream wire;
  private final SampleFile file;
  private final SampleTap tap;
  private final HealthMeter health = new HealthMeter();
  private final StandardJMeterEngine engine = new StandardJMeterEngine();
  private final Timer timer = new Timer("progress", true);
  private final Thread run = new Thread(this::run, "run");

  private Generator(PrintStream wire, Path plan, Path directory)
      throws IOException, LoadedPlan.Fault {
    this.wire = wire;
    file = new SampleFile(directory.resolve(SAMPLES));
    tap = new SampleTap(file);
    HashTree tree = LoadedPlan.load(plan, listeners());
    engine.configure(tree);
    run.setDaemon(true);
  }

  private SampleListener[] listeners() {
    return ParentParts.isAskedFor()
        ? new SampleListener[] {new ParentParts(file), tap}
        : new SampleListener[] {tap};
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream wire = System.out;
    System.setOut(System.err);
    ignoreInterrupt();
    Path plan = Path.of(arguments[0]);
    Path directory = Path.of(arguments[1]);
    long longestMillis = Long.parseLong(arguments[2]);
    BufferedReader control =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Generator generator;
    try {
      Properties properties = properties(directory.resolve(PROPERTIES));
      readSecrets(control, properties);
      JMeterHome.prepare(directory.resolve(HOME), properties);
      generator = new Generator(wire, plan, directory);
    } catch (LoadedPlan.Fault | IOException fault) {
      LoggerFactory.getLogger(Generator.class).error("The plan cannot run", fault);
      wire.println(Wire.fault(String.valueOf(fault.getMessage())));
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
      if (line.equals(Wire.GO)) {
        begin(longestMillis);
      } else if (line.equals(Wire.WINDOW)) {
        health.begin();
      } else {
        Wire.readCut(line).ifPresent(this::cut);
      }
    }
  }

  private void cut(Path samples) {
    try {
      GeneratorHealth now = health.read();
      file.cut(samples);
      send(Wire.cut(now));
    } catch (IOException fault) {
      send(Wire.fault("the samples of a window cannot be completed: " + fault));
    }
  }

  private void begin(long longestMillis) {
    health.begin();
    run.start();
    timer.scheduleAtFixedRate(
        new TimerTask() {
          @Override
          public void run() {
            send(Wire.progress(tap.progress(health.read())));
          }
        },
        SECOND_MILLIS,
        SECOND_MILLIS);
    CompletableFuture.delayedExecutor(longestMillis, TimeUnit.MILLISECONDS).execute(this::end);
  }

  private void run() {
    engine.run();
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
        engine.stopTest(false);
        run.join(ASK_MILLIS);
      }
      if (run.isAlive()) {
        engine.stopTest(true);
        run.join(INTERRUPT_MILLIS);
      }
      file.close();
      send(Wire.ENDED);
    } catch (IOException | InterruptedException fault) {
      send(Wire.fault("the samples cannot be completed: " + fault));
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
   * Ignores Ctrl-C, which a terminal sends to the whole process group; the harness decides what to
   * do. Uses reflection because the class belongs to no standard module; if it is missing, Ctrl-C
   * only costs a trial.
   */
  private static void ignoreInterrupt() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      signal
          .getMethod("handle", signal, handler)
          .invoke(
              null,
              signal.getConstructor(String.class).newInstance("INT"),
              handler.getField("SIG_IGN").get(null));
    } catch (ReflectiveOperationException missing) {
      LoggerFactory.getLogger(Generator.class).warn("Ctrl-C will end the generator", missing);
    }
  }
}
