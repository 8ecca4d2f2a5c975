package io.slicewise.cli.lab;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.lab.simulate.Premises;
import io.slicewise.lab.simulate.Rehearsal;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Environment;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.Measured;
import io.slicewise.sweep.source.TuneSource;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.GoalMetric;
import io.slicewise.tune.course.KnobSpace;
import io.slicewise.tune.course.PoolMaker;
import io.slicewise.tune.course.Screening;
import io.slicewise.tune.course.TuneRuns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The candidates of a tune: worked out once, from the settings found and a simulation that is
 * calibrated by a run, and from then on in the run directory.
 */
public final class TuneCandidates implements TuneSource.Candidates {
  private final Experiment experiment;
  private final RunDirectory run;
  private final Optional<RunDirectory> calibration;
  private final Consumer<String> notice;
  private Optional<CandidatePool> known = Optional.empty();
  private Function<SchedulerProfile, Optional<String>> refusal = profile -> Optional.empty();

  /**
   * @param calibration a measured run; empty = the first trials of this one
   */
  public TuneCandidates(
      Experiment experiment,
      RunDirectory run,
      Optional<RunDirectory> calibration,
      Consumer<String> notice) {
    this.experiment = experiment;
    this.run = run;
    this.calibration = calibration;
    this.notice = notice;
  }

  @Override
  public void judgedBy(Function<SchedulerProfile, Optional<String>> judge) {
    refusal = judge;
  }

  @Override
  public boolean needCalibration() {
    return run.environment().isPresent()
        && calibration.isEmpty()
        && Rehearsal.unmodelled(experiment.workload()).isEmpty()
        && TuneRuns.pool(run).isEmpty();
  }

  @Override
  public Optional<CandidatePool> pool() {
    if (known.isEmpty()) {
      known = TuneRuns.pool(run).or(() -> run.environment().map(this::chosen));
    }
    return known;
  }

  private CandidatePool chosen(Environment environment) {
    Map<String, SchedulerParameters> found = new LinkedHashMap<>(environment.settings());
    run.record().found().values().forEach(found::putAll);
    CandidatePool pool =
        new PoolMaker(
                experiment,
                space(experiment, found, vcpus(environment.domains()), environment.host().pcpus()),
                found,
                refusal)
            .pool(
                this::screen,
                run.results().stream().mapToDouble(one -> Measured.of(one).seconds()).average());
    run.writeWhole(run.root().resolve(CandidatePool.FILE), pool);
    notice.accept("%d candidates; %s".formatted(pool.candidates().size() - 1, pool.premises()));
    return pool;
  }

  /** The search space on a host; empty where the experiment searches none. */
  public static Optional<KnobSpace> space(
      Experiment experiment,
      Map<String, SchedulerParameters> found,
      Map<String, Integer> vcpus,
      int pcpus) {
    Map<String, Map<String, List<String>>> search = experiment.tuning().orElseThrow().search();
    return search.isEmpty()
        ? Optional.empty()
        : Optional.of(new KnobSpace(search, found, vcpus, pcpus));
  }

  public static Map<String, Integer> vcpus(Iterable<Domain> domains) {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    domains.forEach(domain -> vcpus.put(domain.name(), domain.vcpus()));
    return vcpus;
  }

  private Screening.Simulated screen(List<SchedulerProfile> profiles) {
    return Rehearsal.unmodelled(experiment.workload())
        .map(TuneCandidates::notSimulated)
        .orElseGet(() -> simulated(profiles));
  }

  private static Screening.Simulated notSimulated(String reason) {
    return Screening.Simulated.none(
        "not simulated, spread evenly over the search space: " + reason);
  }

  private Screening.Simulated simulated(List<SchedulerProfile> profiles) {
    try {
      SimulationPremises premises =
          new SimulationPremises(experiment, Optional.of(calibration.orElse(run).load()));
      Premises all = premises.all();
      notice.accept("simulating %d candidates".formatted(profiles.size()));
      List<List<Optional<Measured>>> results =
          Rehearsal.of(experiment, all, profiles).run(Runtime.getRuntime().availableProcessors());
      GoalMetric metric = new GoalMetric(experiment);
      List<List<Double>> values =
          results.stream()
              .map(row -> row.stream().map(one -> one.map(metric::of).orElse(Double.NaN)).toList())
              .map(row -> row.stream().allMatch(value -> value > 0) ? row : List.<Double>of())
              .toList();
      return values.stream().allMatch(List::isEmpty)
          ? Screening.Simulated.none(
              "spread evenly over the search space: the simulation has no " + metric.label())
          : new Screening.Simulated(values, "simulated with " + all.sentence());
    } catch (SlicewiseException notModelled) {
      return notSimulated(notModelled.getMessage());
    }
  }
}
