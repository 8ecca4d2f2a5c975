package io.slicewise.cli.commands;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.Percent;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.policy.PolicyMaker;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.follow.Comparison;
import io.slicewise.sweep.policy.LoadMetric;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
import io.slicewise.sweep.policy.PolicyFile;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise policy DIR…}: makes settings that follow the load from runs. */
@Command(
    name = "policy",
    mixinStandardHelpOptions = true,
    description = {
      "Makes settings that follow the load from runs at several loads.",
      "Loads share their settings unless a difference is shown to matter, so most policies have one"
          + " or two bands. Exits with 21 if nothing is better than the baseline at any load."
    })
public final class PolicyCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description = "The run directories: sweeps over users or a rate, or tunes of each load.")
  private List<Path> directories = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "policy.yaml",
      description = "The policy file (default: ${DEFAULT-VALUE}).")
  private Path file;

  @Option(
      names = "--by",
      paramLabel = "LOAD",
      converter = LoadText.class,
      defaultValue = "requests/s",
      description =
          "The load that is followed: requests/s, or 'run share of DOMAIN' (default:"
              + " ${DEFAULT-VALUE}).")
  private LoadMetric by;

  @Option(
      names = "--band",
      paramLabel = "PERCENT",
      converter = Percent.class,
      defaultValue = "2%",
      description = "Changes within this band are too small to matter (default: ${DEFAULT-VALUE}).")
  private double band;

  @Option(
      names = "--proof",
      paramLabel = "DIR",
      description = "Add a comparison made by 'follow --compare' to the policy file, as its proof.")
  private Optional<Path> proof = Optional.empty();

  @Option(names = "--force", description = "Overwrite the policy file.")
  private boolean force;

  @Spec private CommandSpec spec;

  /** Reads the load of a policy. */
  static final class LoadText implements ITypeConverter<LoadMetric> {
    @Override
    public LoadMetric convert(String text) {
      try {
        return LoadMetric.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s' %s".formatted(text, e.getMessage()));
      }
    }
  }

  @Override
  public Integer call() {
    List<RunEvidence> runs = proof.isPresent() ? List.of() : runs();
    io.slicewise.stats.Band matters = new io.slicewise.stats.Band(band);
    Policy policy = proof.map(this::proven).orElseGet(() -> PolicyMaker.of(runs, by, matters));
    PolicyFile.write(file, policy);
    print(
        policy,
        runs.isEmpty() || !policy.isFixed()
            ? Optional.empty()
            : Optional.of(PolicyMaker.findable(runs, by, matters)));
    // Of the baseline nothing is gained.
    boolean kept = policy.isFixed() && policy.bands().get(0).gain().isEmpty();
    return (kept ? ExitCode.KEPT : ExitCode.OK).code();
  }

  private List<RunEvidence> runs() {
    if (directories.isEmpty()) {
      throw SlicewiseException.input(
          "no run is named", "name the runs: slicewise policy DIR…, or a comparison: --proof DIR");
    }
    if (Files.exists(file) && !force) {
      throw SlicewiseException.input(
          file + " exists", "name another file with --output, or overwrite it with --force");
    }
    PrintWriter err = spec.commandLine().getErr();
    return directories.stream()
        .map(directory -> RunEvidence.of(Damages.loaded(err, RunDirectory.open(directory))))
        .toList();
  }

  private Policy proven(Path comparison) {
    if (!directories.isEmpty()) {
      throw SlicewiseException.input(
          "--proof adds a comparison to %s, and runs make a new policy".formatted(file),
          "use one of them at a time");
    }
    Policy policy = PolicyFile.read(file);
    return policy.proven(Comparison.proof(policy, comparison));
  }

  /**
   * Prints the policy.
   *
   * @param findable of a policy of one setting, which differences would have made it one of several
   */
  private void print(Policy policy, Optional<String> findable) {
    PrintWriter out = spec.commandLine().getOut();
    LabelledLines lines = new LabelledLines(Terminal.tableWidth());
    Band first = policy.bands().get(0);
    out.println(
        policy.isFixed()
            ? "Keep one setting, %s: no load is shown to need another one"
                .formatted(first.profile())
            : "%d bands of %s".formatted(policy.bands().size(), policy.load()));
    for (Band one : policy.bands()) {
      lines.add(
          "Band",
          "%s  %s  (measured %s)"
              .formatted(
                  Double.isInfinite(one.to())
                      ? "from " + policy.load().text(one.from())
                      : policy.load().range(one.from(), one.to()),
                  one.profile(),
                  policy.load().range(one.measuredFrom(), one.measuredTo())));
      one.gain().ifPresent(gain -> lines.add("", gain));
    }
    policy
        .proof()
        .ifPresent(
            shown ->
                lines.add(
                    "Proof",
                    Phrase.of(
                        "%s: %+.1f %% [%+.1f, %+.1f] against %s, %d pairs",
                        shown.run(),
                        shown.percent(),
                        shown.low(),
                        shown.high(),
                        shown.against(),
                        shown.pairs())));
    findable.ifPresent(sentence -> lines.add("Power", sentence));
    lines.add("File", file.toString());
    lines.add("Next", next(policy));
    lines.all().forEach(out::println);
  }

  private String next(Policy policy) {
    if (policy.isFixed()) {
      return policy.fixed().equals(SchedulerProfile.AS_FOUND.name())
          ? "keep the settings found"
          : "slicewise apply DIR --profile " + policy.fixed();
    }
    return "slicewise follow %s FILE%s"
        .formatted(
            file,
            policy.proof().isPresent()
                ? ""
                : " --compare, then slicewise policy --proof DIR -o " + file);
  }
}
