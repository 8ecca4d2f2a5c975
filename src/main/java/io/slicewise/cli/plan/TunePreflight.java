package io.slicewise.cli.plan;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.lab.TuneCandidates;
import io.slicewise.cli.plan.PlanDraft.Scatter;
import io.slicewise.cli.plan.TunePlan.Choice;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.sweep.Settable;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.KnobSpace;
import io.slicewise.tune.course.PoolMaker;
import io.slicewise.tune.course.Screening;
import io.slicewise.tune.course.TuneRuns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What must hold before a tune touches anything. */
public final class TunePreflight {
  private TunePreflight() {}

  /**
   * Checks the file, the budget, and the search against the host.
   *
   * @throws SlicewiseException if the tune cannot give an answer
   */
  public static void check(Experiment experiment, Path file) {
    checkBudget(experiment, file);
    try (EmbeddedHost host = EmbeddedHost.toLookAt(experiment)) {
      HostView.look(
          host.experiment(),
          view -> {
            view.seen().ifPresent(seen -> checkSearch(experiment, seen));
            return view;
          });
    }
  }

  /** Checks what the file alone shows. */
  static void checkBudget(Experiment experiment, Path file) {
    if (experiment.tuning().isEmpty()) {
      throw SlicewiseException.input(
          file + " has no tune part, so there is no goal to look for",
          "add tune: {goal: lowest p95, budget: {time: 8h}, search: ...}, as docs/tune.md"
              + " describes, or use 'slicewise run'");
    }
    LoadGenerators.check(experiment);
    Tuning.Budget budget = experiment.tuning().get().budget();
    double seconds = PoolMaker.leastSeconds(experiment);
    double trials = PoolMaker.fewestTrials(experiment);
    Optional<Duration> lacking = budget.time().filter(time -> time.toNanos() / 1e9 < seconds);
    if (lacking.isPresent()) {
      throw shorter(file, "time " + DurationText.of(lacking.get()), DurationText.rough(seconds));
    }
    if (budget.most().isPresent() && budget.most().getAsInt() < trials) {
      throw shorter(
          file, budget.most().getAsInt() + " trials or windows", Math.round(trials) + " of them");
    }
  }

  private static SlicewiseException shorter(Path file, String budget, String least) {
    return SlicewiseException.input(
        "%s: a budget of %s is too short: two candidates and a confirmation take %s"
            .formatted(file, budget, least),
        "raise the budget, or shorten window, warm-up and measure, or list fewer users");
  }

  /** What the tune would do, with its candidates where the host could be read. */
  static TunePlan plan(Experiment experiment, Path file, HostView host, Scatter scatter) {
    checkBudget(experiment, file);
    PlannedChanges changes = new PlannedChanges(experiment, host);
    experiment.profiles().forEach(changes::arm);
    Choice choice =
        host.seen().map(seen -> Choice.of(checkSearch(experiment, seen))).orElse(Choice.UNKNOWN);
    return TunePlan.of(
        experiment,
        choice,
        PowerOfSessions.ofConfirmation(experiment, scatter),
        changes.problems());
  }

  private static CandidatePool checkSearch(Experiment experiment, HostView.Seen seen) {
    Optional<KnobSpace> space =
        TuneCandidates.space(
            experiment,
            seen.current(),
            TuneCandidates.vcpus(seen.domains().values()),
            seen.description().pcpus());
    return new PoolMaker(
            experiment, space, seen.current(), Settable.judge(seen.hypervisor(), experiment))
        .pool(profiles -> Screening.Simulated.none(""), OptionalDouble.empty());
  }

  /** The newest run of the same experiment that another night can add to. */
  public static Optional<RunDirectory> unanswered(Experiment experiment, Path results) {
    List<Path> runs =
        RunDirectory.below(results).stream()
            .filter(root -> root.getFileName().toString().startsWith(experiment.name() + "-"))
            .sorted(Comparator.reverseOrder())
            .toList();
    return runs.stream()
        .map(RunDirectory::open)
        .filter(
            run -> ExperimentFiles.read(run.experimentFile()).tuning().equals(experiment.tuning()))
        .findFirst()
        .filter(run -> !isAnswered(run.load()));
  }

  private static boolean isAnswered(LoadedRun run) {
    return TuneRuns.course(run)
        .filter(course -> course.races().stream().allMatch(race -> race.decided()))
        .isPresent();
  }
}
