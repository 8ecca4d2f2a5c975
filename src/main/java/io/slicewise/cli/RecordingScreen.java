package io.slicewise.cli;

import io.slicewise.json.Json;
import io.slicewise.monitor.DomainShares;
import io.slicewise.monitor.MonitorResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Monitors' logs reduced, in the three forms of {@code reduce}. */
final class RecordingScreen {
  private static final String UNKNOWN = "–";

  private RecordingScreen() {}

  /** Logs reduced together, and what they say. */
  record Reduced(List<Path> files, MonitorResult result) {
    Reduced {
      files = List.copyOf(files);
    }

    private String name() {
      String first = files.get(0).toString();
      return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
    }
  }

  static String text(List<Reduced> all) {
    return all.stream().map(RecordingScreen::text).collect(Collectors.joining("\n"));
  }

  private static String text(Reduced reduced) {
    MonitorResult result = reduced.result();
    StringBuilder text = new StringBuilder(reduced.name()).append("  ").append(result.source());
    if (!result.covered().length().isZero()) {
      text.append(String.format(Locale.ROOT, ", %.1f s", result.covered().seconds()));
    }
    int width = result.shares().stream().mapToInt(share -> share.domain().length()).max().orElse(0);
    String line = "%n%-" + Math.max(6, width) + "s  %5s  %6s  %6s  %9s";
    text.append(
        String.format(Locale.ROOT, line, "domain", "vCPUs", "run %", "wait %", "blocked %"));
    for (DomainShares share : result.shares()) {
      text.append(
          String.format(
              Locale.ROOT,
              line,
              share.domain(),
              share.vcpus(),
              percent(share.run()),
              percent(share.waiting()),
              percent(share.blocked())));
    }
    for (DomainShares share : result.shares()) {
      if (!share.note().isEmpty()) {
        text.append(String.format("%n  %s: %s", share.domain(), share.note()));
      }
    }
    result.warnings().forEach(warning -> text.append(String.format("%n  %s", warning)));
    return text.append(String.format("%n")).toString();
  }

  private static String percent(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.2f", share * 100) : UNKNOWN;
  }

  static String csv(List<Reduced> all) {
    StringBuilder text = new StringBuilder("file,source,domain,id,vcpus,run,waiting,blocked\r\n");
    for (Reduced reduced : all) {
      for (DomainShares share : reduced.result().shares()) {
        text.append(ReductionCsv.quoted(reduced.files().get(0).toString())).append(',');
        text.append(reduced.result().source()).append(',');
        text.append(ReductionCsv.quoted(share.domain())).append(',').append(share.id());
        text.append(',').append(share.vcpus());
        for (double value : new double[] {share.run(), share.waiting(), share.blocked()}) {
          text.append(',').append(Double.isFinite(value) ? String.valueOf(value) : "");
        }
        text.append("\r\n");
      }
    }
    return text.toString();
  }

  static String json(List<Reduced> all) {
    return Json.text(all) + "\n";
  }
}
