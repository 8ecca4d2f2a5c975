package io.slicewise.report;

import io.slicewise.experiment.Axis;
import io.slicewise.experiment.Load;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.report.Table.Column;
import io.slicewise.run.GeneratorResult;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * The table of the generators of a load from other machines: what each of them did, and the worst
 * of its trials.
 */
final class GeneratorTable {
  private GeneratorTable() {}

  /** Returns the table; empty if this machine generated the load alone. */
  static Optional<Table> of(List<TrialResult> results) {
    List<Axis> axes = Axis.of(results.stream().map(result -> result.trial().load()));
    Map<Load, Map<String, List<Share>>> all = new TreeMap<>();
    for (TrialResult result : results) {
      for (GeneratorResult one : result.loaded().generators()) {
        if (one.users() > 0) {
          all.computeIfAbsent(result.trial().load(), none -> new LinkedHashMap<>())
              .computeIfAbsent(one.name(), none -> new ArrayList<>())
              .add(new Share(one, result.window().seconds()));
        }
      }
    }
    List<Row> rows = new ArrayList<>();
    all.forEach(
        (load, names) ->
            names.forEach((name, shares) -> rows.add(new Row(load, name, List.copyOf(shares)))));
    return rows.isEmpty() ? Optional.empty() : Optional.of(table(axes, rows));
  }

  /** What a generator did in a window of that length. */
  private record Share(GeneratorResult result, double seconds) {
    double rate() {
      return result.requests() / seconds;
    }
  }

  /** What a generator did in all trials at a load. */
  private record Row(Load load, String name, List<Share> shares) {}

  private static Table table(List<Axis> axes, List<Row> rows) {
    return TableBuilder.of(rows)
        .load(axes, Row::load)
        .name("generator", Row::name)
        .count("n", row -> row.shares().size())
        .column(
            new Column("its users", "its_users", Table.Type.COUNT),
            row -> new Cell.Count(row.shares().get(0).result().users()))
        .number("requests /s", "requests_per_second", 1, row -> mean(row, Share::rate))
        .number("CPU s", "cpu_seconds", 2, row -> mean(row, one -> health(one).cpuSeconds()))
        .number("busy %", "busy_percent", 0, row -> mean(row, one -> 100 * health(one).busyShare()))
        .number(
            "late ms",
            "lateness_p99_ms",
            1,
            row -> worst(row, one -> health(one).latenessP99Millis()))
        .number(
            "clock ms",
            "clock_offset_ms",
            2,
            row -> mean(row, one -> one.result().clockOffsetMillis()))
        .number(
            "± ms", "clock_bound_ms", 2, row -> worst(row, one -> one.result().clockBoundMillis()))
        .number(
            "drift ms",
            "clock_drift_ms",
            2,
            row -> worst(row, one -> one.result().clockDriftMillis()))
        .table(
            "generators",
            "Load generators: means of trials, and the worst lateness, clock bound and drift");
  }

  private static GeneratorHealth health(Share share) {
    return share.result().health();
  }

  private static double mean(Row row, ToDoubleFunction<Share> value) {
    return known(row, value).average().orElse(Double.NaN);
  }

  /** Returns the value that is farthest from zero, with its sign. */
  private static double worst(Row row, ToDoubleFunction<Share> value) {
    return known(row, value)
        .boxed()
        .reduce((one, other) -> Math.abs(other) > Math.abs(one) ? other : one)
        .orElse(Double.NaN);
  }

  private static DoubleStream known(Row row, ToDoubleFunction<Share> value) {
    return row.shares().stream().mapToDouble(value).filter(Double::isFinite);
  }
}
