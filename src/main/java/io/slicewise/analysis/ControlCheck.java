package io.slicewise.analysis;

import io.slicewise.analysis.Comparison.Kind;
import io.slicewise.stats.Holm;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The A/A control: the baseline, measured once more as if it were another profile, must not differ
 * from itself. A false alarm is a comparison in the primary metric whose p, adjusted over the loads
 * by Holm, is below 0.05; a sound sweep raises one in at most one of twenty cases.
 *
 * <p>Source: R. Kohavi, D. Tang and Y. Xu, <i>Trustworthy Online Controlled Experiments</i> (2020),
 * chapter 19.
 *
 * @param controls in the primary metric; empty when the experiment has none
 * @param falseAlarms those of them that differ from themselves
 */
public record ControlCheck(List<Comparison> controls, List<Comparison> falseAlarms) {
  private static final double LEVEL = 0.05;

  public ControlCheck {
    controls = List.copyOf(controls);
    falseAlarms = List.copyOf(falseAlarms);
  }

  /** Judges the controls among these comparisons. */
  public static ControlCheck of(List<Comparison> comparisons, Metric primary) {
    List<Comparison> controls =
        comparisons.stream()
            .filter(comparison -> comparison.kind() == Kind.CONTROL)
            .filter(comparison -> comparison.metric() == primary)
            .toList();
    double[] adjusted = Holm.adjust(controls.stream().mapToDouble(Comparison::p).toArray());
    return new ControlCheck(
        controls,
        IntStream.range(0, adjusted.length)
            .filter(i -> adjusted[i] < LEVEL)
            .mapToObj(controls::get)
            .toList());
  }
}
