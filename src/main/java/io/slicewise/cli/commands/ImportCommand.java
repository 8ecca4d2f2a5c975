package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.LogOptions;
import io.slicewise.cli.options.NewRunOptions;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.LabOptions;
import io.slicewise.sweep.SweepOptions;
import io.slicewise.sweep.imported.FileNames;
import io.slicewise.sweep.imported.FilePattern;
import io.slicewise.sweep.imported.Matches;
import io.slicewise.sweep.imported.StudiedHost;
import io.slicewise.sweep.imported.Study;
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

/** {@code slicewise import FILE --samples PATTERN}: a run out of an older study's files. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description =
        "Makes a run directory of an earlier study's JMeter results and xenmon logs, so that"
            + " report, compare and check work on it. The experiment file says what was done:"
            + " profiles, users, repetitions, warm-up and window. Touches no host. docs/reduce.md"
            + " has an example.")
public final class ImportCommand implements Callable<Integer> {
  private static final int SHOWN = 8;

  @Parameters(paramLabel = "FILE", description = "The experiment file that tells what was done.")
  private Path file;

  @Option(
      names = "--samples",
      required = true,
      paramLabel = "PATTERN",
      description =
          "How the result files are named, as in 'old/{profile}/{users}-{repetition}.jtl'; * stands"
              + " for anything but a slash. Quote it against the shell.")
  private String samples;

  @Option(
      names = "--xenmon",
      paramLabel = "PATTERN",
      description = "The same of xenmon's logs, one a domain; needs --domain.")
  private String xenmon;

  @Option(
      names = "--profile-name",
      split = ",",
      paramLabel = "THEIRS=OURS",
      description =
          "What the files call a profile of the experiment, as in w256=credit-256; several with"
              + " commas, or by repeating the option.")
  private Map<String, String> profileNames = new LinkedHashMap<>();

  @Option(
      names = "--users-name",
      split = ",",
      paramLabel = "THEIRS=N",
      description = "The same of user loads, as in low=25.")
  private Map<String, String> usersNames = new LinkedHashMap<>();

  @Option(
      names = "--repetition-name",
      split = ",",
      paramLabel = "THEIRS=N",
      description = "The same of repetitions, as in a=1,b=2,c=3.")
  private Map<String, String> repetitionNames = new LinkedHashMap<>();

  @Mixin private LogOptions logOptions;

  @Option(
      names = "--xenmon-delay",
      paramLabel = "DURATION",
      defaultValue = "0s",
      description =
          "From the first sample to the start of xenmon, whose clock tells no time of day "
              + "(default: ${DEFAULT-VALUE}).")
  private String delay;

  @Mixin private NewRunOptions place;

  @Option(
      names = "--dry-run",
      description = "Only tell what was matched and what was not; write nothing.")
  private boolean dryRun;

  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Experiment experiment = ExperimentFiles.read(file, LabOptions.keys());
    FileNames names = FileNames.of(experiment, profileNames, usersNames, repetitionNames);
    Matches found = Matches.of(experiment, FilePattern.of(samples, names));
    Optional<Matches> logs =
        Optional.ofNullable(xenmon)
            .map(text -> Matches.of(experiment, FilePattern.of(text, names)));
    StudiedHost host =
        new StudiedHost(logOptions.version(), logOptions.pcpus(), logOptions.domains());
    if (logs.isPresent() && host.domains().isEmpty()) {
      throw usage(
          "--xenmon without any --domain: shares are taken of a domain's own vCPUs",
          "Name each as in --domain 0=Domain-0:2 --domain 1=Apache_Server:2.");
    }
    PrintWriter err = spec.commandLine().getErr();
    tell(err, "result files", found);
    logs.ifPresent(matches -> tell(err, "xenmon logs", matches));
    refuse(found);
    if (dryRun) {
      return ExitCode.OK.code();
    }
    Study study =
        new Study(experiment, found, logs.map(Matches::files).orElse(Map.of()), host, delay());
    Study.Imported done = study.into(place.results(), Clock.systemUTC(), trial -> {});
    done.refused().forEach(line -> err.println("not imported: " + line));
    err.flush();
    return new RunConsole(spec.commandLine().getOut(), err, output, SweepOptions.DEFAULT)
        .finish(done.run(), done.outcome());
  }

  private static void refuse(Matches found) {
    if (found.files().isEmpty()) {
      throw usage(
          "no file matches --samples", "Compare the pattern with the names of the files above.");
    }
    List<String> twice =
        found.files().entrySet().stream()
            .filter(entry -> entry.getValue().size() > 1)
            .map(entry -> entry.getKey().slug() + " has " + entry.getValue())
            .toList();
    if (!twice.isEmpty()) {
      throw usage(
          "more than one result file for a trial: " + String.join("; ", twice),
          "Make the pattern tell them apart, or move all but one away.");
    }
  }

  private void tell(PrintWriter err, String what, Matches found) {
    int trials = found.files().size() + found.missing().size();
    err.println(what + "  for " + found.files().size() + " of " + trials + " trials");
    list(err, "  trial without one", found.missing().stream().map(Trial::slug).toList());
    list(err, "  no such trial", found.strange());
    list(err, "  name that no file bears", found.idle());
    list(err, "  not of the pattern", found.others().stream().map(Path::toString).toList());
    err.flush();
  }

  private void list(PrintWriter err, String what, List<String> items) {
    int shown = dryRun ? items.size() : Math.min(SHOWN, items.size());
    items.stream().limit(shown).forEach(item -> err.println(what + "  " + item));
    if (shown < items.size()) {
      err.println(what + "  and " + (items.size() - shown) + " more; --dry-run tells all");
    }
  }

  private Duration delay() {
    boolean before = delay.startsWith("-");
    try {
      Duration length = DurationText.parse(before ? delay.substring(1) : delay);
      return before ? length.negated() : length;
    } catch (IllegalArgumentException rule) {
      throw usage("--xenmon-delay " + delay + " " + rule.getMessage(), "As in 5s or -10s.");
    }
  }

  private static SlicewiseException usage(String message, String hint) {
    return new SlicewiseException(ExitCode.USAGE, message, hint);
  }
}
