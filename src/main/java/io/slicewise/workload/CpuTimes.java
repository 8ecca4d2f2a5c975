package io.slicewise.workload;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.SampleCount;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
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
      for (Sort sort : file.count(new Sorts(file.window(window))).all()) {
        times.merge(
            sort.label(),
            NONE.with(sort.userMillis(), sort.systemMillis()),
            (before, one) -> before.with(one.userMillis, one.systemMillis));
      }
    }
    return times;
  }

  private record Sort(String label, double userMillis, double systemMillis)
      implements Serializable {}

  private record SortList(List<Sort> all) implements Serializable {}

  /** The sorts of one file that ended inside the window. */
  private record Sorts(Window window) implements SampleCount<SortList> {
    @Override
    public SortList of(Path samples) {
      List<Sort> sorts = new ArrayList<>();
      SampleRows.read(
          samples,
          row -> {
            if (!row.text(SortSampler.USER).isEmpty() && window.contains(row.ended())) {
              sorts.add(
                  new Sort(
                      row.text("label"),
                      Double.parseDouble(row.text(SortSampler.USER)),
                      Double.parseDouble(row.text(SortSampler.SYSTEM))));
            }
          });
      return new SortList(sorts);
    }

    @Override
    public Class<SortList> type() {
      return SortList.class;
    }
  }
}
