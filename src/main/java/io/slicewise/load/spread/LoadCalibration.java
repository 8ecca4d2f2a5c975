package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.child.OwnPage;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import io.slicewise.ssh.Conversation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;

/**
 * Measures how much load a machine generates: its users increase evenly against a page of its own,
 * over its loopback interface, until its timers are late or its processors busy for two steps in a
 * row. The page takes CPU time there too, so a machine that loads another one carries somewhat
 * more.
 *
 * @param plan the included plan {@code page}
 * @param ramp how long the users increase in a round
 */
public record LoadCalibration(GeneratorMachine machine, Path plan, Limits limits, Duration ramp) {
  /**
   * The generator's options of compilers are those of a trial that is longer than a few minutes.
   */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private static final Duration STEP = Duration.ofSeconds(2);
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final int THINK_MILLIS = 10;
  private static final int USERS_PER_CORE = 300;
  private static final int MOST_USERS = 4_000;
  private static final double BEYOND = 1.3;

  /** In the first part of a round, classes are loaded and compiled, and timers say nothing. */
  private static final int WARM_PART = 6;

  private static final int FEWEST_USERS = 8;

  /**
   * Limits of a valid trial.
   *
   * @param busyShare of the machine's processors, 0..1
   */
  public record Limits(double latenessMillis, double busyShare) {}

  /**
   * A part of the increase.
   *
   * @param users at its end
   * @param latenessMillis 99th percentile, as {@link LoadProgress#latenessP99Millis}
   */
  public record Step(int users, double perSecond, double latenessMillis, double busyShare) {
    boolean within(Limits limits) {
      return latenessMillis <= limits.latenessMillis() && busyShare <= limits.busyShare();
    }
  }

  /**
   * The result of one increase.
   *
   * @param last step within the limits
   * @param beyond the first step that was not; the last one if none was
   * @param reached whether the limits were reached
   */
  public record Round(Step last, Step beyond, boolean reached) {}

  /**
   * Measures several times, each with a new JVM; a first coarse round finds the number of users.
   * Nothing of it is left on the machine but the program's jars.
   */
  public List<Round> measure(int rounds) {
    try (SpreadGenerator generator = new SpreadGenerator(List.of(machine), SplitRules.ALONE);
        Conversation page = generator.first().converse(OwnPage.class)) {
      String port =
          page.next(START_LIMIT)
              .orElseThrow(() -> fault("the page of its calibration did not start"))
              .text();
      int cores = generator.first().place().cores();
      int users = Math.min(MOST_USERS, USERS_PER_CORE * cores);
      users = more(round(generator, port, users).beyond().users(), users);
      List<Round> measured = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        measured.add(round(generator, port, users));
      }
      return List.copyOf(measured);
    }
  }

  private static int more(int reached, int most) {
    return Math.min(most, Math.max(FEWEST_USERS, (int) (reached * BEYOND)));
  }

  private Round round(SpreadGenerator generator, String port, int users) {
    try {
      Path directory = Files.createTempDirectory("slicewise-calibration");
      try {
        Path trial = Files.createDirectory(directory.resolve("calibration"));
        Map<String, String> properties =
            Map.of("host", "127.0.0.1", "port", port, "think-time", Integer.toString(THINK_MILLIS));
        LoadRequest request = new LoadRequest(plan, users, ramp, LONGEST, properties, trial);
        try (PreparedLoad prepared = generator.prepare(request);
            RunningLoad load = prepared.begin()) {
          return result(steps(load));
        }
      } finally {
        FileUtils.deleteDirectory(directory.toFile());
      }
    } catch (IOException unwritable) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "no temporary directory for a calibration: " + unwritable,
          "check that the directory for temporary files has room",
          unwritable);
    }
  }

  /** Ends at the second step in a row that is beyond the limits. */
  private List<Step> steps(RunningLoad load) {
    List<Step> steps = new ArrayList<>();
    LoadProgress before = next(load, LoadProgress.NONE, Duration.ZERO);
    long began = System.nanoTime();
    long warm = began + ramp.dividedBy(WARM_PART).toNanos();
    long end = began + ramp.plus(STEP).toNanos();
    int beyond = 0;
    while (beyond < 2 && System.nanoTime() < end) {
      load.beginWindow();
      LoadProgress after = next(load, before, STEP);
      long now = System.nanoTime();
      Step step =
          new Step(
              after.activeUsers(),
              (after.samples() - before.samples()) / ((now - began) / 1e9),
              after.latenessP99Millis().value(),
              after.cpuShare().value());
      if (now > warm) {
        steps.add(step);
        beyond = step.within(limits) ? 0 : beyond + 1;
      }
      before = after;
      began = now;
    }
    return steps;
  }

  /** Waits for the first progress that is newer than {@code before} by at least that time. */
  private LoadProgress next(RunningLoad load, LoadProgress before, Duration time) {
    long began = System.nanoTime();
    while (load.isAlive()) {
      LoadProgress now = load.progress();
      long passed = System.nanoTime() - began;
      if (passed >= time.toNanos() && now.samples() > before.samples()) {
        return now;
      }
      if (passed > START_LIMIT.toNanos()) {
        throw fault("it generated no load");
      }
      pause();
    }
    throw fault(load.failure().orElse("its JVM ended"));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(10);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new SlicewiseException(
          ErrorKind.INTERRUPTED, "interrupted while calibrating", "", interrupted);
    }
  }

  /** The steps before the first of those in a row that are beyond the limits. */
  private Round result(List<Step> steps) {
    int last = steps.size() - 1;
    int beyond = steps.size();
    while (beyond > 0 && !steps.get(beyond - 1).within(limits)) {
      beyond--;
    }
    if (beyond == 0) {
      Step none = new Step(0, 0, 0, 0);
      return new Round(none, steps.get(0), true);
    }
    return new Round(steps.get(beyond - 1), steps.get(Math.min(beyond, last)), beyond <= last);
  }

  private SlicewiseException fault(String what) {
    return new SlicewiseException(
        ErrorKind.NOT_READY,
        Awaited.named(machine.name(), what),
        "check that nothing else runs there, and its jmeter.log with a short experiment");
  }
}
