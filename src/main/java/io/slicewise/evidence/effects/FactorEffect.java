package io.slicewise.evidence.effects;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.load.Load;
import io.slicewise.stats.Effect;

/**
 * What a factor does at one load, in one metric: a ratio between the means of its levels, or for an
 * interaction, a ratio of such ratios.
 *
 * @param basis of the interval
 * @param effect with its interval and p
 * @param adjustedP by Holm over all effects at all loads in the primary metric; {@code NaN} in
 *     another metric
 */
public record FactorEffect(
    @JsonUnwrapped Load load,
    Metric metric,
    @JsonUnwrapped Name name,
    Basis basis,
    @JsonIgnore Effect effect,
    double adjustedP) {
  private static final double CONFIDENCE = 0.95;
  private static final double LEVEL = 0.05;

  /** How sure it is that there is an effect. */
  public enum Grade {
    /** Its adjusted p is below 5 %. */
    SHOWN("shown"),
    NOT_SHOWN("not shown"),
    /** It is of another metric, whose p is not adjusted. */
    EXPLORATORY("exploratory"),
    /** There are too few blocks or trials for an interval. */
    UNKNOWN("no interval");

    private final String words;

    Grade(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /**
   * What an effect is of.
   *
   * @param factor {@code weight}, or {@code weight x cap} for an interaction
   * @param levels {@code 256 -> 512}, or {@code 512, 50}: those of an interaction that are not the
   *     first ones
   * @param aliases effects that the cells cannot distinguish from it; empty without any
   */
  public record Name(String factor, String levels, boolean interaction, String aliases) {
    /** Returns the whole name with its aliases, on one line. */
    public String text() {
      return "%s %s%s"
          .formatted(factor, levels, aliases.isEmpty() ? "" : " (aliased with " + aliases + ")");
    }
  }

  @JsonProperty
  public double percent() {
    return effect.percent();
  }

  /** Returns the lower end of the 95 % interval in percent; {@code NaN} without one. */
  @JsonProperty
  public double low() {
    return effect.lowPercent(CONFIDENCE);
  }

  /** Returns the upper end of the 95 % interval in percent. */
  @JsonProperty
  public double high() {
    return effect.highPercent(CONFIDENCE);
  }

  @JsonProperty
  public double p() {
    return effect.pValue();
  }

  /** Returns the degrees of freedom of the interval; {@code NaN} without one. */
  @JsonProperty
  public double degreesOfFreedom() {
    return Double.isNaN(p()) ? Double.NaN : effect.degreesOfFreedom();
  }

  /** Returns the number of blocks, sessions or trials that the interval is over. */
  @JsonProperty
  public int n() {
    return effect.n();
  }

  @JsonProperty
  public Grade grade() {
    if (Double.isNaN(p())) {
      return Grade.UNKNOWN;
    }
    return Double.isNaN(adjustedP)
        ? Grade.EXPLORATORY
        : adjustedP < LEVEL ? Grade.SHOWN : Grade.NOT_SHOWN;
  }

  FactorEffect adjusted(double p) {
    return new FactorEffect(load, metric, name, basis, effect, p);
  }
}
