package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Holm;
import io.slicewise.stats.power.Resolution;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The A/A control: the baseline, measured a second time as another profile, must not differ from
 * itself. A false alarm is a comparison in the primary metric with p below 0.05, adjusted over the
 * loads by Holm; a valid sweep raises one in at most 5 % of cases.
 *
 * <p>Source: R. Kohavi, D. Tang and Y. Xu, <i>Trustworthy Online Controlled Experiments</i> (2020),
 * chapter 19.
 *
 * @param controls in the primary metric; empty if the experiment has none
 * @param falseAlarms the controls that differ from the baseline
 */
public record ControlCheck(List<Comparison> controls, List<Comparison> falseAlarms) {
  private static final double LEVEL = 0.05;

  public ControlCheck {
    controls = List.copyOf(controls);
    falseAlarms = List.copyOf(falseAlarms);
  }

  /** The result of the controls for the sweep. */
  public enum Outcome {
    /** The experiment has no control with results. */
    NO_CONTROL,
    /** Too few trials to test anything. */
    UNTESTED,
    NO_FALSE_ALARM,
    /** The sweep shows a difference where there is none: its comparisons cannot be trusted. */
    FALSE_ALARM
  }

  /** Judges the controls among these comparisons. */
  public static ControlCheck of(List<Comparison> comparisons, Metric primary) {
    List<Comparison> controls =
        comparisons.stream()
            .filter(comparison -> comparison.kind() == Kind.CONTROL)
            .filter(comparison -> comparison.metric().equals(primary))
            .toList();
    double[] adjusted =
        Holm.adjust(controls.stream().mapToDouble(one -> one.tests().p()).toArray());
    return new ControlCheck(
        controls,
        IntStream.range(0, adjusted.length)
            .filter(i -> adjusted[i] < LEVEL)
            .mapToObj(controls::get)
            .toList());
  }

  /** The result of the controls for the sweep. */
  public Outcome outcome() {
    if (controls.isEmpty()) {
      return Outcome.NO_CONTROL;
    }
    if (controls.stream().allMatch(control -> Double.isNaN(control.tests().p()))) {
      return Outcome.UNTESTED;
    }
    return falseAlarms.isEmpty() ? Outcome.NO_FALSE_ALARM : Outcome.FALSE_ALARM;
  }

  /** Returns the result as a sentence with its numbers. */
  public String sentence() {
    return switch (outcome()) {
      case NO_CONTROL -> "A/A: no control; add one with 'controls' in the experiment";
      case UNTESTED -> "A/A: the control has too few trials";
      case NO_FALSE_ALARM -> "A/A: no false alarm: " + list(controls);
      case FALSE_ALARM ->
          "A/A: FALSE ALARM: "
              + list(falseAlarms)
              + " although the settings are identical; this run's comparisons cannot be trusted";
    };
  }

  private static String list(List<Comparison> comparisons) {
    return comparisons.stream().map(ControlCheck::words).collect(Collectors.joining(", "));
  }

  private static String words(Comparison control) {
    Change change = control.change();
    return Phrase.of(
        "%s %s %s%s",
        control.profile(),
        control.metric().key(),
        Resolution.isTooWide(change.low(), change.high())
            ? Resolution.NONE
            : Phrase.of(
                "%+.1f %% [%s]",
                change.percent(),
                Double.isFinite(change.low())
                    ? Phrase.of("%+.1f, %+.1f", change.low(), change.high())
                    : "–"),
        control.load().at());
  }
}
