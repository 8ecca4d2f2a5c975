package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.LogOptions;
import io.slicewise.cli.options.NewRunOptions;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.imported.FileNames;
import io.slicewise.sweep.imported.FilePattern;
import io.slicewise.sweep.imported.Matches;
import io.slicewise.sweep.imported.Study;
import io.slicewise.sweep.imported.Study.StudiedHost;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code slicewise import FILE --samples PATTERN}: makes a run from the files of an earlier study.
 */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description =
        "Makes a run directory from the JMeter results and xenmon logs of an earlier study, so that"
            + " report, compare and check work on it. The experiment file describes the study:"
            + " profiles, users, repetitions, warm-up and window. Touches no host. docs/reduce.md"
            + " has an example.")
public final class ImportCommand implements Callable<Integer> {
  private static final int SHOWN = 8;

  @Parameters(paramLabel = "FILE", description = "The experiment file that describes the study.")
  private Path file;

  @Option(
      names = "--samples",
      required = true,
      paramLabel = "PATTERN",
      description =
          "Pattern of the result files' names, as in 'old/{profile}/{users}-{repetition}.jtl'; *"
              + " matches anything except a slash. Quote it so that the shell does not expand it.")
  private String samples;

  @Option(
      names = "--xenmon",
      paramLabel = "PATTERN",
      description = "Pattern of xenmon's logs, one file per domain; needs --domain.")
  private String xenmon;

  @Option(
      names = "--profile-name",
      split = ",",
      paramLabel = "THEIRS=OURS",
      description =
          "Maps a name in the files to a profile of the experiment, as in w256=credit-256. Separate"
              + " several with commas, or repeat the option.")
  private Map<String, String> profileNames = new LinkedHashMap<>();

  @Option(
      names = "--users-name",
      split = ",",
      paramLabel = "THEIRS=N",
      description = "Maps a name in the files to a number of users, as in low=25.")
  private Map<String, String> usersNames = new LinkedHashMap<>();

  @Option(
      names = "--repetition-name",
      split = ",",
      paramLabel = "THEIRS=N",
      description = "Maps names in the files to repetitions, as in a=1,b=2,c=3.")
  private Map<String, String> repetitionNames = new LinkedHashMap<>();

  @Mixin private LogOptions logOptions;

  @Option(
      names = "--xenmon-delay",
      paramLabel = "DURATION",
      defaultValue = "0s",
      description =
          "Time from the first sample to the start of xenmon, whose log has no time of day"
              + " (default: ${DEFAULT-VALUE}).")
  private String delay;

  @Mixin private NewRunOptions place;

  @Option(names = "--dry-run", description = "Only list which files match; write nothing.")
  private boolean dryRun;

  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Experiment experiment = EmbeddedHost.read(file);
    FileNames names = FileNames.of(experiment, profileNames, usersNames, repetitionNames);
    Matches found = Matches.of(experiment, FilePattern.of(samples, names));
    Optional<Matches> logs =
        Optional.ofNullable(xenmon)
            .map(text -> Matches.of(experiment, FilePattern.of(text, names)));
    StudiedHost host =
        new StudiedHost(logOptions.version(), logOptions.pcpus(), logOptions.domains());
    if (logs.isPresent() && host.domains().isEmpty()) {
      throw SlicewiseException.input(
          "--xenmon needs --domain: shares are relative to a domain's vCPUs",
          "Name each domain, as in --domain 0=Domain-0:2 --domain 1=Apache_Server:2.");
    }
    PrintWriter err = spec.commandLine().getErr();
    print(err, "result files", found);
    logs.ifPresent(matches -> print(err, "xenmon logs", matches));
    refuse(found);
    if (dryRun) {
      return ExitCode.OK.code();
    }
    Study study =
        new Study(experiment, found, logs.map(Matches::files).orElse(Map.of()), host, delay());
    Study.Imported done = study.into(place.results(), Clock.systemUTC(), trial -> {});
    done.refused().forEach(line -> err.println("not imported: " + line));
    done.unknowable().forEach(line -> err.println("unknowable: " + line));
    return new RunConsole(spec.commandLine().getOut(), err, output, verbosity, SweepOptions.DEFAULT)
        .finish(done.run(), done.outcome());
  }

  private static void refuse(Matches found) {
    if (found.files().isEmpty()) {
      throw SlicewiseException.input(
          "no file matches --samples", "Compare the pattern with the names of the files above.");
    }
    List<String> twice =
        found.files().entrySet().stream()
            .filter(entry -> entry.getValue().size() > 1)
            .map(entry -> entry.getKey().slug() + " has " + entry.getValue())
            .toList();
    if (!twice.isEmpty()) {
      throw SlicewiseException.input(
          "more than one result file for a trial: " + String.join("; ", twice),
          "Make the pattern distinguish them, or move all but one away.");
    }
  }

  private void print(PrintWriter err, String what, Matches found) {
    int trials = found.files().size() + found.missing().size();
    err.println(what + "  for " + found.files().size() + " of " + trials + " trials");
    list(err, "  trial without a file", found.missing().stream().map(Trial::slug).toList());
    list(err, "  no such trial", found.strange());
    list(err, "  name that no file has", found.idle());
    list(err, "  does not match the pattern", found.others().stream().map(Path::toString).toList());
  }

  private void list(PrintWriter err, String what, List<String> items) {
    int shown = dryRun ? items.size() : Math.min(SHOWN, items.size());
    items.stream().limit(shown).forEach(item -> err.println(what + "  " + item));
    if (shown < items.size()) {
      err.println(what + "  and " + (items.size() - shown) + " more; --dry-run lists all");
    }
  }

  private Duration delay() {
    boolean before = delay.startsWith("-");
    try {
      Duration length = DurationText.parse(before ? delay.substring(1) : delay);
      return before ? length.negated() : length;
    } catch (IllegalArgumentException rule) {
      throw SlicewiseException.input(
          "--xenmon-delay " + delay + " " + rule.getMessage(), "As in 5s or -10s.");
    }
  }
}
