package io.slicewise.run.validity;

import io.slicewise.experiment.ValidityLimits;
import io.slicewise.load.generator.GeneratorHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks the generator: one that lacks CPU, pauses or is late measures itself and not the target.
 */
final class GeneratorRules {
  private static final double LONG_PAUSE_MILLIS = 200;
  private static final double FULL_RUN_QUEUE = 1;

  private GeneratorRules() {}

  static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
    List<Finding> findings = new ArrayList<>();
    facts
        .generators()
        .forEach(
            (name, health) -> {
              List<Finding> its = new ArrayList<>();
              judge(health, facts.window().seconds() * 1000, limits, its);
              findings.addAll(facts.generators().size() > 1 ? named(name, its) : its);
            });
    return findings;
  }

  private static List<Finding> named(String generator, List<Finding> findings) {
    return findings.stream()
        .map(
            found ->
                new Finding(
                    found.rule(),
                    found.excludes(),
                    "%s: %s".formatted(generator, found.message()),
                    found.likelyCause()))
        .toList();
  }

  private static void judge(
      GeneratorHealth health, double windowMillis, ValidityLimits limits, List<Finding> findings) {
    if (health.busyShare() > limits.generatorCpuShare()) {
      findings.add(
          excluding(
              "the generator's machine was %.0f %% busy (limit %.0f %%), %.0f %% with the generator"
                  + " itself",
              100 * health.busyShare(), 100 * limits.generatorCpuShare(), 100 * health.cpuShare()));
    }
    if (health.latenessP99Millis() > limits.generatorLatenessMillis()) {
      findings.add(
          excluding(
              "the generator's timers were late by %.1f ms (p99, limit %.1f ms)",
              health.latenessP99Millis(), limits.generatorLatenessMillis()));
    }
    double mostPause = limits.generatorPauseShare() * windowMillis;
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
    if (health.runQueuePerCore() > FULL_RUN_QUEUE) {
      findings.add(
          warning(
              "the generator's machine had a run queue of %.1f per core (above 1: no spare CPU)",
              health.runQueuePerCore()));
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
