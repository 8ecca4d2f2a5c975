package io.slicewise.run.validity;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks a fixed amount of work: it ended in time, and its server's caches were as warm or as cold
 * as they should be.
 */
final class WorkRules {
  /** What kernels count in ticks of 10 ms is then known within 0.1 %. */
  private static final double LEAST_SECONDS = 10;

  private static final double TICK_SECONDS = 0.01;
  private static final double WARM_BYTES = 1e6;
  private static final double COLD_SHARE = 0.95;

  private WorkRules() {}

  static List<Finding> judge(TrialFacts facts) {
    Optional<TrialFacts.Work> work = facts.conduct().work();
    if (work.isEmpty()) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    time(facts, work.get(), findings);
    Optional<MachineCounters> server =
        Optional.ofNullable(facts.conduct().machines().get(work.get().server()))
            .filter(MachineCounters::measured);
    switch (work.get().state()) {
      case "warm" ->
          server.ifPresentOrElse(
              machine -> warm(work.get(), machine, findings),
              () -> findings.add(unknown(Rule.NOT_WARM, work.get())));
      case "cold" ->
          server
              .filter(machine -> Double.isFinite(work.get().needed()))
              .ifPresentOrElse(
                  machine -> cold(work.get(), machine, findings),
                  () -> findings.add(unknown(Rule.NOT_COLD, work.get())));
      default -> {}
    }
    return findings;
  }

  private static void time(TrialFacts facts, TrialFacts.Work work, List<Finding> findings) {
    double seconds = facts.window().seconds();
    if (seconds >= work.within().toNanos() / 1e9) {
      findings.add(
          Finding.excluding(
              Rule.WINDOW,
              "the work did not end within " + DurationText.of(work.within()),
              "a longer 'within', fewer 'passes', or a plan that ends by itself"));
    } else if (seconds < LEAST_SECONDS && !facts.conduct().machines().isEmpty()) {
      findings.add(
          Finding.warning(
              Rule.WINDOW,
              Phrase.of(
                  "the work took %.2f s, of which a kernel's tick of 10 ms is %.1f %%",
                  seconds, 100 * TICK_SECONDS / seconds),
              "more 'passes' make the counters of CPU time more exact"));
    }
  }

  private static Finding unknown(Rule rule, TrialFacts.Work work) {
    return Finding.warning(
        rule,
        "it is unknown whether %s was %s".formatted(work.server(), work.state()),
        "its kernel was not read, which needs a login, or its database does not count blocks");
  }

  private static double read(TrialFacts.Work work, MachineCounters machine) {
    return machine.ownDisks().stream().mapToDouble(DiskCounters::bytesRead).sum()
        / work.executions();
  }

  private static void warm(TrialFacts.Work work, MachineCounters machine, List<Finding> findings) {
    double faults =
        machine.service().getOrDefault("memory.pgmajfault", machine.count("pgmajfault"));
    if (read(work, machine) > WARM_BYTES || faults > 0) {
      findings.add(
          Finding.excluding(
              Rule.NOT_WARM,
              Phrase.of(
                  "%s read %.1f MB of disk an execution and had %.0f major faults",
                  work.server(), read(work, machine) / 1e6, faults),
              "its memory is too small for the data, or something else read its disks"));
    }
  }

  private static void cold(TrialFacts.Work work, MachineCounters machine, List<Finding> findings) {
    if (read(work, machine) < COLD_SHARE * work.needed()) {
      findings.add(
          Finding.excluding(
              Rule.NOT_COLD,
              Phrase.of(
                  "%s read %.1f MB of disk an execution, and its database %.1f MB",
                  work.server(), read(work, machine) / 1e6, work.needed() / 1e6),
              "'cold' does not empty every cache between the database and the disk"));
    }
  }
}
