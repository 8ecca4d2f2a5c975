package io.slicewise.cli.screens;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.host.monitor.machine.ProcUse;
import io.slicewise.report.table.Csv;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints reduced monitor logs in the three formats of {@code reduce}. */
public final class RecordingScreen {
  private static final List<String> CPU_STATES =
      List.of("user", "nice", "system", "irq", "softirq", "steal", "iowait", "idle");

  /** The kernel counters that are printed as text; JSON has all of them. */
  private static final Set<String> TOLD =
      Set.of(
          "ctxt",
          "intr",
          "processes",
          "pgpgin",
          "pgpgout",
          "pswpin",
          "pswpout",
          "pgfault",
          "pgmajfault");

  private RecordingScreen() {}

  /** Logs that were reduced together, and the result. */
  public record Reduced(List<Path> files, MonitorResult result, Optional<ProcUse> use) {
    public Reduced {
      files = List.copyOf(files);
    }

    public static Reduced of(List<Path> files, Recordings.Whole whole) {
      return new Reduced(files, whole.result(), whole.use());
    }

    private String name() {
      String first = files.get(0).toString();
      return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
    }
  }

  public static String text(List<Reduced> all) {
    return all.stream().map(RecordingScreen::text).collect(Collectors.joining("\n"));
  }

  private static String text(Reduced reduced) {
    MonitorResult result = reduced.result();
    StringBuilder text = new StringBuilder(reduced.name()).append("  ").append(result.source());
    if (!result.covered().length().isZero()) {
      text.append(Phrase.of(", %.1f s", result.covered().seconds()));
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
              NumberText.fixed(100 * share.run(), 2),
              NumberText.fixed(100 * share.waiting(), 2),
              NumberText.fixed(100 * share.blocked(), 2)));
    }
    for (DomainShares share : result.shares()) {
      if (!share.note().isEmpty()) {
        text.append(Phrase.of("%n  %s: %s", share.domain(), share.note()));
      }
    }
    reduced.use().ifPresent(use -> text.append(used(use)));
    result.warnings().forEach(warning -> text.append(Phrase.of("%n  %s", warning)));
    return text.append(Phrase.of("%n")).toString();
  }

  private static String used(ProcUse use) {
    StringBuilder text = new StringBuilder();
    List<String> states =
        CPU_STATES.stream()
            .filter(use.cpuShares()::containsKey)
            .map(state -> state + " " + NumberText.fixed(100 * use.cpuShares().get(state), 2))
            .toList();
    if (Double.isFinite(use.loadAverage())) {
      text.append(Phrase.of("%n  load average %.2f", use.loadAverage()));
    }
    if (!states.isEmpty()) {
      text.append(Phrase.of("%n  %% of CPU time: %s", String.join(", ", states)));
    }
    Map<String, Double> rates = new TreeMap<>(use.memoryPerSecond());
    rates.putAll(use.eventsPerSecond());
    rates.keySet().retainAll(TOLD);
    if (!rates.isEmpty()) {
      text.append(
          Phrase.of(
              "%n  a second: %s",
              rates.entrySet().stream()
                  .map(rate -> Phrase.of("%s %.1f", rate.getKey(), rate.getValue()))
                  .collect(Collectors.joining(", "))));
    }
    new TreeMap<>(use.disks())
        .forEach(
            (device, disk) ->
                text.append(
                    Phrase.of(
                        "%n  %s: %s reads/s of %s KiB, %s writes/s of %s KiB, busy %s %%",
                        device,
                        NumberText.fixed(disk.readsPerSecond(), 1),
                        kibibytes(disk.readBytesPerSecond(), disk.readsPerSecond()),
                        NumberText.fixed(disk.writesPerSecond(), 1),
                        kibibytes(disk.writtenBytesPerSecond(), disk.writesPerSecond()),
                        NumberText.fixed(100 * disk.busyShare(), 2))));
    return text.toString();
  }

  private static String kibibytes(double bytes, double requests) {
    return NumberText.fixed(requests > 0 ? bytes / requests / 1024 : Double.NaN, 1);
  }

  public static String csv(List<Reduced> all) {
    StringBuilder text = new StringBuilder("file,source,domain,id,vcpus,run,waiting,blocked\r\n");
    for (Reduced reduced : all) {
      for (DomainShares share : reduced.result().shares()) {
        text.append(Csv.text(reduced.files().get(0).toString())).append(',');
        text.append(reduced.result().source()).append(',');
        text.append(Csv.text(share.domain())).append(',').append(share.id());
        text.append(',').append(share.vcpus());
        for (double value : new double[] {share.run(), share.waiting(), share.blocked()}) {
          text.append(',').append(Csv.number(value));
        }
        text.append("\r\n");
      }
    }
    return text.toString();
  }

  public static String json(List<Reduced> all) {
    return Json.text(all) + "\n";
  }
}
