package io.slicewise.cli.options;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.profile.SchedulerProfile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selects cells of a run, as {@code users=300}, {@code neighbours=2}, {@code profile=w512}, … */
public record CellFilter(Map<String, Set<String>> wanted) {
  private static final Set<String> KEYS = Set.of("users", "neighbours", "profile", "domain");

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
      if (equals < 0 || !KEYS.contains(key)) {
        throw SlicewiseException.input(
            "--where " + text + " must be users=N, neighbours=N, profile=NAME or domain=NAME",
            "as in: --where users=300,profile=w512");
      }
      wanted.computeIfAbsent(key, any -> new HashSet<>()).add(text.substring(equals + 1));
    }
    return new CellFilter(wanted);
  }

  public SweepSummary of(SweepSummary summary) {
    List<CellSummary> cells =
        summary.cells().stream()
            .filter(cell -> takes("users", String.valueOf(cell.load().users())))
            .filter(cell -> takes("neighbours", neighbours(cell)))
            .filter(
                cell ->
                    takes("profile", cell.profile())
                        || takes("profile", SchedulerProfile.fileName(cell.profile())))
            .map(this::places)
            .toList();
    if (cells.isEmpty()) {
      throw SlicewiseException.input(
          "the run has no cell of " + asked(),
          "it has users %s%s and profiles %s"
              .formatted(
                  list(summary.cells().stream().map(cell -> String.valueOf(cell.load().users()))),
                  neighboursText(list(summary.cells().stream().map(CellFilter::neighbours))),
                  list(summary.cells().stream().map(CellSummary::profile))));
    }
    return summary.with(cells);
  }

  private static String neighbours(CellSummary cell) {
    OptionalInt neighbours = cell.load().neighbours();
    return neighbours.isPresent() ? String.valueOf(neighbours.getAsInt()) : "";
  }

  private static String neighboursText(String neighbours) {
    return neighbours.isEmpty() ? "" : ", neighbours " + neighbours;
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
                            .filter(place -> takes("domain", place.place().name()))
                            .toList()))
            .filter(seen -> !seen.places().isEmpty())
            .toList());
  }

  private boolean takes(String key, String value) {
    return !wanted.containsKey(key) || wanted.get(key).contains(value);
  }
}
