package io.slicewise.report;

import io.slicewise.experiment.Load;
import io.slicewise.report.Table.Column;
import io.slicewise.run.GeneratorResult;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The table of the generators of a load from other machines: what each of them did, and the worst
 * of its trials.
 */
final class GeneratorTable {
  private static final List<Column> COLUMNS =
      List.of(
          Column.name("generator"),
          Column.count("n"),
          new Column("its users", "its_users", Table.Type.COUNT),
          Column.number("requests /s", "requests_per_second"),
          Column.number("CPU s", "cpu_seconds"),
          Column.number("busy %", "busy_percent"),
          Column.number("late ms", "lateness_p99_ms"),
          Column.number("clock ms", "clock_offset_ms"),
          Column.number("± ms", "clock_bound_ms"),
          Column.number("drift ms", "clock_drift_ms"));

  private GeneratorTable() {}

  /** Returns the table; empty if this machine generated the load alone. */
  static Optional<Table> of(List<TrialResult> results) {
    LoadAxes axes = LoadAxes.of(results.stream().map(result -> result.trial().load()));
    Map<Load, Map<String, List<Share>>> all = new LinkedHashMap<>();
    for (TrialResult result : results) {
      for (GeneratorResult one : result.loaded().generators()) {
        if (one.users() > 0) {
          all.computeIfAbsent(result.trial().load(), none -> new LinkedHashMap<>())
              .computeIfAbsent(one.name(), none -> new ArrayList<>())
              .add(new Share(one, result.window().seconds()));
        }
      }
    }
    List<List<Cell>> rows = new ArrayList<>();
    all.keySet().stream()
        .sorted()
        .forEach(
            load ->
                all.get(load).forEach((name, shares) -> rows.add(row(axes, load, name, shares))));
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Table(
                "generators",
                "Load generators: means of trials, and the worst lateness, clock bound and drift",
                Stream.concat(CellColumns.load(axes).stream(), COLUMNS.stream()).toList(),
                rows));
  }

  /** What a generator did in a window of that length. */
  private record Share(GeneratorResult result, double seconds) {}

  private static List<Cell> row(LoadAxes axes, Load load, String name, List<Share> shares) {
    List<Cell> row = CellColumns.load(axes, load);
    row.addAll(
        List.of(
            new Cell.Text(name),
            new Cell.Count(shares.size()),
            new Cell.Count(shares.get(0).result().users()),
            mean(shares, 1, share -> share.result().requests() / share.seconds()),
            mean(shares, 2, share -> share.result().health().cpuSeconds()),
            mean(shares, 0, share -> 100 * share.result().health().busyShare()),
            worst(shares, 1, share -> share.result().health().latenessP99Millis()),
            mean(shares, 2, share -> share.result().clockOffsetMillis()),
            worst(shares, 2, share -> share.result().clockBoundMillis()),
            worst(shares, 2, share -> share.result().clockDriftMillis())));
    return row;
  }

  private static Cell mean(List<Share> shares, int digits, ToDoubleFunction<Share> value) {
    return new Cell.Fixed(known(shares, value).average().orElse(Double.NaN), digits);
  }

  /** Returns the value that is farthest from zero, with its sign. */
  private static Cell worst(List<Share> shares, int digits, ToDoubleFunction<Share> value) {
    return new Cell.Fixed(
        known(shares, value)
            .boxed()
            .reduce((one, other) -> Math.abs(other) > Math.abs(one) ? other : one)
            .orElse(Double.NaN),
        digits);
  }

  private static DoubleStream known(List<Share> shares, ToDoubleFunction<Share> value) {
    return shares.stream().mapToDouble(value).filter(Double::isFinite);
  }
}
