package io.slicewise.cli.compare;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.ComparisonReport;
import io.slicewise.report.JunitXml;
import io.slicewise.report.OpenMetrics;
import io.slicewise.report.Reports;
import io.slicewise.report.RunAnswer;
import io.slicewise.run.Design;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * One experiment of a night: run or resumed, compared, and put on record.
 *
 * @param asked what is compared
 * @param patience minutes to wait for an unreachable host
 * @param consent to plans that run code; nobody is there to be asked
 */
public record Night(
    CommandLine root,
    Path file,
    Path results,
    Baselines baselines,
    ComparisonQuestion.Asked asked,
    CompareCommand.FailOn failOn,
    int patience,
    PlanCodeOption consent) {
  private static final String NOTHING = "none";

  /**
   * The result of a night.
   *
   * @param run empty if none could begin
   * @param verdict of the comparison in lower case, or {@code none}
   * @param compared with the baseline
   */
  record Result(
      String experiment,
      Optional<RunDirectory> run,
      String verdict,
      int exitCode,
      String baseline,
      Optional<Compared> compared,
      String junit,
      String markdown) {

    /** Writes the result into the run and, on request, into a directory of its own. */
    void write(Optional<Path> output, PrintWriter err) {
      try {
        if (run.isPresent()) {
          new NightRecord(experiment, verdict, exitCode, baseline)
              .write(run.get().root(), junit, markdown);
        }
        if (output.isPresent()) {
          NightFiles.publish(output.get().resolve(experiment + ".xml"), junit);
          NightFiles.publish(output.get().resolve(experiment + ".md"), markdown);
          Optional<Path> page = run.map(made -> made.root().resolve("report.html"));
          if (page.filter(Files::exists).isPresent()) {
            NightFiles.publish(
                output.get().resolve(experiment + ".html"), Files.readString(page.get()));
          }
        }
      } catch (IOException fault) {
        err.println("the night's result could not be written: " + FileFault.reason(fault));
      }
    }

    /** Adds the result to metrics. */
    void addTo(OpenMetrics numbers) {
      run.map(Reports::write).ifPresent(written -> numbers.add(written.run(), written.summary()));
      compared.ifPresent(numbers::add);
      numbers.addExitCode(experiment, exitCode);
    }
  }

  /** Runs or resumes the experiment and compares it. */
  Result run(Optional<String> named) {
    Experiment experiment;
    try {
      experiment = read();
    } catch (SlicewiseException fault) {
      ExitCode code = ErrorPrinter.print(root.getErr(), fault);
      return failed(file.getFileName().toString(), Optional.empty(), code.code(), "");
    }
    String baseline = named.orElse(experiment.name());
    Set<Path> before = new HashSet<>(RunDirectory.below(results));
    Optional<RunDirectory> unfinished = unfinished(experiment);
    try {
      consent.requireUnasked(unfinished.map(run -> run.load().experiment()).orElse(experiment));
    } catch (SlicewiseException refused) {
      ExitCode code = ErrorPrinter.print(root.getErr(), refused);
      return failed(experiment.name(), Optional.empty(), code.code(), baseline);
    }
    int code = unfinished.map(this::resume).orElseGet(this::begin);
    Optional<RunDirectory> run =
        unfinished.or(
            () ->
                RunDirectory.below(results).stream()
                    .filter(made -> !before.contains(made))
                    .filter(made -> isOf(made, experiment))
                    .findFirst()
                    .map(RunDirectory::open));
    boolean measured =
        Stream.of(ExitCode.OK, ExitCode.TRIALS_FAILED, ExitCode.TOO_BUSY)
            .anyMatch(kind -> kind.code() == code);
    return run.isPresent() && measured
        ? compared(experiment, run.get(), code, baseline)
        : failed(experiment.name(), run, code, baseline);
  }

  private Experiment read() {
    Experiment experiment = EmbeddedHost.read(file);
    if (experiment.tuning().isPresent()) {
      throw SlicewiseException.input(
          file + " is a tune, which nightly cannot repeat",
          "continue it with 'slicewise tune --continue'");
    }
    return experiment;
  }

  /** Returns the newest run of the experiment if it was cut short and still has its design. */
  private Optional<RunDirectory> unfinished(Experiment experiment) {
    return RunDirectory.below(results).stream()
        .filter(made -> isOf(made, experiment))
        .map(RunDirectory::open)
        .max((one, other) -> begun(one).compareTo(begun(other)))
        .filter(run -> isCutShort(run.record().state()) && !run.isWorkedOn())
        .filter(
            run ->
                run.design()
                    .filter(kept -> kept.brokenBy(Design.of(experiment)).isEmpty())
                    .isPresent());
  }

  private static String begun(RunDirectory run) {
    return run.began().map(Object::toString).orElse("");
  }

  private static boolean isCutShort(RunState state) {
    return switch (state) {
      case RUNNING, INTERRUPTED, HOST_LOST, NEEDS_REBOOT, DISK_FULL, DIRECTORY_GONE, NOT_RESTORED ->
          true;
      case DONE, TRIALS_FAILED, NO_VALID_DATA, CHANGED_BY_OTHERS -> false;
    };
  }

  private static boolean isOf(Path made, Experiment experiment) {
    try {
      return made.getFileName().toString().startsWith(experiment.name() + "-")
          && ExperimentFiles.read(RunDirectory.open(made).experimentFile())
              .name()
              .equals(experiment.name());
    } catch (SlicewiseException incomplete) {
      return false;
    }
  }

  private int begin() {
    return command("run", file.toString(), "--results", results.toString());
  }

  private int resume(RunDirectory run) {
    root.getErr().println("resuming " + run.root());
    return command("resume", run.root().toString());
  }

  private int command(String name, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--plain", "--host-patience", String.valueOf(patience)));
    return root.getSubcommands().get(name).execute(all.toArray(String[]::new));
  }

  private Result failed(String experiment, Optional<RunDirectory> run, int code, String baseline) {
    String why = meaning(code);
    String junit =
        JunitXml.ofRun(
            experiment,
            why,
            run.map(RunDirectory::load)
                .filter(made -> !made.results().isEmpty())
                .map(RunEvidence::of)
                .map(RunAnswer::of),
            code == ExitCode.OK.code());
    String markdown = head(experiment, NOTHING, run) + why + "\n";
    return new Result(experiment, run, NOTHING, code, baseline, Optional.empty(), junit, markdown);
  }

  private static String meaning(int code) {
    return Stream.of(ExitCode.values())
        .filter(one -> one.code() == code)
        .map(ExitCode::meaning)
        .findFirst()
        .orElse("exit code " + code);
  }

  private Result compared(Experiment experiment, RunDirectory run, int code, String baseline) {
    try {
      RunEvidence evidence = RunEvidence.of(run.load());
      if (!baselines.has(baseline)) {
        if (code == ExitCode.OK.code()) {
          root.getErr().println(baselines.save(baseline, evidence));
        }
        return failed(experiment.name(), Optional.of(run), code, baseline);
      }
      Compared compared =
          asked.question().across(baselines.read(baseline).run(), "baseline " + baseline, evidence);
      StringWriter history = new StringWriter();
      int changed = history(experiment, new PrintWriter(history));
      boolean strict = failOn == CompareCommand.FailOn.UNDECIDED;
      RunAnswer answer = RunAnswer.of(evidence);
      int judged = CompareCommand.code(compared, answer.answer(), Optional.of(failOn)).code();
      String verdict = EnumName.of(compared.overall());
      return new Result(
          experiment.name(),
          Optional.of(run),
          changed == ExitCode.WORSE.code() && judged == 0 ? "worse" : verdict,
          Stream.of(code, judged, changed).filter(one -> one != 0).findFirst().orElse(0),
          baseline,
          Optional.of(compared),
          JunitXml.of(compared, answer, strict),
          head(experiment.name(), verdict, Optional.of(run))
              + new ComparisonReport(compared, answer).markdown()
              + "\n"
              + history);
    } catch (SlicewiseException fault) {
      ExitCode other = ErrorPrinter.print(root.getErr(), fault);
      return failed(
          experiment.name(),
          Optional.of(run),
          code == ExitCode.OK.code() ? other.code() : code,
          baseline);
    }
  }

  /** Runs {@code slicewise history} over the nights and returns 10 for a new change, or 0. */
  private int history(Experiment experiment, PrintWriter into) {
    List<String> words =
        new ArrayList<>(
            RunDirectory.below(results).stream()
                .filter(made -> isOf(made, experiment))
                .map(Path::toString)
                .toList());
    words.addAll(List.of("--fail-on", "worse", "--format", "markdown"));
    asked.profiles().forEach(profile -> words.addAll(List.of("--profile", profile)));
    asked.metric().ifPresent(metric -> words.addAll(List.of("--metric", metric.key())));
    CommandLine command = root.getSubcommands().get("history");
    PrintWriter out = command.getOut();
    try {
      command.setOut(into);
      return command.execute(words.toArray(String[]::new)) == ExitCode.WORSE.code()
          ? ExitCode.WORSE.code()
          : ExitCode.OK.code();
    } finally {
      into.flush();
      command.setOut(out);
    }
  }

  private static String head(String experiment, String verdict, Optional<RunDirectory> run) {
    return "# %s: %s\n\n%s\n\n"
        .formatted(
            experiment, verdict, run.map(made -> "Run " + made.root()).orElse("No run began."));
  }

  /** Files of a night that other programs read. */
  static final class NightFiles {
    private NightFiles() {}

    /** Writes a file atomically, readable by every user of this machine. */
    static void publish(Path file, String text) throws IOException {
      Path place = file.toAbsolutePath();
      Files.createDirectories(place.getParent());
      Path draft = Files.createTempFile(place.getParent(), "." + place.getFileName(), ".draft");
      try {
        Files.writeString(draft, text);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(
            draft, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    }
  }

  /**
   * What nightly found, in {@code nightly/result.json} of a run.
   *
   * @param verdict as in the environment of {@code --on-end}
   * @param baseline compared with
   */
  public record NightRecord(String experiment, String verdict, int exitCode, String baseline) {
    static final String DIRECTORY = "nightly";

    /** Writes the record, and what was found in other forms beside it. */
    void write(Path run, String junit, String markdown) throws IOException {
      Path directory = Files.createDirectories(run.resolve(DIRECTORY));
      OwnerOnly.close(directory);
      WholeFile.write(directory.resolve("junit.xml"), junit);
      WholeFile.write(directory.resolve("summary.md"), markdown);
      WholeFile.write(directory.resolve("result.json"), Json.text(this) + "\n");
    }

    /** Returns the record of a run; empty if nightly did not make it, or it is not over. */
    public static Optional<NightRecord> of(Path run) {
      Path file = run.resolve(DIRECTORY).resolve("result.json");
      try {
        return Files.exists(file)
            ? Optional.of(Json.mapper().readValue(file.toFile(), NightRecord.class))
            : Optional.empty();
      } catch (IOException damaged) {
        return Optional.empty();
      }
    }

    static boolean isIn(Path run, String experiment) {
      return of(run).filter(night -> night.experiment().equals(experiment)).isPresent();
    }
  }
}
