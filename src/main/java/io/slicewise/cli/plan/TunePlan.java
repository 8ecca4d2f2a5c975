package io.slicewise.cli.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.TuneDesign;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.stats.power.Resolution;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.PoolMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a tune would do.
 *
 * @param choice what the tune chooses from
 * @param budget per night, as a phrase
 * @param leastSeconds that two candidates and a confirmation take
 * @param confirmation what a confirmation can show
 * @param problems obstacles to running it
 * @param notes remarks on the load's plan
 */
public record TunePlan(
    String experiment,
    String goal,
    Map<String, Double> guard,
    String design,
    @JsonUnwrapped Choice choice,
    String budget,
    double leastSeconds,
    PlanOutline.Power confirmation,
    List<String> problems,
    List<String> notes) {
  public TunePlan {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /**
   * The candidates that the host allows.
   *
   * @param candidates besides the settings found; −1 where the host was not read
   * @param entrants that the budget can race
   * @param leftOut why points of the search space are left out
   */
  record Choice(int candidates, int entrants, List<String> leftOut) {
    static final Choice UNKNOWN = new Choice(-1, -1, List.of());

    static Choice of(CandidatePool pool) {
      return new Choice(
          pool.candidates().size() - 1, pool.entrants().get(0).size() - 1, pool.leftOut());
    }
  }

  static TunePlan of(
      Experiment experiment, Choice choice, PlanOutline.Power confirmation, List<String> problems) {
    Tuning tuning = experiment.tuning().orElseThrow();
    List<String> bounds = new ArrayList<>();
    tuning.budget().time().ifPresent(time -> bounds.add(DurationText.spaced(time)));
    tuning.budget().most().ifPresent(most -> bounds.add(most + " trials or windows"));
    return new TunePlan(
        experiment.name(),
        tuning.goal().toString(),
        tuning.guard(),
        experiment.design().map(TunePlan::sessions).orElseGet(() -> trials(experiment)),
        choice,
        String.join(", ", bounds) + " a night",
        PoolMaker.leastSeconds(experiment),
        confirmation,
        problems,
        LoadGenerators.code(experiment).flatMap(AllowedPlans::note).stream().toList());
  }

  private static String trials(Experiment experiment) {
    return "trials, each started anew"
        + TuneDesign.reasonForTrials(experiment).map(why -> ", since " + why).orElse("");
  }

  private static String sessions(SessionDesign design) {
    return Phrase.of(
        "switchback sessions of %d blocks, windows of %s",
        design.blocks(), DurationText.spaced(design.window()));
  }

  private String trials() {
    return Phrase.of(
        "%d trials of each, with a CV of %.1f %% (%s), %s",
        confirmation.blocks(),
        100 * confirmation.scatter().cv(),
        confirmation.scatter().source(),
        Resolution.isTooLarge(100 * confirmation.smallestEffect())
            ? "changes " + Resolution.NONE
            : Phrase.of(
                "detect changes >= %.1f %% with 80 %% power", 100 * confirmation.smallestEffect()));
  }

  /** The plan for a terminal. */
  public List<String> lines() {
    LabelledLines lines = new LabelledLines(Terminal.tableWidth());
    problems.forEach(problem -> lines.add("Stops", problem));
    lines.add("PLAN", experiment + "   a tune   nothing has been changed");
    lines.add("Goal", goal);
    guard.forEach((metric, allowed) -> lines.add("Guard", Aim.limit(metric, allowed)));
    lines.add("Design", design);
    lines.add(
        "Choose",
        choice.candidates() < 0
            ? "candidates: unknown, the host was not read"
            : "%d candidates; %d of them and the settings found begin the race"
                .formatted(choice.candidates(), choice.entrants()));
    choice.leftOut().forEach(reason -> lines.add("Left out", reason));
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
