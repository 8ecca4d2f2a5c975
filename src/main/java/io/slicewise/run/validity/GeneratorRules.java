package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.TrialFacts.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Checks the generator: one that lacks CPU, pauses or is late measures itself and not the target.
 */
final class GeneratorRules {
  private static final double LONG_PAUSE_MILLIS = 200;
  private static final double FULL_RUN_QUEUE = 1;
  private static final double STEP_MILLIS = 100;
  private static final double DRIFT_SHARE = 0.002;
  private static final double BOUND_SHARE = 0.01;

  /** Generators whose users differ by this factor have different paths or machines. */
  private static final double UNEQUAL = 2;

  private GeneratorRules() {}

  static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
    List<Finding> findings = new ArrayList<>();
    TrialFacts.Generators generators = facts.generators();
    double windowMillis = facts.window().seconds() * 1000;
    generators
        .health()
        .forEach(
            (name, health) -> {
              List<Finding> its = new ArrayList<>();
              judge(health, windowMillis, limits, its);
              its.forEach(
                  found -> findings.add(generators.health().size() > 1 ? found.of(name) : found));
            });
    Map<String, Part> parts = generators.parts();
    parts.forEach((name, part) -> judge(name, part.clock(), windowMillis, findings));
    parts.forEach((name, part) -> compare(name, part, parts, findings));
    return findings;
  }

  /** A generator whose users are much slower than the others' has another path to the target. */
  private static void compare(
      String name, Part part, Map<String, Part> all, List<Finding> findings) {
    List<Part> others =
        all.entrySet().stream()
            .filter(one -> !one.getKey().equals(name))
            .map(Map.Entry::getValue)
            .toList();
    double requests = median(others.stream().mapToDouble(Part::requestsPerUser));
    double millis = median(others.stream().mapToDouble(Part::p50Millis));
    String cause = "another path to the target, or a slower machine: compare the generators";
    if (part.requestsPerUser() < requests / UNEQUAL) {
      findings.add(
          Finding.warning(
              Rule.GENERATOR,
              Phrase.of(
                  "%s: its users made %.1f requests each, those of the other generators %.1f"
                      + " (median)",
                  name, part.requestsPerUser(), requests),
              cause));
    }
    if (part.p50Millis() > millis * UNEQUAL) {
      findings.add(
          Finding.warning(
              Rule.GENERATOR,
              Phrase.of(
                  "%s: its users waited %.0f ms (median), those of the other generators %.0f ms",
                  name, part.p50Millis(), millis),
              cause));
    }
  }

  /** Returns the median of the known values; {@code NaN} without any. */
  private static double median(DoubleStream values) {
    double[] sorted = values.filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0
        ? Double.NaN
        : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /**
   * A clock that was set during the window moves its edges; one that drifts moves them a little.
   */
  private static void judge(
      String name, ClockOffset clock, double windowMillis, List<Finding> findings) {
    double drift = clock.drift().toNanos() / 1e6;
    double bound = clock.bound().toNanos() / 1e6;
    if (Math.abs(drift) > STEP_MILLIS + bound) {
      findings.add(
          Finding.excluding(
              Rule.GENERATOR,
              Phrase.of(
                  "the clock of generator %s was set by %+.0f ms during the window (limit %.0f ms)",
                  name, drift, STEP_MILLIS),
              "a time service steps the clock there: let it slew, or wait until it is settled"));
    } else if (Math.abs(drift) > DRIFT_SHARE * windowMillis + bound) {
      findings.add(
          Finding.warning(
              Rule.GENERATOR,
              Phrase.of(
                  "the clock of generator %s drifted by %+.1f ms during the window", name, drift),
              "its time service corrects the clock, or the machine is virtual and paused"));
    }
    if (bound > BOUND_SHARE * windowMillis) {
      findings.add(
          Finding.warning(
              Rule.GENERATOR,
              Phrase.of(
                  "the clock of generator %s is known only to ±%.1f ms, more than 1 %% of the"
                      + " window",
                  name, bound),
              "the way to the generator is long: measure longer windows"));
    }
  }

  private static void judge(
      GeneratorHealth health, double windowMillis, ValidityLimits limits, List<Finding> findings) {
    if (health.busyShare() > limits.generator().cpuShare()) {
      findings.add(
          excluding(
              "the generator's machine was %.0f %% busy (limit %.0f %%), %.0f %% with the generator"
                  + " itself",
              100 * health.busyShare(),
              100 * limits.generator().cpuShare(),
              100 * health.cpuShare()));
    }
    if (health.latenessP99Millis() > limits.generator().latenessMillis()) {
      findings.add(
          excluding(
              "the generator's timers were late by %.1f ms (p99, limit %.1f ms)",
              health.latenessP99Millis(), limits.generator().latenessMillis()));
    }
    double mostPause = limits.generator().pauseShare() * windowMillis;
    if (health.gcPauseMillis() > mostPause) {
      findings.add(
          excluding(
              "garbage collection stopped the generator for %.0f ms (limit %.0f ms)",
              health.gcPauseMillis(), mostPause));
    }
    if (health.longestGcPauseMillis() > LONG_PAUSE_MILLIS) {
      findings.add(
          warning(
              "garbage collection stopped the generator for %.0f ms at once; times above that are"
                  + " doubtful",
              health.longestGcPauseMillis()));
    }
    health.arrivals().ifPresent(arrivals -> judge(arrivals, limits.generator(), findings));
    if (health.runQueuePerCore() > FULL_RUN_QUEUE) {
      findings.add(
          warning(
              "the generator's machine had a run queue of %.1f per core (above 1: no spare CPU)",
              health.runQueuePerCore()));
    }
  }

  /** A load whose arrivals do not begin when they are due is not the load that was asked for. */
  private static void judge(
      Arrivals arrivals, ValidityLimits.OfGenerator limits, List<Finding> findings) {
    if (arrivals.droppedShare() > limits.droppedShare()) {
      findings.add(
          Finding.excluding(
              Rule.ARRIVALS,
              Phrase.of(
                  "%d of %d arrivals were dropped, %.1f %% (limit %.1f %%): no user was free for a"
                      + " second",
                  arrivals.dropped(),
                  arrivals.dropped() + arrivals.started(),
                  100 * arrivals.droppedShare(),
                  100 * limits.droppedShare()),
              "the target cannot serve this rate with so many users: use a lower rate, or more"
                  + " 'most-users'"));
    }
    if (arrivals.lateP99Millis() > limits.arrivalMillis()) {
      findings.add(
          Finding.excluding(
              Rule.ARRIVALS,
              Phrase.of(
                  "arrivals began late by %.1f ms (p99, limit %.1f ms)",
                  arrivals.lateP99Millis(), limits.arrivalMillis()),
              "all users were busy, or the generator lacks CPU: use a lower rate, more"
                  + " 'most-users', or another machine"));
    }
  }

  private static Finding excluding(String format, Object... arguments) {
    return Finding.excluding(
        Rule.GENERATOR,
        String.format(Locale.ROOT, format, arguments),
        "the generator's machine is too small or busy for this load: use fewer users, more"
            + " generators or a dedicated machine");
  }

  private static Finding warning(String format, Object... arguments) {
    return Finding.warning(
        Rule.GENERATOR,
        String.format(Locale.ROOT, format, arguments),
        "other work on the generator's machine (such as a lab's guests), or too small a heap");
  }
}
