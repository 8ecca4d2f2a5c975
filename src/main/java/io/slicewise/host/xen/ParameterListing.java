package io.slicewise.host.xen;

import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Converts a scheduler's listing to parameters. */
final class ParameterListing {
  /**
   * A domain in the listing.
   *
   * @param cpupool empty if not listed
   * @param parameters empty for a domain that did not answer, which xm prints as weight -1
   */
  record Entry(String name, int id, String cpupool, Optional<SchedulerParameters> parameters) {}

  private static final int NANOS_A_MILLI_DIGITS = 6;
  private static final long NANOS_A_MICRO = 1_000;

  private ParameterListing() {}

  /**
   * The domains in the listing.
   *
   * @param strange lines that cannot be understood
   */
  record Listed(List<Entry> entries, List<String> strange) {}

  static Listed parse(Scheduler scheduler, String text) {
    SchedulerListing listing = SchedulerListing.parse(text);
    List<String> strange = new ArrayList<>(listing.strange());
    Map<Object, List<SchedulerListing.Row>> byEntry = new LinkedHashMap<>();
    for (SchedulerListing.Row row : listing.rows()) {
      Object its = scheduler == Scheduler.RTDS ? row.cell("ID") : row;
      byEntry.computeIfAbsent(its, first -> new ArrayList<>()).add(row);
    }
    List<Entry> entries = new ArrayList<>();
    for (List<SchedulerListing.Row> rows : byEntry.values()) {
      try {
        entries.add(
            scheduler == Scheduler.RTDS
                ? rtdsEntry(rows)
                : entry(rows.get(0), ofRow(scheduler, rows.get(0))));
      } catch (IllegalArgumentException | ArithmeticException notItsValues) {
        rows.forEach(row -> strange.add(row.line()));
      }
    }
    entries.removeIf(entry -> strange.stream().anyMatch(row -> isOf(entry, row)));
    return new Listed(List.copyOf(entries), List.copyOf(strange));
  }

  /** Returns whether a row is one of a domain, of whose vCPUs RTDS lists each. */
  private static boolean isOf(Entry entry, String row) {
    return row.matches(Pattern.quote(entry.name()) + "\\s+" + entry.id() + "(?:\\s.*)?");
  }

  private static Entry entry(SchedulerListing.Row row, Optional<SchedulerParameters> parameters) {
    return new Entry(row.name(), row.number("ID"), row.cpupool(), parameters);
  }

  private static Optional<SchedulerParameters> ofRow(
      Scheduler scheduler, SchedulerListing.Row row) {
    if (row.cell("Weight").startsWith("-")) {
      return Optional.empty();
    }
    return Optional.of(
        switch (scheduler.xenName()) {
          case "credit" -> Credit.of(row.number("Weight"), row.number("Cap"));
          // Versions before 4.10 have no such column and no cap.
          case "credit2" ->
              Credit2.of(row.number("Weight"), row.cell("Cap").isEmpty() ? 0 : row.number("Cap"));
          case "sedf" -> sedf(row);
          default -> throw new IllegalArgumentException(scheduler + " has no such listing");
        });
  }

  private static SchedulerParameters sedf(SchedulerListing.Row row) {
    String latency = row.cell("Latency").isEmpty() ? row.cell("Lat") : row.cell("Latency");
    return Sedf.of(
        millis(row.cell("Period")),
        millis(row.cell("Slice")),
        millis(latency),
        (row.number("Extra") & 1) == 1,
        row.number("Weight"));
  }

  private static Entry rtdsEntry(List<SchedulerListing.Row> vcpus) {
    List<SchedulerParameters> settings =
        vcpus.stream()
            .map(
                row ->
                    Rtds.of(
                        micros(row.cell("Period")),
                        micros(row.cell("Budget")),
                        row.cell("Extratime").equals("yes")))
            .toList();
    boolean alike = settings.stream().distinct().count() == 1;
    return entry(
        vcpus.get(0), Optional.of(alike ? settings.get(0) : SchedulerParameters.byVcpu(settings)));
  }

  private static Duration millis(String text) {
    return Duration.ofNanos(
        new BigDecimal(text).movePointRight(NANOS_A_MILLI_DIGITS).longValueExact());
  }

  private static Duration micros(String text) {
    return Duration.ofNanos(Long.parseLong(text) * NANOS_A_MICRO);
  }
}
