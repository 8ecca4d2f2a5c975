package io.slicewise.cli.plan;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.TuneDesign;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.stats.power.Resolution;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.tune.course.PoolMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a tune would do.
 *
 * @param candidates beside the settings found; −1 where the host was not read
 * @param entrants that the budget can race
 * @param leftOut why points of the search space are left out
 * @param budget per night, as a phrase
 * @param leastSeconds that two candidates and a confirmation take
 * @param confirmation what a confirmation can show
 * @param notes remarks on the load's plan
 */
public record TunePlan(
    String experiment,
    String goal,
    Map<String, Double> guard,
    String design,
    int candidates,
    int entrants,
    List<String> leftOut,
    String budget,
    double leastSeconds,
    PlanOutline.Power confirmation,
    List<String> notes) {
  public TunePlan {
    leftOut = List.copyOf(leftOut);
    notes = List.copyOf(notes);
  }

  /** A plan without a look at the host. */
  public static TunePlan of(Experiment experiment, PlanOutline.Power confirmation) {
    Tuning tuning = experiment.tuning().orElseThrow();
    List<String> bounds = new ArrayList<>();
    tuning.budget().time().ifPresent(time -> bounds.add(DurationText.spaced(time)));
    tuning.budget().most().ifPresent(most -> bounds.add(most + " trials or windows"));
    return new TunePlan(
        experiment.name(),
        tuning.goal().toString(),
        tuning.guard(),
        experiment.design().map(TunePlan::sessions).orElseGet(() -> trials(experiment)),
        -1,
        -1,
        List.of(),
        String.join(", ", bounds) + " a night",
        PoolMaker.leastSeconds(experiment),
        confirmation,
        LoadGenerators.code(experiment).flatMap(AllowedPlans::note).stream().toList());
  }

  private static String trials(Experiment experiment) {
    return "trials, each started anew"
        + TuneDesign.reasonForTrials(experiment).map(why -> ", since " + why).orElse("");
  }

  private static String sessions(SwitchbackDesign design) {
    return Phrase.of(
        "switchback sessions of %d blocks, windows of %s",
        design.blocks(), DurationText.spaced(design.window()));
  }

  /** The same with the candidates that the host allows. */
  public TunePlan with(int all, int racing, List<String> reasons) {
    return new TunePlan(
        experiment,
        goal,
        guard,
        design,
        all,
        racing,
        reasons,
        budget,
        leastSeconds,
        confirmation,
        notes);
  }

  private String trials() {
    return Phrase.of(
        "%d trials of each, with a CV of %.1f %% (%s), %s",
        confirmation.blocks(),
        100 * confirmation.cv(),
        confirmation.source(),
        Resolution.isTooLarge(100 * confirmation.smallestEffect())
            ? "changes " + Resolution.NONE
            : Phrase.of(
                "detect changes >= %.1f %% with 80 %% power", 100 * confirmation.smallestEffect()));
  }

  /** The plan for a terminal. */
  public List<String> lines() {
    LabelledLines lines = new LabelledLines(Terminal.tableWidth());
    lines.add("PLAN", experiment + "   a tune   nothing has been changed");
    lines.add("Goal", goal);
    guard.forEach((metric, allowed) -> lines.add("Guard", Aim.limit(metric, allowed)));
    lines.add("Design", design);
    lines.add(
        "Choose",
        candidates < 0
            ? "candidates: unknown, the host was not read"
            : "%d candidates; %d of them and the settings found begin the race"
                .formatted(candidates, entrants));
    leftOut.forEach(reason -> lines.add("Left out", reason));
    lines.add(
        "Time",
        "budget %s; two candidates and a confirmation take %s"
            .formatted(budget, DurationText.rough(leastSeconds)));
    confirmation
        .sessions()
        .ifPresentOrElse(
            sessions -> new PowerLines("Confirm", confirmation, sessions).addTo(lines),
            () -> lines.add("Confirm", trials()));
    notes.forEach(note -> lines.add("Note", note));
    return lines.all();
  }
}
