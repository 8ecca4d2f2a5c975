package io.slicewise.workload;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.GeneratorSamples;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The mean CPU times that guests reported for the sorts of one label, in milliseconds; {@code NaN}
 * if none did.
 */
record CpuTimes(long sorts, double userMillis, double systemMillis) {
  static final CpuTimes NONE = new CpuTimes(0, Double.NaN, Double.NaN);

  double seconds() {
    return (userMillis + systemMillis) / 1000;
  }

  private CpuTimes with(double user, double system) {
    double before = (double) sorts / (sorts + 1);
    double share = 1.0 / (sorts + 1);
    return sorts == 0
        ? new CpuTimes(1, user, system)
        : new CpuTimes(
            sorts + 1, userMillis * before + user * share, systemMillis * before + system * share);
  }

  /** Returns the times by label, for sorts that ended inside the window. */
  static Map<String, CpuTimes> read(List<GeneratorSamples> samples, Window window) {
    Map<String, CpuTimes> times = new LinkedHashMap<>();
    for (GeneratorSamples file : samples) {
      Window its = file.window(window);
      SampleRows.read(file.path(), row -> add(times, row, its));
    }
    return times;
  }

  private static void add(Map<String, CpuTimes> times, SampleRows.Row row, Window window) {
    if (!row.text(SortSampler.USER).isEmpty() && window.contains(row.ended())) {
      times.merge(
          row.text("label"),
          NONE.with(
              Double.parseDouble(row.text(SortSampler.USER)),
              Double.parseDouble(row.text(SortSampler.SYSTEM))),
          (before, one) -> before.with(one.userMillis, one.systemMillis));
    }
  }
}
