package io.slicewise.run.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.PercentText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.stats.ConfidenceSequence;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.power.SteinTwoStage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * The precision of each cell of a sweep, by the rule of its {@code stop}: on logarithms, so that a
 * precision of 3 % is a half-width of ln 1.03 fixed beforehand, as Stein's procedure requires. The
 * metric is the 95th percentile of response times if every valid trial of the first stage has it,
 * otherwise their mean.
 *
 * @param metric {@code p95} or {@code mean}
 * @param cells by load, then in the experiment's order of profiles
 */
public record Precision(Stop stop, String metric, List<Cell> cells) {
  private static final double CONFIDENCE = 0.95;
  private static final int FEWEST = 2;

  public Precision {
    cells = List.copyOf(cells);
  }

  /**
   * The precision of one cell.
   *
   * @param estimate geometric mean with the rule's interval, in ms; without one while it cannot be
   *     computed
   * @param needed total number of trials, from the first stage; empty if unknown, and for rules
   *     that do not determine it beforehand
   * @param precise whether the interval is as narrow as requested
   */
  public record Cell(
      String profile,
      @JsonUnwrapped Load load,
      Estimate estimate,
      OptionalInt needed,
      boolean precise) {
    /** Whether no attempt of any of its trials was valid, so that waiting for it is pointless. */
    public boolean hopeless() {
      return estimate.n() == 0;
    }
  }

  /**
   * The precision after these trials.
   *
   * @throws java.util.NoSuchElementException if the experiment has no {@code stop}
   */
  public static Precision of(Experiment experiment, List<TrialResult> results) {
    return after(experiment, results.stream().map(Measured::of).toList());
  }

  /** Returns the precision after these trials. */
  public static Precision after(Experiment experiment, List<Measured> trials) {
    List<Measured> valid =
        trials.stream()
            .filter(Measured::valid)
            .sorted(Comparator.comparingInt(one -> one.trial().number()))
            .toList();
    boolean p95 =
        valid.stream()
            .filter(one -> one.trial().block() <= experiment.repetitions())
            .noneMatch(one -> Double.isNaN(one.value("p95")));
    Judge judge =
        new Judge(
            experiment.stop().orElseThrow(),
            experiment.repetitions(),
            one -> one.value(p95 ? "p95" : "mean"));
    List<Cell> cells = new ArrayList<>();
    for (Load load : experiment.loads()) {
      for (SchedulerProfile profile : experiment.profiles()) {
        cells.add(
            judge.cell(
                profile.name(),
                load,
                valid.stream()
                    .filter(one -> one.trial().load().equals(load))
                    .filter(one -> one.trial().profile().equals(profile.name()))
                    .toList()));
      }
    }
    return new Precision(experiment.stop().orElseThrow(), p95 ? "p95" : "mean", cells);
  }

  /** The number of cells with the requested precision. */
  public int precise() {
    return (int) cells.stream().filter(Cell::precise).count();
  }

  /** Whether further blocks would not make another cell precise. */
  public boolean enough() {
    return cells.stream().allMatch(cell -> cell.precise() || cell.hopeless());
  }

  /** {@code 9 of 36 cells (p95 to +-3%)}. */
  public String text() {
    return "%s of %s cells (%s to +-%s)"
        .formatted(precise(), cells.size(), metric, PercentText.of(stop.precision()));
  }

  /** A rule, applied to each cell. */
  private record Judge(Stop stop, int firstStage, ToDoubleFunction<Measured> metric) {
    Cell cell(String profile, Load load, List<Measured> trials) {
      double[] logs = logs(trials);
      if (logs.length < FEWEST) {
        Estimate none =
            new Estimate(
                logs.length == 0 ? Double.NaN : Math.exp(logs[0]),
                Double.NaN,
                logs.length,
                Double.NaN,
                Double.NaN,
                CONFIDENCE);
        return new Cell(profile, load, none, OptionalInt.empty(), false);
      }
      return switch (stop.rule()) {
        case TWO_STAGE -> twoStage(profile, load, trials, logs);
        case ALWAYS_VALID -> alwaysValid(profile, load, logs);
      };
    }

    private Cell twoStage(String profile, Load load, List<Measured> trials, double[] logs) {
      double[] first =
          logs(trials.stream().filter(one -> one.trial().block() <= firstStage).toList());
      // A first stage with too few valid trials continues until there are two.
      SteinTwoStage stein =
          SteinTwoStage.after(
              CONFIDENCE, first.length < FEWEST ? Arrays.copyOf(logs, FEWEST) : first);
      int needed = stein.total(Math.log1p(stop.precision()));
      return new Cell(
          profile,
          load,
          fromLogs(stein.interval(logs)),
          OptionalInt.of(needed),
          logs.length >= needed);
    }

    private Cell alwaysValid(String profile, Load load, double[] logs) {
      Estimate estimate = ConfidenceSequence.narrowestAt(stop.trials(), CONFIDENCE).of(logs);
      return new Cell(
          profile,
          load,
          fromLogs(estimate),
          OptionalInt.empty(),
          estimate.halfWidth() <= Math.log1p(stop.precision()));
    }

    private double[] logs(List<Measured> trials) {
      return trials.stream().mapToDouble(metric).filter(x -> x > 0).map(Math::log).toArray();
    }

    private static Estimate fromLogs(Estimate logs) {
      return new Estimate(
          Math.exp(logs.mean()),
          Math.expm1(logs.deviation()),
          logs.n(),
          Math.exp(logs.low()),
          Math.exp(logs.high()),
          logs.confidence());
    }
  }
}
