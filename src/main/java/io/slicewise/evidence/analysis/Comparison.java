package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.experiment.load.Load;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Verdict;
import java.util.OptionalInt;

/**
 * One profile compared with the baseline, at one load, in one metric.
 *
 * @param change with its 95 % interval
 * @param moreBlocks blocks needed to decide an unclear verdict, or sessions if they are its basis;
 *     empty if decided, or undecidable even with 1,000
 */
public record Comparison(
    String profile,
    @JsonUnwrapped Load load,
    Metric metric,
    Kind kind,
    @JsonUnwrapped Means means,
    @JsonUnwrapped Effect.Change change,
    @JsonUnwrapped Tests tests,
    Verdict verdict,
    OptionalInt moreBlocks) {

  /**
   * What is compared: geometric means, in the metric's unit, of the trials that were compared.
   *
   * @param basis of the interval
   * @param after of the profile: in blocks of those in which both have a valid trial, so that it
   *     agrees with the change
   * @param before of the baseline
   * @param coarse whether all trials of a side agree: variation below the metric's resolution, a
   *     millisecond or a request in the window, is invisible, and interval, p and verdict allow for
   *     it
   * @param effect the ratio of both
   */
  public record Means(
      Basis basis,
      @JsonProperty("mean") double after,
      @JsonProperty("baselineMean") double before,
      boolean coarse,
      Effect effect) {}

  /**
   * The p-values.
   *
   * @param p two-sided, of "no change"
   * @param adjustedP by Holm over the family; {@code NaN} outside the family
   * @param equivalenceP of "outside the band"
   * @param adjustedEquivalenceP likewise by Holm over the family; {@code NaN} outside the family
   * @param rankP Mann–Whitney's p as a warning in addition to Welch; {@code NaN} in blocks and for
   *     too few trials to reach 5 %
   */
  public record Tests(
      double p, double adjustedP, double equivalenceP, double adjustedEquivalenceP, double rankP) {}

  /** Returns whether the two were compared within blocks; otherwise across them (Welch). */
  @JsonProperty
  public boolean blocked() {
    return means.basis().isBlocked();
  }

  /** Returns a copy with a verdict that no more blocks would change. */
  public Comparison judged(Verdict decided) {
    return new Comparison(
        profile, load, metric, kind, means, change, tests, decided, OptionalInt.empty());
  }

  /** The role of a comparison. */
  public enum Kind {
    /** A member of Holm's family: a profile in the primary metric at a load. */
    PRIMARY,
    /** Another metric; its p is not adjusted and its verdict is exploratory. */
    EXPLORATORY,
    /** The baseline against itself; any difference is a false alarm. */
    CONTROL
  }
}
