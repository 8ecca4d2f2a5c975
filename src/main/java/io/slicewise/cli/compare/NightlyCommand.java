package io.slicewise.cli.compare;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.compare.Night.NightFiles;
import io.slicewise.cli.compare.Night.NightRecord;
import io.slicewise.cli.options.ComparedOptions;
import io.slicewise.cli.options.Percent;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.report.OpenMetrics;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.sweep.HostApply;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise nightly FILE…}: what a timer or a CI job calls. */
@Command(
    name = "nightly",
    mixinStandardHelpOptions = true,
    description = {
      "Runs or resumes experiments unattended, compares each with its baseline and its history,"
          + " writes the results and removes old runs.",
      "The first sound night becomes the baseline. Exits with the code of the first experiment that"
          + " failed, and with 4 while another nightly uses --results."
    })
public final class NightlyCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "The experiment files.")
  private List<Path> files;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create run directories (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Mixin private ComparedOptions compared;

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "The baseline to compare with (default: the experiment's name).")
  private Optional<String> baseline = Optional.empty();

  @Option(
      names = "--band",
      paramLabel = "PERCENT",
      converter = Percent.class,
      defaultValue = "2%",
      description = "Changes within this band are too small to matter (default: ${DEFAULT-VALUE}).")
  private double band;

  @Option(
      names = "--fail-on",
      paramLabel = "worse|undecided",
      defaultValue = "worse",
      description = "The results that make the night fail (default: ${DEFAULT-VALUE}).")
  private CompareCommand.FailOn failOn;

  @Option(
      names = "--keep",
      paramLabel = "N",
      defaultValue = "30",
      description =
          "Keep this many nights of each experiment and remove older ones, but never a baseline"
              + " (default: ${DEFAULT-VALUE}).")
  private int keep;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Also copy the JUnit XML, the Markdown and the page there, named after the experiment.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "Also write OpenMetrics, as for the textfile collector of Prometheus.")
  private Optional<Path> metrics = Optional.empty();

  @Option(
      names = "--on-end",
      paramLabel = "COMMAND",
      description = "Run this shell command after each experiment; its failure is only reported.")
  private Optional<String> onEnd = Optional.empty();

  @Option(
      names = "--on-failure",
      paramLabel = "COMMAND",
      description = "Run this shell command after each experiment that did not end with 0.")
  private Optional<String> onFailure = Optional.empty();

  @Option(
      names = "--host-patience",
      paramLabel = "MINUTES",
      defaultValue = "10",
      description = "How long to wait for an unreachable host (default: ${DEFAULT-VALUE}).")
  private int patience;

  @Mixin private PlanCodeOption consent;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (keep < 1) {
      throw SlicewiseException.input(
          "--keep %d would remove every night".formatted(keep), "keep at least 1");
    }
    try (RunLock alone = alone()) {
      return nights();
    }
  }

  private RunLock alone() {
    try {
      return RunLock.take(Files.createDirectories(results));
    } catch (SlicewiseException taken) {
      if (taken.errorKind() != ErrorKind.LOCKED) {
        throw taken;
      }
      throw new SlicewiseException(
          ErrorKind.LOCKED,
          "another nightly is under way in " + results + "; nothing was started",
          "'slicewise runs --results %s' shows how far it is".formatted(results),
          taken);
    } catch (IOException fault) {
      throw SlicewiseException.input(
          results + " cannot be created: " + FileFault.reason(fault), "choose another --results");
    }
  }

  private int nights() {
    PrintWriter err = spec.commandLine().getErr();
    Baselines stored = new Baselines(compared.baselines(), Clock.systemUTC());
    OpenMetrics numbers = new OpenMetrics(Clock.systemUTC().instant());
    List<Integer> codes = new ArrayList<>();
    for (Path file : files) {
      Night night =
          new Night(
              spec.root().commandLine(),
              file,
              results,
              stored,
              new ComparisonQuestion.Asked(compared.profiles(), compared.metric(), band),
              failOn,
              patience,
              consent);
      Night.Result result = night.run(baseline);
      codes.add(result.exitCode());
      result.write(output, err);
      result.addTo(numbers);
      metrics.ifPresent(path -> write(path, numbers));
      new OldNights(results, stored, err).prune(result.experiment(), keep);
      NightHooks hooks = new NightHooks(result, err);
      onEnd.ifPresent(command -> hooks.run("--on-end", command));
      if (result.exitCode() != ExitCode.OK.code()) {
        onFailure.ifPresent(command -> hooks.run("--on-failure", command));
      }
      if (result.exitCode() == ExitCode.HOST_NOT_RESTORED.code()
          || result.exitCode() == ExitCode.INTERRUPTED.code()) {
        return result.exitCode();
      }
    }
    return codes.stream().filter(code -> code != 0).findFirst().orElse(0);
  }

  /** Writes the metrics whole, readable by the collector's user. */
  private static void write(Path file, OpenMetrics numbers) {
    try {
      NightFiles.publish(file, numbers.text());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** The commands that a night calls at its end; whatever they do, the night's result stays. */
  private record NightHooks(Night.Result result, PrintWriter err) {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Runs a shell command with the result in its environment; reports a failure. */
    void run(String option, String command) {
      try {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command);
        builder.environment().putAll(environment());
        Process process =
            builder
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          say(option, "was stopped after %d minutes".formatted(LONGEST.toMinutes()));
        } else if (process.exitValue() != 0) {
          say(option, "ended with %d".formatted(process.exitValue()));
        }
      } catch (IOException fault) {
        say(option, "could not be started: " + FileFault.reason(fault));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }

    private Map<String, String> environment() {
      return Map.of(
          "SLICEWISE_EXPERIMENT",
          result.experiment(),
          "SLICEWISE_RUN",
          result.run().map(run -> run.root().toAbsolutePath().toString()).orElse(""),
          "SLICEWISE_VERDICT",
          result.verdict(),
          "SLICEWISE_EXIT_CODE",
          String.valueOf(result.exitCode()));
    }

    private void say(String option, String what) {
      err.println("the command of %s %s; the night's result is unaffected".formatted(option, what));
    }
  }

  /**
   * Removes old runs that nightly made. A run that is a baseline, is being worked on, or left a
   * host changed stays, and so does every run that was started by hand.
   */
  private record OldNights(Path results, Baselines baselines, PrintWriter err) {
    /** Keeps the newest nights of an experiment. */
    void prune(String experiment, int keep) {
      try {
        Set<String> never = baselines.runs();
        List<RunDirectory> nights =
            RunDirectory.below(results).stream()
                .filter(root -> NightRecord.isIn(root, experiment))
                .map(RunDirectory::open)
                .sorted(Comparator.comparing(OldNights::begun).reversed())
                .toList();
        for (RunDirectory night : nights.subList(Math.min(keep, nights.size()), nights.size())) {
          if (!never.contains(night.name()) && isOver(night)) {
            remove(night);
          }
        }
      } catch (SlicewiseException unreadable) {
        say("no old night was removed: " + unreadable.getMessage());
      }
    }

    private static String begun(RunDirectory night) {
      return night.began().map(Object::toString).orElse("");
    }

    private static boolean isOver(RunDirectory night) {
      return !night.isWorkedOn()
          && night.record().touched().isEmpty()
          && HostApply.below(night.root()).stream()
              .allMatch(applied -> RunDirectory.open(applied).record().touched().isEmpty());
    }

    private void remove(RunDirectory night) {
      try {
        // Without its journal a directory is no run any more, should the removal be cut short.
        Files.deleteIfExists(night.journalFile());
        FileUtils.deleteDirectory(night.root().toFile());
        say("removed %s".formatted(night.root()));
      } catch (IOException fault) {
        say("%s could not be removed: %s".formatted(night.root(), FileFault.reason(fault)));
      }
    }

    private void say(String what) {
      err.println(what);
    }
  }
}
