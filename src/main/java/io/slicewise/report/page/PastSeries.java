package io.slicewise.report.page;

import io.slicewise.base.units.EnumName;
import io.slicewise.evidence.analysis.History;
import java.util.List;

/**
 * A metric of one cell over many runs, as the page draws it.
 *
 * @param profile its name
 * @param load as text
 * @param where the host, or what a simulation was computed with
 * @param unit of time: night or run
 * @param runs {@code [value, low, high, trials]} each
 * @param names of the runs
 * @param days when they began
 */
record PastSeries(
    String profile,
    String load,
    String where,
    String unit,
    List<List<Double>> runs,
    List<String> names,
    List<String> days,
    List<Step> steps) {

  /** A change of level between adjacent runs, from {@code index} on. */
  record Step(
      int index, double before, double after, double percent, String verdict, boolean fresh) {}

  static PastSeries of(History.Series series) {
    return new PastSeries(
        series.profile(),
        series.load().text(),
        series.host().name(),
        series.isSimulated() ? "run" : "night",
        series.nights().stream()
            .map(
                night ->
                    List.of(
                        Rounding.exact(night.value()),
                        Rounding.exact(night.low()),
                        Rounding.exact(night.high()),
                        (double) night.n()))
            .toList(),
        series.nights().stream().map(History.Night::run).toList(),
        series.nights().stream().map(night -> night.begun().toString().substring(0, 16)).toList(),
        series.shifts().stream()
            .map(
                shift ->
                    new Step(
                        shift.index(),
                        Rounding.exact(shift.before()),
                        Rounding.exact(shift.after()),
                        Rounding.exact(shift.percent()),
                        EnumName.of(shift.verdict()),
                        shift.fresh()))
            .toList());
  }
}
