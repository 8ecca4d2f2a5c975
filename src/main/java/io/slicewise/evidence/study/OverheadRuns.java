package io.slicewise.evidence.study;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.run.LoadedRun;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Runs of the bare machine and of a guest as the data of an overhead study. A block is one boot of
 * each; boots are paired in their order in time.
 *
 * @param notes how the boots were paired, and what is missing
 */
public record OverheadRuns(StudyData data, List<String> notes) {
  public OverheadRuns {
    notes = List.copyOf(notes);
  }

  /**
   * The data of some runs.
   *
   * @param accepted whether the two systems may differ in what a comparison needs to be equal
   * @param alike whether all are boots of one system, the second of each pair in the place of the
   *     other
   * @throws SlicewiseException if a system has no run, or they differ
   */
  public static OverheadRuns of(List<LoadedRun> loaded, boolean accepted, boolean alike) {
    List<OverheadRun> runs =
        loaded.stream()
            .map(OverheadRun::of)
            .sorted(Comparator.comparing(OverheadRun::begun))
            .toList();
    Map<List<String>, List<OverheadRun>> arms = new LinkedHashMap<>();
    runs.forEach(run -> arms.computeIfAbsent(run.arm(), arm -> new ArrayList<>()).add(run));
    List<OverheadArm> pairs =
        arms.values().stream().map(arm -> OverheadArm.of(arm, alike)).toList();
    List<String> differences = distinct(pairs, OverheadArm::differences);
    if (!differences.isEmpty() && !accepted) {
      throw SlicewiseException.input(
          "base and guest differ in more than Xen: " + String.join("; ", differences),
          "measure both alike, or use --accept-differences");
    }
    return paired(pairs, differences, alike);
  }

  private static List<String> distinct(
      List<OverheadArm> arms, Function<OverheadArm, Set<String>> of) {
    return arms.stream().flatMap(arm -> of.apply(arm).stream()).distinct().toList();
  }

  private static OverheadRuns paired(
      List<OverheadArm> arms, List<String> differences, boolean alike) {
    int most = arms.stream().mapToInt(OverheadArm::pairs).max().orElse(0);
    List<Cells> blocks =
        IntStream.range(0, most)
            .mapToObj(at -> joined(arms.stream().map(arm -> arm.block(at)).toList()))
            .toList();
    List<Cells> passes = new ArrayList<>();
    if (most == 1) {
      arms.forEach(arm -> passes.addAll(arm.passes()));
    }
    StudyData data = new StudyData(CellMeans.of(blocks), blocks, passes);
    List<String> notes = new ArrayList<>();
    if (alike) {
      notes.add(falseAlarms(Slowdowns.of(data)));
    }
    arms.forEach(arm -> notes.addAll(arm.notes(arms.size() > 1)));
    if (most == 1) {
      notes.add("one boot of each system: boot and Xen cannot be distinguished");
    }
    if (arms.stream().anyMatch(OverheadArm::reported)) {
      notes.add(
          "user and system time, page faults and waiting for a CPU are PostgreSQL's own, of"
              + " executions after the measured ones");
    }
    differences.forEach(one -> notes.add("accepted difference, base / guest: " + one));
    List<String> others = distinct(arms, OverheadArm::others);
    if (!others.isEmpty()) {
      notes.add("also different, base / guest: " + String.join("; ", others));
    }
    return new OverheadRuns(data, notes);
  }

  /** Both boots of a pair are of one system, so every difference that is shown is a false alarm. */
  private static String falseAlarms(List<Slowdowns> arms) {
    List<String> alarms =
        arms.stream()
            .flatMap(arm -> arm.cases().stream())
            .filter(row -> row.verdict().filter(Verdict::isChange).isPresent())
            .map(Slowdowns.Row::name)
            .toList();
    int cases = arms.stream().mapToInt(arm -> arm.cases().size()).sum();
    return "A/A, boots of one system: false alarms %d of %d%s"
        .formatted(
            alarms.size(),
            cases,
            alarms.isEmpty()
                ? ""
                : " (%s), so the study cannot be trusted".formatted(String.join(", ", alarms)));
  }

  static Cells joined(List<Cells> several) {
    return new Cells(several.stream().flatMap(cells -> cells.all().stream()).toList());
  }

  /** Means of cells over passes or boots. */
  static final class CellMeans {
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
}
