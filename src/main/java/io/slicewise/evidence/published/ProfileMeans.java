package io.slicewise.evidence.published;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.published.CsvFile.Line;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Means and deviations of one metric by profile and load, from a table with the columns profile,
 * users, metric, mean and stddev. Other columns are ignored, and rows without a mean are skipped.
 *
 * @param metric as the table writes it
 * @param loads by number of users, the profiles in the order of the table
 */
public record ProfileMeans(String metric, Map<Integer, List<Row>> loads) {
  private static final List<String> COLUMNS =
      List.of("profile", "users", "metric", "mean", "stddev");
  private static final int MOST_FAULTS = 10;
  private static final String USUAL_METRIC = "throughput";

  public ProfileMeans {
    loads = new TreeMap<>(loads);
  }

  /**
   * One profile at one load.
   *
   * @param deviation between trials; {@code NaN} if the table has none
   */
  public record Row(String profile, double mean, double deviation) {}

  /**
   * Reads a table.
   *
   * @param metric to read; if empty, {@code throughput}, or the only metric of the table
   * @throws SlicewiseException with all invalid lines
   */
  public static ProfileMeans read(Path file, Optional<String> metric) {
    CsvFile table = CsvFile.read(file, header -> header.containsAll(COLUMNS));
    if (!table.header().containsAll(COLUMNS)) {
      throw SlicewiseException.input(
          file + " has no columns " + missing(table.header()),
          "A table to replay has the columns profile, users, metric, mean and stddev.");
    }
    String chosen = chosen(table, metric);
    List<String> faults = new ArrayList<>();
    Map<Integer, List<Row>> loads = new TreeMap<>();
    for (Line line : table.lines()) {
      if (line.text("metric").equals(chosen) && !line.text("mean").isBlank()) {
        add(line, loads, faults);
      }
    }
    if (faults.isEmpty()) {
      loads.forEach((users, rows) -> refuseLonely(file, users, rows, faults));
    }
    refuse(faults);
    return new ProfileMeans(chosen, loads);
  }

  private static String missing(List<String> header) {
    return String.join(", ", COLUMNS.stream().filter(name -> !header.contains(name)).toList());
  }

  private static String chosen(CsvFile table, Optional<String> metric) {
    TreeSet<String> metrics = new TreeSet<>();
    table.lines().forEach(line -> metrics.add(line.text("metric")));
    String wanted = metric.orElse(metrics.size() == 1 ? metrics.first() : USUAL_METRIC);
    if (!metrics.contains(wanted)) {
      throw SlicewiseException.input(
          metrics.isEmpty()
              ? table.file() + " has no rows"
              : "%s has no metric %s; its metrics are %s"
                  .formatted(table.file(), wanted, String.join(", ", metrics)),
          "Name one of the table's metrics with --goal, as in --goal \"lowest p95\".");
    }
    return wanted;
  }

  private static void add(Line line, Map<Integer, List<Row>> loads, List<String> faults) {
    int before = faults.size();
    String users = line.text("users").trim();
    if (!users.matches("\\d{1,9}")) {
      faults.add(line.place() + ": users '" + users + "' is not a whole number");
    }
    double mean = line.number("mean", faults);
    if (mean <= 0) {
      faults.add(line.place() + ": mean " + line.text("mean") + " is not above 0");
    }
    double deviation = line.number("stddev", faults);
    if (deviation < 0) {
      faults.add(line.place() + ": stddev " + line.text("stddev") + " is below 0");
    }
    if (faults.size() == before) {
      List<Row> rows = loads.computeIfAbsent(Integer.parseInt(users), none -> new ArrayList<>());
      String profile = line.text("profile");
      if (rows.stream().anyMatch(row -> row.profile().equals(profile))) {
        faults.add("%s: %s is listed twice at %s users".formatted(line.place(), profile, users));
      }
      rows.add(new Row(profile, mean, deviation));
    }
  }

  private static void refuseLonely(Path file, int users, List<Row> rows, List<String> faults) {
    if (rows.size() < 2) {
      faults.add(
          "%s has one profile at %d users; a race needs at least two".formatted(file, users));
    }
  }

  private static void refuse(List<String> faults) {
    if (!faults.isEmpty()) {
      throw SlicewiseException.input(
          String.join("\n", faults.subList(0, Math.min(MOST_FAULTS, faults.size())))
              + (faults.size() > MOST_FAULTS
                  ? "\nand %d more lines".formatted(faults.size() - MOST_FAULTS)
                  : ""),
          "A table to replay has one row per profile, users and metric; see docs/tune.md.");
    }
  }
}
