package io.slicewise.evidence.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Means of cells over passes or boots. */
final class CellMeans {
  private record Key(Map<String, String> of, String tier) {}

  private CellMeans() {}

  /** The geometric mean of running times, and the arithmetic mean of all other metrics. */
  static Cells of(List<Cells> several) {
    Map<Key, Map<String, List<Double>>> all = new LinkedHashMap<>();
    for (Cells cells : several) {
      for (StudyCell cell : cells.all()) {
        Map<String, List<Double>> values =
            all.computeIfAbsent(new Key(cell.of(), cell.tier()), key -> new TreeMap<>());
        cell.values()
            .forEach(
                (metric, value) ->
                    values.computeIfAbsent(metric, none -> new ArrayList<>()).add(value));
      }
    }
    List<StudyCell> means = new ArrayList<>();
    all.forEach(
        (key, values) -> {
          Map<String, Double> mean = new TreeMap<>();
          values.forEach((metric, each) -> mean.put(metric, mean(metric, each)));
          means.add(new StudyCell(key.of(), key.tier(), mean));
        });
    return new Cells(means);
  }

  private static double mean(String metric, List<Double> values) {
    return metric.equals(Slowdowns.TIME)
        ? Math.exp(values.stream().mapToDouble(Math::log).average().orElseThrow())
        : values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
