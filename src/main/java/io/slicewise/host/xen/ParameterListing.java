package io.slicewise.host.xen;

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
      Object its = XenSchedulers.isByVcpu(scheduler) ? row.cell("ID") : row;
      byEntry.computeIfAbsent(its, first -> new ArrayList<>()).add(row);
    }
    List<Entry> entries = new ArrayList<>();
    for (List<SchedulerListing.Row> rows : byEntry.values()) {
      try {
        entries.add(entry(scheduler, rows));
      } catch (IllegalArgumentException | ArithmeticException notItsValues) {
        rows.forEach(row -> strange.add(row.line()));
      }
    }
    entries.removeIf(entry -> strange.stream().anyMatch(row -> isOf(entry, row)));
    return new Listed(List.copyOf(entries), List.copyOf(strange));
  }

  /** Returns whether a row is one of a domain, of whose vCPUs some schedulers list each. */
  private static boolean isOf(Entry entry, String row) {
    return row.matches(Pattern.quote(entry.name()) + "\\s+" + entry.id() + "(?:\\s.*)?");
  }

  /** Returns the domain of these rows: one, or one for each of its vCPUs. */
  private static Entry entry(Scheduler scheduler, List<SchedulerListing.Row> rows) {
    SchedulerListing.Row first = rows.get(0);
    List<SchedulerParameters> each = new ArrayList<>();
    for (SchedulerListing.Row row : rows) {
      if (!row.cell("Weight").startsWith("-")) {
        each.add(ofRow(scheduler, row));
      }
    }
    boolean alike = each.stream().distinct().count() <= 1;
    return new Entry(
        first.name(),
        first.number("ID"),
        first.cpupool(),
        alike ? each.stream().findFirst() : Optional.of(SchedulerParameters.byVcpu(each)));
  }

  private static SchedulerParameters ofRow(Scheduler scheduler, SchedulerListing.Row row) {
    if (scheduler == Scheduler.SEDF) {
      return sedf(row);
    }
    List<Column<?>> columns = XenSchedulers.columns(scheduler);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(scheduler + " has no such listing");
    }
    SchedulerParameters read = SchedulerParameters.defaults(scheduler);
    for (Column<?> column : columns) {
      read = column.read(row, read);
    }
    return read;
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

  private static Duration millis(String text) {
    return Duration.ofNanos(
        new BigDecimal(text).movePointRight(NANOS_A_MILLI_DIGITS).longValueExact());
  }
}
