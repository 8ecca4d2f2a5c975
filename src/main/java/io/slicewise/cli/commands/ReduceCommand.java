package io.slicewise.cli.commands;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.cli.options.LogOptions;
import io.slicewise.cli.screens.RecordingScreen;
import io.slicewise.cli.screens.ReducedFile;
import io.slicewise.cli.screens.ReductionCsv;
import io.slicewise.cli.screens.ReductionJson;
import io.slicewise.cli.screens.ReductionScreen;
import io.slicewise.host.HostDescription;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.load.jtl.SampleSummary;
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

/** {@code slicewise reduce FILES…}: what JMeter's result files say, label by label. */
@Command(
    name = "reduce",
    mixinStandardHelpOptions = true,
    description =
        "Reduces JMeter result files, CSV or XML, plain or gzipped: counts, errors, rate, response"
            + " times by label (percentiles by nearest rank, no interpolation); and logs of xenmon,"
            + " xenalyze --summary, xentop -b and /proc: shares of each domain's own vCPU time."
            + " Damage is told, never fatal while a sample can be read.")
public final class ReduceCommand implements Callable<Integer> {
  /** What to do with a file of sums. */
  public static final String SUMS_HINT = "Read the sums with --transactions.";

  /** A point in time, in the way that JSON and logs have it. */
  static final class At implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException(
            "'" + text + "' is no time in UTC, as in 2026-11-20T10:00:00Z");
      }
    }
  }

  /** The form of what is printed. */
  enum Format {
    TEXT,
    JSON,
    CSV
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Result files (.jtl, .csv, .xml, .gz), or monitors' logs.")
  private List<Path> files;

  @Option(
      names = "--format",
      paramLabel = "text|json|csv",
      defaultValue = "text",
      description = "Form of the output (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Write there instead of to standard output.")
  private Path output;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      converter = At.class,
      description = "Count samples that ended then or later (2026-11-20T10:00:00Z); needs --to.")
  private Instant from;

  @Option(
      names = "--to",
      paramLabel = "INSTANT",
      converter = At.class,
      description = "Count samples that ended before; needs --from.")
  private Instant to;

  @Option(
      names = "--by-timestamp",
      description = "Place samples by their timestamp as written, not by their end.")
  private boolean byTimestamp;

  @Option(
      names = "--transactions",
      description =
          "Show what transaction controllers summed up, label by label. The total stays that of"
              + " the requests, each once, if the file has any.")
  private boolean transactions;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Show this label; may be given more than once. The total stays that of all.")
  private Set<String> labels = new LinkedHashSet<>();

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description = "Columns of a CSV file without a header line (default: JMeter's own).")
  private List<String> columns = ReductionOptions.DEFAULT_COLUMNS;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Threads to read with (default: one a gigabyte).")
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
          other
              + " is no monitor's log, but others are; reduce samples and logs one after the"
              + " other");
    }
    return found;
  }

  /** The files of one xenmon run are about one domain each and belong together. */
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
      out.flush();
    } else {
      write(text);
    }
  }

  private ReductionOptions options() {
    if ((from == null) != (to == null)) {
      throw usage("--from and --to make a window together; one of them is missing");
    }
    if (from != null && to.isBefore(from)) {
      throw usage("--to " + to + " lies before --from " + from);
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
      throw new SlicewiseException(
          ExitCode.USAGE,
          output + " cannot be written: " + FileFault.words(failure),
          "Name a file in a directory that is there and may be written to.",
          failure);
    }
  }
}
