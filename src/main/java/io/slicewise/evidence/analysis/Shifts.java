package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.History.Night;
import io.slicewise.evidence.analysis.History.Shift;
import io.slicewise.stats.Band;
import io.slicewise.stats.ChangePoints;
import io.slicewise.stats.ChangePoints.Change;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The shifts of one series: changes of its logarithms, since effects are ratios. A shift is fresh
 * if no series that ended on an earlier night showed a change near its place, so that a nightly job
 * reports it once without keeping state.
 */
final class Shifts {
  private static final long SEED = 1;

  private final List<Night> nights;
  private final Metric metric;
  private final Band band;
  private final double level;
  private final double[] logs;

  Shifts(List<Night> nights, Metric metric, Band band, double level) {
    this.nights = nights;
    this.metric = metric;
    this.band = band;
    this.level = level;
    this.logs = nights.stream().mapToDouble(night -> Math.log(night.value())).toArray();
  }

  List<Shift> all() {
    List<Change> changes = ChangePoints.of(logs, level, SEED);
    List<Shift> shifts = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      int start = i == 0 ? 0 : changes.get(i - 1).index();
      int end = i + 1 < changes.size() ? changes.get(i + 1).index() : logs.length;
      shifts.add(shift(changes.get(i), start, end));
    }
    return shifts;
  }

  private Shift shift(Change change, int start, int end) {
    double before = mean(start, change.index());
    double after = mean(change.index(), end);
    return new Shift(
        change.index(),
        nights.get(change.index()).run(),
        Math.exp(before),
        Math.exp(after),
        100 * Math.expm1(after - before),
        change.p(),
        verdict(after - before),
        isFresh(change.index()));
  }

  private double mean(int from, int to) {
    return Arrays.stream(logs, from, to).average().orElse(Double.NaN);
  }

  private Verdict verdict(double logRatio) {
    if (logRatio >= band.low() && logRatio <= band.high()) {
      return Verdict.SAME;
    }
    return logRatio > 0 == metric.moreIsBetter() ? Verdict.BETTER : Verdict.WORSE;
  }

  private boolean isFresh(int index) {
    int first = Math.max(ChangePoints.FEWEST, index + 1);
    for (int length = first; length < logs.length; length++) {
      boolean shown =
          ChangePoints.of(Arrays.copyOf(logs, length), level, SEED).stream()
              .anyMatch(change -> Math.abs(change.index() - index) < ChangePoints.SEGMENT);
      if (shown) {
        return false;
      }
    }
    return true;
  }
}
