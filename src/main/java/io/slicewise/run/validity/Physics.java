package io.slicewise.run.validity;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.host.HostState.Disturbance;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.stats.Mser5;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks a trial against every rule. The rules and limits are fixed before the sweep: a trial is
 * excluded only by one of them, and the reason is printed. {@code NaN} means not measured and
 * breaks no rule.
 */
public final class Physics {
  private Physics() {}

  /** Returns every rule that the trial breaks under these limits. */
  public static Judgement judge(TrialFacts facts, ValidityLimits limits) {
    return judge(facts, Map.of(), limits);
  }

  /**
   * Returns every rule that the trial breaks under these limits.
   *
   * @param tiles the facts of loads at once by their names, each of which is judged as a load of
   *     its own; empty if there is one load
   */
  public static Judgement judge(
      TrialFacts facts, Map<String, TrialFacts> tiles, ValidityLimits limits) {
    List<Finding> ofLoads = new ArrayList<>();
    tiles.forEach(
        (name, its) -> LoadRules.judge(its, limits).forEach(found -> ofLoads.add(found.of(name))));
    List<Finding> findings =
        Stream.of(
                tiles.isEmpty() ? LoadRules.judge(facts, limits) : ofLoads,
                ShareRules.judge(facts),
                GeneratorRules.judge(facts, limits),
                OtherWorkRules.judge(facts, limits),
                LabRules.judge(facts, limits),
                SettingRules.judge(facts),
                ConductRules.judge(facts),
                WorkRules.judge(facts),
                MachineRules.judge(facts))
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Finding::rule))
            .toList();
    return new Judgement(findings);
  }

  /**
   * Checks that the trial ran as planned: on the same guests throughout, in a window of the planned
   * length.
   */
  private static final class ConductRules {
    private static final double LONGEST_SLIP_SECONDS = 1;
    private static final double LARGEST_SLIP = 0.02;

    /**
     * Of the pCPUs' time; less changes what the studied guests get by less than the repetitions.
     */
    private static final double LARGEST_DISTURBANCE = 0.05;

    /** Of the vCPUs' time in the window. */
    private static final double LONGEST_PAUSE = 0.01;

    private ConductRules() {}

    static List<Finding> judge(TrialFacts facts) {
      List<Finding> findings = new ArrayList<>();
      for (String change : facts.conduct().changes()) {
        findings.add(
            Finding.excluding(
                Rule.HOST, change, "somebody else administered the host while the trial ran"));
      }
      facts.shares().forEach(shares -> paused(shares, facts).ifPresent(findings::add));
      for (Disturbance disturbance : facts.conduct().disturbances()) {
        findings.add(disturbance(disturbance, facts));
      }
      window(facts, findings);
      return findings;
    }

    /** Without a cap, vCPUs are offline only while their guest is paused. */
    private static Optional<Finding> paused(DomainShares shares, TrialFacts facts) {
      SchedulerParameters applied = facts.settings().before().get(shares.domain());
      double offline = shares.held() - shares.waiting();
      boolean uncapped = applied != null && applied.ceiling(shares.vcpus()).isEmpty();
      return uncapped && offline > LONGEST_PAUSE
          ? Optional.of(
              Finding.excluding(
                  Rule.HOST,
                  Phrase.of(
                      "%s: its vCPUs were offline for %.1f %% of the window, and it has no cap"
                          + " (limit %.0f %%)",
                      shares.domain(), 100 * offline, 100 * LONGEST_PAUSE),
                  "somebody paused the guest while the trial ran"))
          : Optional.empty();
    }

    /**
     * A guest that came or went disturbs as much as it ran; unmeasured, as much as it could. Where
     * the monitor counts what ran outside of the guests that it knows, it did not run more.
     */
    private static Finding disturbance(Disturbance disturbance, TrialFacts facts) {
      double measured =
          facts.shares().stream()
              .filter(shares -> shares.domain().equals(disturbance.guest()))
              .mapToDouble(shares -> shares.run() * shares.vcpus() / facts.host().pcpus())
              .findFirst()
              .orElse(Double.NaN);
      boolean known = Double.isFinite(measured);
      double outside =
          facts.shares().stream()
              .flatMapToDouble(shares -> shares.outsideRun().stream())
              .max()
              .orElse(1);
      double used =
          known ? measured : Math.min(outside, (double) disturbance.vcpus() / facts.host().pcpus());
      String cause = "somebody else used the host while the trial ran";
      return used > LARGEST_DISTURBANCE
          ? Finding.excluding(
              Rule.HOST,
              Phrase.of(
                  "%s, and %s %.1f %% of the host's CPU in the window (limit %.0f %%)",
                  disturbance.sentence(),
                  known ? "used" : "may have used up to",
                  100 * used,
                  100 * LARGEST_DISTURBANCE),
              cause)
          : Finding.warning(Rule.HOST, disturbance.sentence(), cause);
    }

    private static void window(TrialFacts facts, List<Finding> findings) {
      double planned = facts.conduct().planned().toNanos() / 1e9;
      double slip = facts.window().seconds() - planned;
      double allowed = Math.max(LONGEST_SLIP_SECONDS, LARGEST_SLIP * planned);
      if (planned > 0 && Math.abs(slip) > allowed) {
        findings.add(
            Finding.excluding(
                Rule.WINDOW,
                Phrase.of(
                    "the window lasted %.1f s instead of %.1f s (%.1f s off > %.1f s)",
                    facts.window().seconds(), planned, Math.abs(slip), allowed),
                "the connection broke, or the host or this machine was paused"));
      }
    }
  }

  /**
   * Checks the lab: if it is late in carrying out what its simulated machine decided, response
   * times increase.
   */
  private static final class LabRules {
    /** Above this 99th percentile, the lab's response times are doubtful. */
    private static final double DOUBTFUL_MILLIS = 2;

    private static final String CAUSE =
        "this machine is too small or too busy to run the lab, its servers and the generator: fewer"
            + " users, a smaller demand-factor, or less other work";

    private LabRules() {}

    static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
      double late = facts.machine().labLatenessMillis();
      if (late > limits.labLatenessMillis()) {
        return List.of(
            Finding.excluding(
                Rule.LAB,
                Phrase.of(
                    "the lab was late by %.1f ms (p99, limit %.1f ms)",
                    late, limits.labLatenessMillis()),
                CAUSE));
      }
      return late > DOUBTFUL_MILLIS
          ? List.of(
              Finding.warning(
                  Rule.LAB,
                  Phrase.of(
                      "the lab was late by %.1f ms (p99); above %.0f ms its response times are"
                          + " doubtful",
                      late, DOUBTFUL_MILLIS),
                  CAUSE))
          : List.of();
    }
  }

  /**
   * Checks this machine: other programs take CPU from the generator, and from a lab that runs here.
   */
  private static final class OtherWorkRules {
    private OtherWorkRules() {}

    static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
      double others = facts.machine().otherWorkShare();
      return others > limits.otherWorkShare()
          ? List.of(
              Finding.excluding(
                  Rule.OTHER_WORK,
                  Phrase.of(
                      "other programs used %.0f %% of this machine's CPU (limit %.0f %%)",
                      100 * others, 100 * limits.otherWorkShare()),
                  "end them, or measure when they do not run"))
          : List.of();
    }
  }

  /**
   * Checks that the scheduler settings read back equal the requested ones, before and after the
   * load.
   */
  private static final class SettingRules {
    private SettingRules() {}

    static List<Finding> judge(TrialFacts facts) {
      List<Finding> findings = new ArrayList<>();
      TrialFacts.Settings settings = facts.settings();
      new TreeMap<>(settings.asked())
          .forEach(
              (domain, asked) -> {
                compare(domain, "asked", asked, settings.before(), "before the load", findings);
                compare(domain, "asked", asked, settings.after(), "after the load", findings);
              });
      gone(settings, findings);
      new TreeMap<>(settings.before())
          .forEach(
              (domain, before) -> {
                if (!settings.asked().containsKey(domain)) {
                  compare(domain, "found", before, settings.after(), "after the load", findings);
                }
              });
      return findings;
    }

    /** Reports domains that were set but no longer ran when the others were read again. */
    private static void gone(TrialFacts.Settings settings, List<Finding> findings) {
      if (settings.after().isEmpty()) {
        return;
      }
      for (String domain : new TreeSet<>(settings.asked().keySet())) {
        if (!settings.after().containsKey(domain)) {
          findings.add(
              Finding.excluding(
                  Rule.SETTINGS,
                  domain + ": not running after the load",
                  "the guest crashed, was shut down or was migrated during the trial"));
        }
      }
    }

    private static void compare(
        String domain,
        String verb,
        SchedulerParameters wanted,
        Map<String, SchedulerParameters> read,
        String when,
        List<Finding> findings) {
      SchedulerParameters found = read.get(domain);
      if (found != null && !found.equals(wanted)) {
        findings.add(
            Finding.excluding(
                Rule.SETTINGS,
                "%s: %s %s, read %s %s"
                    .formatted(
                        domain, verb, ParametersText.of(wanted), ParametersText.of(found), when),
                "another tool changed the scheduler meanwhile, the guest restarted, or the toolstack"
                    + " rounds the value"));
      }
    }
  }

  /**
   * Checks a fixed amount of work: it ended in time, and its server's caches were as warm or as
   * cold as they should be.
   */
  private static final class WorkRules {
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

    private static void warm(
        TrialFacts.Work work, MachineCounters machine, List<Finding> findings) {
      double faults =
          machine
              .counted()
              .service()
              .getOrDefault("memory.pgmajfault", machine.count("pgmajfault"));
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

    private static void cold(
        TrialFacts.Work work, MachineCounters machine, List<Finding> findings) {
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

  /** Checks the samples: there are some, few failed, Little's law applies, the rate is steady. */
  private static final class LoadRules {
    /** The smallest difference between the rates before and after the cut that is reported. */
    private static final double RATE_CHANGE = 0.05;

    private LoadRules() {}

    static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
      if (facts.load().isEmpty()) {
        return outcomes(facts, "what it printed is in the trial's directory");
      }
      if (!facts.conduct().faults().isEmpty()) {
        return outcomes(facts, "what users experienced is not wholly known, and is no result");
      }
      TrialFacts.Load load = facts.load().get();
      if (load.samples() == 0) {
        return List.of(
            Finding.excluding(
                Rule.SAMPLES,
                "no sample ended in the measured window",
                "the target did not answer, or answers take longer than the window"));
      }
      List<Finding> findings = new ArrayList<>();
      errors(load, limits, findings);
      if (facts.users() > 0) {
        LittlesLaw.judge(
                facts.users(), load.cycle(), facts.window().seconds(), limits.littlesLawError())
            .ifPresent(findings::add);
      } else if (facts.arrivals() > 0) {
        facts
            .passes()
            .flatMap(
                passes -> LittlesLaw.judgeOpen(facts.arrivals(), passes, limits.littlesLawError()))
            .ifPresent(findings::add);
      }
      steady(load, facts.warmUp(), findings);
      return findings;
    }

    private static List<Finding> outcomes(TrialFacts facts, String cause) {
      return facts.conduct().faults().stream()
          .map(fault -> Finding.excluding(Rule.OUTCOMES, fault, cause))
          .toList();
    }

    private static void errors(
        TrialFacts.Load load, ValidityLimits limits, List<Finding> findings) {
      double share = (double) load.failed() / (double) load.samples();
      if (share > limits.errorShare()) {
        findings.add(
            Finding.excluding(
                Rule.ERRORS,
                Phrase.of(
                    "errors %.2f %% > %.2f %% (%d of %d samples)",
                    100 * share, 100 * limits.errorShare(), load.failed(), load.samples()),
                "the target refuses requests or times out under this load; failed answers are fast,"
                    + " so rates and times of such a trial are misleading"));
      }
    }

    /**
     * MSER-5 finds where a series settles, but on white noise it cuts something off every third
     * time; only a cut that changes the rate is reported.
     */
    private static void steady(TrialFacts.Load load, Duration warmUp, List<Finding> findings) {
      double[] rates = load.perSecond().stream().mapToDouble(Long::doubleValue).toArray();
      Mser5 series = Mser5.of(rates);
      double before = Arrays.stream(rates).limit(series.cut()).average().orElse(Double.NaN);
      double after = Arrays.stream(rates).skip(series.cut()).average().orElse(Double.NaN);
      if (!(Math.abs(before / after - 1) > RATE_CHANGE)) {
        return;
      }
      boolean settles = series.outcome() == Mser5.Outcome.STEADY;
      findings.add(
          Finding.warning(
              Rule.STEADY,
              Phrase.of(
                  "%s: %.1f/s in its first %d s, %.1f/s after%s",
                  settles ? "the rate settles late in the window" : "the rate is not steady",
                  before,
                  series.cut(),
                  after,
                  settles ? "; a warm-up of " + longer(warmUp, series) + " would be enough" : ""),
              settles
                  ? "the warm-up is too short, or something else ran on the host in the meantime"
                  : "no warm-up seen so far is long enough, or something else ran on the host"));
    }

    /** Describes the warm-up that would have covered the transient. */
    private static String longer(Duration warmUp, Mser5 series) {
      return warmUp.toSeconds() + series.cut() + (warmUp.toNanosPart() > 0 ? 1 : 0) + " s";
    }
  }
}
