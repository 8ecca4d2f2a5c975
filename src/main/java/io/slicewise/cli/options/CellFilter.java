package io.slicewise.cli.options;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selects cells of a run, as {@code users=300}, {@code neighbours=2}, {@code profile=w512}, … */
public record CellFilter(Map<String, Set<String>> wanted) {
  private static final String PROFILE = "profile";
  private static final String DOMAIN = "domain";

  /**
   * Returns the filter that the options describe.
   *
   * @param texts of {@code KEY=VALUE}; of one key any of the values will do
   */
  public static CellFilter of(List<String> texts) {
    Map<String, Set<String>> wanted = new HashMap<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String key = equals < 0 ? text : text.substring(0, equals);
      if (equals < 0 || !keys().containsKey(key)) {
        throw SlicewiseException.input(
            "--where %s must be %s"
                .formatted(
                    text,
                    keys().entrySet().stream()
                        .map(known -> known.getKey() + "=" + known.getValue())
                        .collect(Collectors.joining(", "))
                        .replaceFirst(", (?=domain)", " or ")),
            "as in: --where users=300,profile=w512");
      }
      wanted.computeIfAbsent(key, any -> new HashSet<>()).add(text.substring(equals + 1));
    }
    return new CellFilter(wanted);
  }

  public SweepSummary of(SweepSummary summary) {
    List<CellSummary> cells =
        summary.cells().stream()
            .filter(cell -> takes(cell.load()))
            .filter(
                cell ->
                    takes(PROFILE, cell.profile())
                        || takes(PROFILE, SchedulerProfile.fileName(cell.profile())))
            .map(this::places)
            .toList();
    if (cells.isEmpty()) {
      throw SlicewiseException.input(
          "the run has no cell of " + asked(),
          "it has %s and profiles %s"
              .formatted(
                  loads(summary.cells().stream().map(CellSummary::load).toList()),
                  list(summary.cells().stream().map(CellSummary::profile))));
    }
    return summary.with(cells);
  }

  /** Returns the keys, with what their values are. */
  private static Map<String, String> keys() {
    Map<String, String> keys = new LinkedHashMap<>();
    for (Axis axis : Axis.values()) {
      keys.put(axis.key(), axis.isNumeric() ? "N" : "NAME");
    }
    keys.put(PROFILE, "NAME");
    keys.put(DOMAIN, "NAME");
    return keys;
  }

  private boolean takes(Load load) {
    return Stream.of(Axis.values())
        .allMatch(axis -> takes(axis.key(), load.level(axis).map(Level::text).orElse("")));
  }

  private static String loads(List<Load> loads) {
    return Axis.of(loads.stream()).stream()
        .map(axis -> axis.key() + " " + Axis.list(axis.levels(loads)))
        .collect(Collectors.joining(", "));
  }

  private String asked() {
    return wanted.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + " " + list(entry.getValue().stream().sorted()))
        .collect(Collectors.joining(" and "));
  }

  private static String list(Stream<String> values) {
    return values.distinct().collect(Collectors.joining(", "));
  }

  private CellSummary places(CellSummary cell) {
    return cell.observing(
        cell.observed().stream()
            .map(
                seen ->
                    new ObservedTopic(
                        seen.topic(),
                        seen.places().stream()
                            .filter(place -> takes(DOMAIN, place.place().name()))
                            .toList()))
            .filter(seen -> !seen.places().isEmpty())
            .toList());
  }

  private boolean takes(String key, String value) {
    return !wanted.containsKey(key) || wanted.get(key).contains(value);
  }
}
