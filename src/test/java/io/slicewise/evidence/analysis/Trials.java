package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.Arms;
import io.slicewise.experiment.Experiment.Testbed;
import io.slicewise.experiment.Experiment.TrialCourse;
import io.slicewise.experiment.Experiment.TrialParts;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Mser5;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of trials with numbers a test can work out by hand. */
public final class Trials {
  private static final Window WINDOW =
      new Window(Instant.parse("2026-11-20T21:00:00Z"), Instant.parse("2026-11-20T21:01:00Z"));

  private Trials() {}

  /** Profiles that differ by their weight. */
  public static Experiment experiment(List<Integer> users, int repetitions, String... names) {
    List<SchedulerProfile> profiles = new ArrayList<>();
    for (String name : names) {
      profiles.add(
          new SchedulerProfile(
              name,
              Optional.empty(),
              Map.of(Role.MAIN, Credit.of(256 + profiles.size(), 0)),
              Map.of()));
    }
    return experiment(users, repetitions, profiles);
  }

  /** The first profile is the baseline. */
  public static Experiment experiment(
      List<Integer> users, int repetitions, List<SchedulerProfile> profiles) {
    return new Experiment(
        "shop",
        new Testbed(
            Optional.empty(),
            Map.of(Role.DOM0, List.of("Domain-0")),
            Optional.empty(),
            Generators.NONE,
            Optional.empty(),
            Watching.NONE),
        new Arms(profiles, profiles.get(0).name(), List.of()),
        new WorkloadSpec("web-app", Optional.empty(), Optional.empty(), Map.of()),
        users.stream().map(Load::of).toList(),
        new TrialCourse(
            repetitions,
            Optional.empty(),
            Optional.empty(),
            Order.BLOCKS,
            1,
            new TrialParts(
                Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(60), Duration.ZERO)),
        ValidityLimits.DEFAULT,
        Aim.NONE,
        Optional.empty());
  }

  /** The same experiment at each of its users beside those numbers of neighbours. */
  public static Experiment beside(Experiment e, List<Integer> neighbours) {
    return copy(
        e,
        e.users().stream().flatMap(n -> neighbours.stream().map(k -> Load.beside(k, n))).toList(),
        e.stop(),
        e.design());
  }

  /** The same experiment, adding blocks until it is precise. */
  public static Experiment withStop(Experiment e, Stop stop) {
    return copy(e, e.loads(), Optional.of(stop), e.design());
  }

  /** The same experiment with switchback sessions. */
  public static Experiment withDesign(Experiment e, SessionDesign design) {
    return copy(e, e.loads(), e.stop(), Optional.of(design));
  }

  private static Experiment copy(
      Experiment e, List<Load> loads, Optional<Stop> stop, Optional<SessionDesign> design) {
    return new Experiment(
        e.name(),
        e.testbed(),
        e.arms(),
        e.workload(),
        loads,
        new TrialCourse(e.repetitions(), stop, design, e.order(), e.seed(), e.course().parts()),
        e.limits(),
        e.aim(),
        e.tuning());
  }

  /** A trial with that throughput; its times follow from it as Little's law wants. */
  public static TrialResult trial(
      int number, String profile, int users, int block, double throughput) {
    double mean = users * 1000.0 / throughput;
    return result(
        new Trial(number, block, profile, Load.of(users), block),
        List.of(),
        load(throughput, mean, mean * 2, mean * 3),
        new DomainShares("web", 1, 2, 0.2, 0.1, 0.7, ""));
  }

  /** The same trial with a warning. */
  public static TrialResult warned(TrialResult trial, String warning) {
    return trial.withRemarks(List.of(warning));
  }

  public static LoadResult load(double throughput, double mean, double p95, double p99) {
    return UncountedLoad.of(
        "total",
        Math.round(throughput * 60),
        0,
        Map.of(),
        throughput,
        mean,
        mean,
        mean,
        p95,
        p99,
        0,
        "",
        List.of(),
        List.of(),
        Mser5.of());
  }

  public static TrialResult result(
      Trial trial, List<String> reasons, LoadResult load, DomainShares... shares) {
    return new TrialResult(
        trial,
        reasons.stream().map(reason -> new Finding(Rule.ERRORS, true, reason, "")).toList(),
        List.of(),
        new TrialTimes(WINDOW, WINDOW, Map.of()),
        TrialHost.of(4, Map.of()),
        new TrialLoad(Optional.ofNullable(load), List.of(), List.of()),
        List.of(
            HypervisorShares.observation(
                new MonitorResult("xenmon", WINDOW, List.of(shares), List.of(), List.of()))));
  }
}
