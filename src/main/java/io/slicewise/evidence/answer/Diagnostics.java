package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.SessionEvidence;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Holm;
import io.slicewise.stats.power.Resolution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The checks that a run makes of itself: its A/A controls, drift against run order, and at each
 * load what previous settings leave in windows. They share one error rate of 5 %: Holm over all of
 * them. A check that fails by itself but not among all of them is expected in some clean runs, so
 * it is a note; so are what a previous setting leaves if it is small beside the effect, and drift
 * where trials are in blocks, within which comparisons cancel it.
 *
 * @param alarms checks that refute the run's comparisons, as sentences
 * @param notes the others that found something by themselves, as sentences
 */
public record Diagnostics(List<String> alarms, List<String> notes) {
  private static final double LEVEL = 0.05;

  /** What previous settings leave matters from this part of the effect on. */
  private static final double SMALL = 0.25;

  public Diagnostics {
    alarms = List.copyOf(alarms);
    notes = List.copyOf(notes);
  }

  /**
   * One check.
   *
   * @param p of "nothing is found"; {@code NaN} if not tested
   * @param cancels whether it concerns both sides of a comparison alike
   * @param small whether what is found is small beside the effect
   */
  private record Check(double p, boolean cancels, boolean small, String sentence) {}

  /** Returns these checks with further ones that refute the run's comparisons. */
  public Diagnostics and(List<String> further) {
    return new Diagnostics(Stream.concat(alarms.stream(), further.stream()).toList(), notes);
  }

  /**
   * Returns the checks of a run.
   *
   * @param cancels whether a drift of the host is not in the comparisons
   * @param percent the effect that the run claims; {@code NaN} without one
   */
  public static Diagnostics of(Recommendation facts, boolean cancels, double percent) {
    List<Check> checks = new ArrayList<>();
    checks.add(control(facts.control()));
    facts
        .sessions()
        .ifPresent(
            evidence -> evidence.checks().forEach(one -> checks.add(carryOver(one, percent))));
    checks.add(
        new Check(
            facts.drift().p(),
            cancels,
            false,
            Phrase.of(
                cancels
                    ? "the host drifted during the run (p %.3f): intervals may be too narrow"
                    : "the host drifted during the run (p %.3f), which this order of trials cannot"
                        + " distinguish from an effect: measure with 'order: blocks'",
                facts.drift().p())));
    double[] adjusted = Holm.adjust(checks.stream().mapToDouble(Check::p).toArray());
    List<String> alarms = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < adjusted.length; i++) {
      Check check = checks.get(i);
      boolean found = adjusted[i] < LEVEL;
      if (found && !check.small() && !check.cancels()) {
        alarms.add(check.sentence());
      } else if (check.p() < LEVEL) {
        notes.add(
            check.sentence()
                + (!found
                    ? Phrase.of("; expected by chance among %d checks", checks.size())
                    : check.small() ? "; small beside the effect" : ""));
      }
    }
    facts.sessions().ifPresent(evidence -> notes.addAll(evidence.tooNarrow()));
    return new Diagnostics(alarms, notes);
  }

  private static Check control(ControlCheck control) {
    double[] adjusted =
        Holm.adjust(control.controls().stream().mapToDouble(one -> one.tests().p()).toArray());
    double least = Arrays.stream(adjusted).filter(Double::isFinite).min().orElse(Double.NaN);
    return new Check(
        least,
        false,
        false,
        "the baseline measured twice differs from itself: " + differs(control));
  }

  private static String differs(ControlCheck control) {
    return control.controls().stream()
        .map(one -> one.profile() + one.load().at() + by(one.change()))
        .collect(Collectors.joining(", "));
  }

  private static String by(Change change) {
    return Resolution.isTooWide(change.low(), change.high())
        ? ", " + Resolution.NONE
        : Phrase.of(" by %+.1f %% [%+.1f, %+.1f]", change.percent(), change.low(), change.high());
  }

  private static Check carryOver(SessionEvidence.Check one, double percent) {
    return new Check(
        one.washOutP(),
        false,
        100 * one.carriedOver() < SMALL * Math.abs(percent),
        one.load().text() + ": " + one.washOutSentence());
  }
}
