package io.slicewise.cli.commands;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.cli.options.LogOptions;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.RecordingScreen;
import io.slicewise.cli.screens.ReductionScreen;
import io.slicewise.cli.screens.ReductionScreen.ReducedFile;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.report.table.Csv;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise reduce FILES…}: summarizes JMeter result files and monitor logs. */
@Command(
    name = "reduce",
    mixinStandardHelpOptions = true,
    description =
        "Summarizes JMeter result files (CSV or XML, plain or gzipped): counts, errors, rate and"
            + " response times by label (percentiles by nearest rank, without interpolation). Also"
            + " summarizes logs of xenmon, xenalyze --summary, xentop -b and /proc: shares of each"
            + " domain's vCPU time. Damage is reported and is fatal only if no sample can be read.")
public final class ReduceCommand implements Callable<Integer> {
  /** The hint for a file that contains only transaction sums. */
  public static final String SUMS_HINT = "Read the sums with --transactions.";

  /** Converts a point in time as written in JSON and logs. */
  static final class At implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException(
            "'" + text + "' is not a UTC time such as 2026-11-20T10:00:00Z");
      }
    }
  }

  /** The output formats. */
  enum Format {
    TEXT,
    JSON,
    CSV
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Result files (.jtl, .csv, .xml, .gz) or monitor logs.")
  private List<Path> files;

  @Option(
      names = "--format",
      paramLabel = "text|json|csv",
      defaultValue = "text",
      description = "Output format (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Write to this file (default: standard output).")
  private Path output;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      converter = At.class,
      description =
          "Count only samples that ended at or after this time (2026-11-20T10:00:00Z); needs --to.")
  private Instant from;

  @Option(
      names = "--to",
      paramLabel = "INSTANT",
      converter = At.class,
      description = "Count only samples that ended before this time; needs --from.")
  private Instant to;

  @Option(
      names = "--by-timestamp",
      description = "Assign samples to seconds by their timestamp instead of their end.")
  private boolean byTimestamp;

  @Option(
      names = "--transactions",
      description =
          "Show the sums of transaction controllers by label. The total still counts each request"
              + " once, if the file has requests.")
  private boolean transactions;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Show only this label; may be repeated. The total still covers all labels.")
  private Set<String> labels = new LinkedHashSet<>();

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description =
          "Columns of a CSV file without a header line (default: JMeter's default columns).")
  private List<String> columns = ReductionOptions.DEFAULT_COLUMNS;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of reader threads (default: one per gigabyte).")
  private int threads;

  @Mixin private LogOptions logs;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Map<Path, Recordings.Source> recordings = recordings();
    if (!recordings.isEmpty()) {
      return reduceRecordings(recordings);
    }
    ReductionOptions options = options();
    List<ReducedFile> reduced = new ArrayList<>();
    for (Path file : files) {
      reduced.add(new ReducedFile(file.toString(), shown(reduce(file, options))));
    }
    print(text(reduced));
    boolean any = reduced.stream().anyMatch(file -> file.reduction().total().samples() > 0);
    return any ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }

  private Map<Path, Recordings.Source> recordings() {
    Map<Path, Recordings.Source> found = new LinkedHashMap<>();
    files.forEach(file -> Recordings.source(file).ifPresent(source -> found.put(file, source)));
    if (!found.isEmpty() && found.size() < files.size()) {
      Path other = files.stream().filter(file -> !found.containsKey(file)).findFirst().get();
      throw usage(
          other + " is not a monitor log, but other files are; reduce samples and logs separately");
    }
    return found;
  }

  /** Groups the files of one xenmon run, which has one file per domain. */
  private int reduceRecordings(Map<Path, Recordings.Source> recordings) {
    List<List<Path>> groups = new ArrayList<>();
    List<Path> xenmon = new ArrayList<>();
    recordings.forEach(
        (file, source) -> {
          if (source != Recordings.Source.XENMON) {
            groups.add(List.of(file));
          } else {
            xenmon.add(file);
          }
        });
    if (!xenmon.isEmpty()) {
      groups.add(xenmon);
    }
    HostDescription host =
        new HostDescription(
            "unknown", logs.version(), "", logs.pcpus(), Double.NaN, "unknown", List.of());
    List<RecordingScreen.Reduced> reduced =
        groups.stream()
            .map(
                group ->
                    RecordingScreen.Reduced.of(
                        group,
                        Recordings.whole(
                            recordings.get(group.get(0)), group, host, logs.domains())))
            .toList();
    print(
        switch (format) {
          case TEXT -> RecordingScreen.text(reduced);
          case CSV -> RecordingScreen.csv(reduced);
          case JSON -> RecordingScreen.json(reduced);
        });
    boolean any =
        reduced.stream()
            .flatMap(each -> each.result().shares().stream())
            .anyMatch(share -> Double.isFinite(share.run()));
    return any ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }

  private void print(String text) {
    if (output == null) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(text);
    } else {
      write(text);
    }
  }

  private ReductionOptions options() {
    if ((from == null) != (to == null)) {
      throw usage("--from and --to must be used together");
    }
    if (from != null && to.isBefore(from)) {
      throw usage("--to %s is before --from %s".formatted(to, from));
    }
    try {
      return ReductionOptions.standard()
          .withColumns(columns)
          .onThreads(threads)
          .attributed(
              byTimestamp
                  ? ReductionOptions.Attribution.BY_TIMESTAMP
                  : ReductionOptions.Attribution.BY_END)
          .counting(
              transactions
                  ? ReductionOptions.Counted.TRANSACTIONS_BY_LABEL
                  : ReductionOptions.Counted.REQUESTS);
    } catch (IllegalArgumentException refused) {
      throw usage(refused.getMessage());
    }
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }

  private Reduction reduce(Path file, ReductionOptions options) {
    Reduction reduction =
        from == null
            ? Reductions.reduce(file, options)
            : Reductions.reduce(file, new Window(from, to), options);
    return transactions ? reduction : reduction.ofRequests(file, SUMS_HINT);
  }

  private Reduction shown(Reduction reduction) {
    if (labels.isEmpty()) {
      return reduction;
    }
    List<SampleSummary> chosen =
        reduction.labels().stream().filter(summary -> labels.contains(summary.label())).toList();
    return new Reduction(
        reduction.window(),
        reduction.total(),
        chosen,
        reduction.series(),
        reduction.leftOut(),
        reduction.doubts(),
        reduction.damage());
  }

  private String text(List<ReducedFile> reduced) {
    return switch (format) {
      case TEXT -> ReductionScreen.text(reduced);
      case CSV -> ReductionCsv.text(reduced);
      case JSON -> json(reduced);
    };
  }

  private static String json(List<ReducedFile> reduced) {
    return Json.text(reduced.stream().map(ReductionJson::of).toList()) + "\n";
  }

  private void write(String text) {
    try {
      Files.writeString(output, text);
    } catch (IOException failure) {
      throw SlicewiseException.input(
          output + " cannot be written: " + FileFault.reason(failure),
          "Name a file in an existing, writable directory.",
          failure);
    }
  }

  /**
   * Reductions as CSV (RFC 4180): one row per label and one for the total; unknown values are
   * empty.
   */
  private static final class ReductionCsv {
    private static final String HEADER =
        "file,label,samples,failed,requests_per_second,mean_ms,sd_ms,p50_ms,p95_ms,p99_ms,"
            + "min_ms,max_ms,received_bytes,sent_bytes\r\n";

    private ReductionCsv() {}

    static String text(List<ReducedFile> files) {
      StringBuilder text = new StringBuilder(HEADER);
      for (ReducedFile file : files) {
        for (SampleSummary label : file.reduction().labels()) {
          append(text, file, label);
        }
        append(text, file, file.reduction().total());
      }
      return text.toString();
    }

    private static void append(StringBuilder text, ReducedFile file, SampleSummary summary) {
      Reduction reduction = file.reduction();
      text.append(Csv.text(file.file())).append(',').append(Csv.text(summary.label()));
      text.append(',').append(summary.samples());
      text.append(',').append(reduction.knowsFailures() ? summary.failed() : "");
      for (double value :
          new double[] {
            reduction.ratePerSecond(summary),
            summary.responseTimes().mean(),
            summary.responseTimes().deviation(),
            summary.percentileMillis(50),
            summary.percentileMillis(95),
            summary.percentileMillis(99)
          }) {
        text.append(',').append(Csv.number(value));
      }
      boolean any = summary.responseTimes().isKnown();
      text.append(',').append(any ? String.valueOf(summary.responseTimes().smallest()) : "");
      text.append(',').append(any ? String.valueOf(summary.responseTimes().largest()) : "");
      text.append(',').append(summary.receivedBytes()).append(',').append(summary.sentBytes());
      text.append("\r\n");
    }
  }

  /** The JSON form of a reduction. */
  private record ReductionJson(
      String file,
      Window window,
      Label total,
      List<Label> labels,
      List<Reduction.Second> series,
      Reduction.LeftOut leftOut,
      List<String> doubts,
      List<Reduction.Damage> damage) {

    static ReductionJson of(ReducedFile reduced) {
      Reduction reduction = reduced.reduction();
      return new ReductionJson(
          reduced.file(),
          reduction.window(),
          Label.of(reduction, reduction.total()),
          reduction.labels().stream().map(label -> Label.of(reduction, label)).toList(),
          reduction.series(),
          reduction.leftOut(),
          reduction.doubts(),
          reduction.damage());
    }

    /** One label or the total; unknown numbers are null. */
    record Label(
        String label,
        long samples,
        Long failed,
        Map<String, Long> errors,
        double requestsPerSecond,
        @JsonUnwrapped ResponseTimes responseTimes,
        double latencyMeanMillis,
        long receivedBytes,
        long sentBytes) {

      static Label of(Reduction reduction, SampleSummary summary) {
        return new Label(
            summary.label(),
            summary.samples(),
            reduction.knowsFailures() ? Long.valueOf(summary.failed()) : null,
            summary.errors(),
            reduction.ratePerSecond(summary),
            ResponseTimes.of(summary),
            summary.latencies().mean(),
            summary.receivedBytes(),
            summary.sentBytes());
      }
    }

    /** The response times of a label's samples, in milliseconds. */
    record ResponseTimes(
        double meanMillis,
        double deviationMillis,
        double p50Millis,
        double p95Millis,
        double p99Millis,
        Long minMillis,
        Long maxMillis) {

      static ResponseTimes of(SampleSummary summary) {
        boolean known = summary.samples() == 0 || summary.responseTimes().isKnown();
        return new ResponseTimes(
            summary.responseTimes().mean(),
            summary.responseTimes().deviation(),
            summary.percentileMillis(50),
            summary.percentileMillis(95),
            summary.percentileMillis(99),
            known ? Long.valueOf(summary.responseTimes().smallest()) : null,
            known ? Long.valueOf(summary.responseTimes().largest()) : null);
      }
    }
  }
}
