package io.slicewise.cli.commands;

import io.slicewise.cli.commands.PlanDraft.Scatter;
import io.slicewise.cli.screens.PlanOutline;
import io.slicewise.evidence.analysis.SwitchedScatter;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.stats.SwitchedPower;
import java.util.Optional;
import java.util.OptionalInt;

/** What the sessions of an experiment can show, next to what trials would need for the same. */
final class PowerOfSessions {
  private PowerOfSessions() {}

  /** Returns nothing for a design of trials, or without a comparison. */
  static Optional<PlanOutline.SessionsPower> of(
      Experiment experiment, Scatter scatter, int comparisons) {
    return comparisons == 0
        ? Optional.empty()
        : experiment.design().map(design -> of(experiment, design, scatter, comparisons));
  }

  private static PlanOutline.SessionsPower of(
      Experiment experiment, SwitchbackDesign design, Scatter scatter, int comparisons) {
    double within =
        scatter
            .switched()
            .map(SwitchedScatter::within)
            .orElse(Math.sqrt(2 * Math.log1p(scatter.cv() * scatter.cv())));
    double between = scatter.switched().map(SwitchedScatter::between).orElse(0.0);
    double smallest =
        new SwitchedPower(design.sessions(), design.blocks(), within, between, comparisons)
            .smallestEffect();
    OptionalInt blocks =
        Double.isNaN(smallest)
            ? OptionalInt.empty()
            : SwitchedPower.blocksOfTrials(smallest, scatter.cv(), comparisons);
    long trials = (long) blocks.orElse(0) * experiment.cells();
    return new PlanOutline.SessionsPower(
        design.sessions(),
        design.blocks(),
        within,
        between,
        smallest,
        blocks,
        trials,
        experiment
            .warmUp()
            .plus(Defaults.MEASURE)
            .plus(experiment.coolDown())
            .multipliedBy(trials));
  }
}
