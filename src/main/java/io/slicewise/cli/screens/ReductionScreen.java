package io.slicewise.cli.screens;

import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.report.table.TextColumns;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Prints a reduction as text: one line per label, the total, then omissions and damage. */
public final class ReductionScreen {
  private static final String UNKNOWN = "–";
  private static final String GAP = "  ";
  private static final List<String> HEADINGS =
      List.of("label", "n", "errors", "req/s", "mean ms", "sd", "p50", "p95", "p99", "min", "max");
  private static final List<Boolean> LEFT = HEADINGS.stream().map("label"::equals).toList();

  private ReductionScreen() {}

  public static String text(List<ReducedFile> files) {
    List<String> lines = new ArrayList<>();
    for (ReducedFile file : files) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(lines(file));
    }
    return String.join("\n", lines) + "\n";
  }

  private static List<String> lines(ReducedFile file) {
    Reduction reduction = file.reduction();
    List<List<String>> rows = new ArrayList<>(List.of(HEADINGS));
    reduction.labels().forEach(label -> rows.add(row(reduction, label)));
    rows.add(row(reduction, reduction.total()));
    List<String> lines = new ArrayList<>();
    lines.add(file.file() + GAP + window(reduction));
    lines.addAll(TextColumns.lines(rows, LEFT, Terminal.tableWidth()));
    lines.addAll(notes(reduction));
    return lines;
  }

  private static String window(Reduction reduction) {
    return "%s to %s, %s s"
        .formatted(
            moment(reduction.window().start()),
            moment(reduction.window().end()),
            fixed(reduction.window().seconds(), 1));
  }

  private static List<String> row(Reduction reduction, SampleSummary summary) {
    boolean known = summary.responseTimes().isKnown();
    return List.of(
        printable(summary.label()),
        String.valueOf(summary.samples()),
        reduction.knowsFailures() ? String.valueOf(summary.failed()) : UNKNOWN,
        fixed(reduction.ratePerSecond(summary), 2),
        fixed(summary.responseTimes().mean(), 1),
        fixed(summary.responseTimes().deviation(), 1),
        fixed(summary.percentileMillis(50), 0),
        fixed(summary.percentileMillis(95), 0),
        fixed(summary.percentileMillis(99), 0),
        known ? String.valueOf(summary.responseTimes().smallest()) : UNKNOWN,
        known ? String.valueOf(summary.responseTimes().largest()) : UNKNOWN);
  }

  /**
   * Returns a printable label; labels come from files and may be blank or contain control
   * characters.
   */
  private static String printable(String label) {
    return label.isBlank() ? "(no label)" : label;
  }

  /** Formats without {@code Formatter}, whose start-up costs as much as reading 100,000 samples. */
  private static String fixed(double value, int digits) {
    if (!Double.isFinite(value)) {
      return UNKNOWN;
    }
    long scale = digits == 0 ? 1 : digits == 1 ? 10 : 100;
    long scaled = Math.round(value * scale);
    String whole = String.valueOf(scaled / scale);
    return digits == 0 ? whole : whole + "." + String.valueOf(scale + scaled % scale).substring(1);
  }

  /** Formats like {@link Instant#toString}, also without a formatter. */
  private static String moment(Instant instant) {
    LocalDateTime utc =
        LocalDateTime.ofEpochSecond(instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
    boolean wholeMinute = utc.getSecond() == 0 && utc.getNano() == 0;
    return utc + (wholeMinute ? ":00Z" : "Z");
  }

  private static List<String> notes(Reduction reduction) {
    List<String> notes = new ArrayList<>();
    Reduction.LeftOut leftOut = reduction.leftOut();
    if (reduction.total().samples() == 0) {
      notes.add("  no sample counts");
    }
    addNote(notes, leftOut.outsideWindow(), "outside the window");
    addNote(notes, leftOut.transactions(), "transaction sums, not counted again");
    addNote(
        notes,
        leftOut.parts(),
        "parts of a request above them (redirects, embedded resources), by name, thread and time");
    if (leftOut.inferred() > 0) {
      notes.add(
          "  %s of the transaction sums have no message: recognized by label, thread and time"
              .formatted(leftOut.inferred()));
    }
    if (leftOut.lacking()) {
      notes.add(
          "  the total counts transactions: their requests were not saved; %s requests left out"
              .formatted(leftOut.requests()));
    } else if (leftOut.requests() > 0) {
      notes.add(
          "  the total counts each of %s requests once; labels are transactions"
              .formatted(leftOut.requests()));
    }
    reduction.doubts().forEach(doubt -> notes.add("  in doubt: " + doubt));
    for (Reduction.Damage damage : reduction.damage()) {
      notes.add(
          "  "
              + damage.count()
              + " × "
              + damage.kind()
              + ", line "
              + String.join(", ", damage.firstLines().stream().map(String::valueOf).toList())
              + (damage.count() > damage.firstLines().size() ? ", …" : ""));
    }
    return notes;
  }

  private static void addNote(List<String> notes, long count, String what) {
    if (count > 0) {
      notes.add("  " + count + " samples left out: " + what);
    }
  }

  /** The reduction of a results file and the name given on the command line. */
  public record ReducedFile(String file, Reduction reduction) {}
}
