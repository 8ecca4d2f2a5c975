package io.slicewise.report.table;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.runs.UnitTime;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.power.Resolution;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.Collectors;

/** Formats changes, values and verdicts alike on all screens and pages. */
public final class ChangeText {
  private static final double LEAST_P = 0.001;

  private static final String STAYING = "assuming the same effect and variance";

  private ChangeText() {}

  /** {@code p95 231 -> 188 ms, -18.6 % [-22.0, -15.1]}. */
  public static String sentence(Comparison comparison) {
    Metric metric = comparison.metric();
    return "%s %s -> %s, %s"
        .formatted(
            metric.key(),
            number(metric, comparison.means().before()),
            value(metric, comparison.means().after()),
            change(comparison.change()));
  }

  /** Returns {@code -18.6 % [-22.0, -15.1]}; a dash if there is no interval. */
  public static String change(Change change) {
    return Resolution.isTooWide(change.low(), change.high())
        ? Resolution.NONE
        : "%s [%s, %s]"
            .formatted(
                percent(change.percent()),
                NumberText.signed(change.low()),
                NumberText.signed(change.high()));
  }

  /** Returns the same without the percent sign, and a dash if the change is not known. */
  public static String numbersIfKnown(Change change) {
    return Double.isFinite(change.percent()) ? numbers(change) : NumberText.UNKNOWN;
  }

  /** Returns the same without the percent sign: {@code -18.6 [-22.0, -15.1]}. */
  public static String numbers(Change change) {
    return Resolution.isTooWide(change.low(), change.high())
        ? Resolution.NONE_SHORT
        : "%s [%s, %s]"
            .formatted(
                NumberText.signed(change.percent()),
                NumberText.signed(change.low()),
                NumberText.signed(change.high()));
  }

  public static String percent(double percent) {
    return Double.isFinite(percent) ? NumberText.signed(percent) + " %" : NumberText.UNKNOWN;
  }

  /** {@code 188 ms}, {@code 412.0 /s}; errors in percent. */
  public static String value(Metric metric, double value) {
    return metric.equals(Metric.ERRORS)
        ? NumberText.fixed(100 * value, 2) + " %"
        : (number(metric, value) + " " + metric.unit()).strip();
  }

  /** Formats in the metric's unit; an outcome, whose size is anybody's, with three figures. */
  public static String number(Metric metric, double value) {
    return metric.unit().isEmpty() && Double.isFinite(value) && Math.abs(value) < 100
        ? new BigDecimal(value, new MathContext(3)).toPlainString()
        : NumberText.of(value);
  }

  public static String p(double p) {
    return Double.isNaN(p) ? NumberText.UNKNOWN : p < LEAST_P ? "<0.001" : Phrase.of("%.3f", p);
  }

  /** Returns the verdict, in capitals if it is shown and in lower case if not. */
  public static String verdict(Verdict verdict) {
    return switch (verdict) {
      case BETTER -> "BETTER";
      case WORSE -> "WORSE";
      case SAME -> "same";
      case UNCLEAR -> "unclear";
    };
  }

  /** Returns the outcome of a guard, in capitals if it is broken. */
  public static String guard(Guard.Outcome outcome) {
    return switch (outcome) {
      case HOLDS -> "guard met";
      case BROKEN -> "GUARD BROKEN";
      case UNCLEAR -> "guard unclear";
    };
  }

  /** {@code errors 0.62 % [0.55, 0.69], 0.5 % allowed}. */
  public static String errors(ErrorGuard.Judged errors) {
    return Phrase.of(
        "errors %s [%s, %s], %s %% allowed",
        value(Metric.ERRORS, errors.now().mean()),
        NumberText.fixed(100 * errors.now().low(), 2),
        NumberText.fixed(100 * errors.now().high(), 2),
        NumberText.plain(100 * errors.limit()));
  }

  /** Returns what would decide an unclear comparison. */
  public static String decides(Comparison comparison, UnitTime times) {
    Basis basis = comparison.means().basis();
    if (!Double.isFinite(comparison.change().low())) {
      return "one %s gives no variance; run at least one more".formatted(basis.unit());
    }
    if (comparison.moreBlocks().isEmpty()) {
      return "undecidable even with 1,000 %ss, %s".formatted(basis.unit(), STAYING);
    }
    int more = comparison.moreBlocks().getAsInt();
    return Phrase.of(
        "%d more %s of %s (%s) would decide %s",
        more,
        Plural.noun(more, basis.unit()),
        basis.isSwitched() ? "all cells at this load" : "both cells",
        DurationText.spaced(times.of(basis, more)),
        STAYING);
  }

  /** Returns the heading of the baseline's values. */
  public static String before(String baseline) {
    return baseline.equals(SchedulerProfile.AS_FOUND.name()) ? "as found" : "baseline";
  }

  /** Returns {@code 25, 50 users}, or each load in full if neighbours or parts are swept. */
  public static String loads(List<Load> loads) {
    if (Load.areNone(loads)) {
      return Load.NONE;
    }
    return loads.stream().allMatch(load -> load.levels().size() == 1)
        ? Load.span(loads)
        : loads.stream().map(Load::text).collect(Collectors.joining(", "));
  }
}
