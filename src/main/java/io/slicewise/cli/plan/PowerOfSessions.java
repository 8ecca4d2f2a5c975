package io.slicewise.cli.plan;

import io.slicewise.base.units.Window;
import io.slicewise.cli.plan.PlanDraft.Scatter;
import io.slicewise.evidence.findings.SwitchedScatter;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.stats.power.CoinPower;
import io.slicewise.stats.power.DesignPower;
import io.slicewise.stats.power.SwitchedPower;
import io.slicewise.tune.course.PoolMaker;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What the sessions of an experiment can show, next to what trials would need for the same. */
final class PowerOfSessions {
  /** The time that another layout may take, as a multiple of the planned one. */
  private static final double LONGER = 1.1;

  /** The share of the smallest change that makes another layout worth a line. */
  private static final double CLEARLY = 0.7;

  /** The fewest blocks that show how much a session scatters. */
  private static final int FEWEST_BLOCKS = 3;

  /** Pairs that are drawn where none were measured. */
  private static final int NORMAL_PAIRS = 400;

  private PowerOfSessions() {}

  /** Returns nothing for a design of trials, or without a comparison. */
  static Optional<PlanOutline.SessionsPower> of(
      Experiment experiment, Scatter scatter, int comparisons) {
    return comparisons == 0 || experiment.pairs().isPresent()
        ? Optional.empty()
        : experiment
            .design()
            .map(
                design -> {
                  SwitchedPower power =
                      power(design.sessions(), design.blocks(), scatter, comparisons);
                  return of(experiment, power, scatter, sharper(experiment, design, power));
                });
  }

  /** What one confirmation of a tune can show. */
  static PlanOutline.Power ofConfirmation(Experiment experiment, Scatter scatter) {
    int blocks = PoolMaker.blocksOfConfirmation(experiment);
    DesignPower trials = new DesignPower(blocks, scatter.cv(), 1);
    return new PlanOutline.Power(
        scatter,
        blocks,
        1,
        trials.smallestEffect(),
        blocks,
        trials.smallestEffect(),
        trials.restsOnNormality(),
        experiment
            .design()
            .map(design -> of(experiment, power(1, blocks, scatter, 1), scatter, Optional.empty())),
        Optional.empty());
  }

  /** Returns what pairs can show; empty for other designs. */
  static Optional<PlanOutline.PairsPower> ofPairs(
      Experiment experiment, Scatter scatter, int comparisons) {
    if (experiment.pairs().isEmpty()) {
      return Optional.empty();
    }
    List<Double> seen =
        scatter
            .switched()
            .map(SwitchedScatter::residuals)
            .filter(all -> all.size() > 1)
            .orElse(List.of());
    double within = within(scatter);
    Random normal = new Random(1);
    double[] pairs =
        seen.isEmpty()
            ? normal.doubles(NORMAL_PAIRS).map(any -> within * normal.nextGaussian()).toArray()
            : seen.stream().mapToDouble(Double::doubleValue).toArray();
    CoinPower power = new CoinPower(PairedStudy.LEVEL / Math.max(1, comparisons), pairs);
    Duration pair = Plan.trialTime(experiment).multipliedBy(2L * Math.max(1, comparisons));
    return Optional.of(
        new PlanOutline.PairsPower(
            within,
            DoubleStream.of(0.03, 0.05, 0.1)
                .mapToObj(
                    change -> {
                      OptionalInt needed = power.pairs(change);
                      return new PlanOutline.PairsPower.Needed(
                          change, needed, pair.multipliedBy(needed.orElse(0)));
                    })
                .toList()));
  }

  /** Returns the deviation of the log ratio of two windows. */
  private static double within(Scatter scatter) {
    return scatter
        .switched()
        .map(SwitchedScatter::within)
        .orElse(Math.sqrt(2 * Math.log1p(scatter.cv() * scatter.cv())));
  }

  private static SwitchedPower power(int sessions, int blocks, Scatter scatter, int comparisons) {
    double within = within(scatter);
    double between = scatter.switched().map(SwitchedScatter::between).orElse(0.0);
    return new SwitchedPower(sessions, blocks, within, between, comparisons);
  }

  private static PlanOutline.SessionsPower of(
      Experiment experiment,
      SwitchedPower power,
      Scatter scatter,
      Optional<PlanOutline.Layout> sharper) {
    double smallest = power.smallestEffect();
    OptionalInt blocks =
        Double.isNaN(smallest)
            ? OptionalInt.empty()
            : SwitchedPower.blocksOfTrials(smallest, scatter.cv(), power.comparisons());
    int cells =
        experiment.tuning().isPresent() ? 2 * experiment.loads().size() : experiment.cells();
    long trials = (long) blocks.orElse(0) * cells;
    return new PlanOutline.SessionsPower(
        power.sessions(),
        power.blocks(),
        power.within(),
        power.between(),
        smallest,
        blocks,
        trials,
        experiment.warmUp().plus(Defaults.MEASURE).plus(experiment.coolDown()).multipliedBy(trials),
        sharper);
  }

  /** More sessions of fewer blocks: a session is what the degrees of freedom count. */
  private static Optional<PlanOutline.Layout> sharper(
      Experiment experiment, SessionDesign design, SwitchedPower power) {
    double window = Window.seconds(design.window()) * experiment.profiles().size();
    double start = Window.seconds(experiment.warmUp());
    double longest = LONGER * design.sessions() * (start + design.blocks() * window);
    return IntStream.rangeClosed(design.sessions() + 1, 2 * design.sessions())
        .mapToObj(sessions -> layout(sessions, (longest / sessions - start) / window, power))
        .filter(one -> one.blocks() >= FEWEST_BLOCKS)
        .filter(one -> one.smallestEffect() < CLEARLY * power.smallestEffect())
        .min(Comparator.comparingDouble(PlanOutline.Layout::smallestEffect));
  }

  private static PlanOutline.Layout layout(int sessions, double blocks, SwitchedPower power) {
    int whole = (int) blocks;
    return new PlanOutline.Layout(
        sessions,
        whole,
        whole < FEWEST_BLOCKS
            ? Double.NaN
            : new SwitchedPower(
                    sessions, whole, power.within(), power.between(), power.comparisons())
                .smallestEffect());
  }
}
