package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Question;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.report.Advice;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.sweep.HostApply;
import io.slicewise.sweep.guard.SettingChange;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slicewise apply DIR}: sets a profile of a run on its host and records how to undo it. */
@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    description =
        "Sets a profile of a run on the run's host. Shows every command and its undo, asks for"
            + " confirmation, records the current settings and verifies the new ones. Undo it with"
            + " slicewise restore.")
public final class ApplyCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "The profile (default: the one that recommend chooses).")
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--durable",
      description =
          "Set what the platform keeps for the guests' next start: virsh --config, files of"
              + " systemd, docker update, podman update, qm set, pct set, xe vm-param-set. With"
              + " libvirt and Xen, the guests that run keep their settings.")
  private boolean durable;

  @Option(
      names = "--write",
      description =
          "With --durable, change configuration files of Xen's domains, too; otherwise the commands"
              + " for them are printed.")
  private boolean write;

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(names = "--dry-run", description = "Show the commands without sending them.")
  private boolean dryRun;

  @Mixin private RunOptions options;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    LoadedRun run = choice.run();
    Experiment experiment = run.experiment();
    SchedulerProfile wanted = profile(run, experiment);
    if (experiment.lab().isPresent()) {
      throw SlicewiseException.input(
          "the embedded lab of %s ended with its run".formatted(run.name()),
          "there is no host left to change");
    }
    if (profile.isEmpty() && !run.origin().workedOnHost()) {
      throw SlicewiseException.input(
          "%s was %s, not measured on this host".formatted(run.name(), run.origin().kind().word()),
          "measure with slicewise run first, or apply it anyway with --profile " + wanted.name());
    }
    HostApply apply =
        new HostApply(
            run.directory(),
            experiment,
            wanted,
            durable ? HostApply.Lasting.DURABLE : HostApply.Lasting.UNTIL_NEXT_START,
            options.sweep(),
            Clock.systemUTC());
    boolean[] shown = {false};
    Optional<HostApply.Applied> applied =
        apply.apply(
            (changes, inFiles) -> {
              shown[0] = true;
              show(out, run.origin(), wanted.name(), changes);
              if (inFiles && !write) {
                out.println("Files   that people edit: --write sends the commands");
                return false;
              }
              return !dryRun && (yes || agreed(out));
            });
    if (applied.isEmpty()) {
      out.println(
          shown[0]
              ? "nothing was changed"
              : "nothing to do: the host already %s %s"
                  .formatted(durable ? "keeps" : "runs", wanted.name()));
    } else {
      print(out, applied.get());
    }
    return ExitCode.OK.code();
  }

  private SchedulerProfile profile(LoadedRun run, Experiment experiment) {
    String name =
        profile
            .or(() -> Advice.of(run).profile())
            .orElseThrow(
                () ->
                    SlicewiseException.input(
                        "the run recommends no profile",
                        "slicewise recommend shows why; choose a profile yourself with --profile"
                            + " NAME"));
    if (name.equals(SchedulerProfile.AS_FOUND.name())) {
      throw SlicewiseException.input(
          "as-found sets nothing", "slicewise restore undoes an earlier apply");
    }
    return experiment.profiles().stream()
        .filter(one -> SchedulerProfile.isCalled(name, one.name()))
        .findFirst()
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "the run has no profile " + name,
                    "it has "
                        + experiment.profiles().stream()
                            .map(SchedulerProfile::name)
                            .collect(Collectors.joining(", "))));
  }

  private static void show(
      PrintWriter out, Origin origin, String name, List<SettingChange> changes) {
    out.println("APPLY   " + name);
    LabelledLines lines = new LabelledLines(Terminal.tableWidth());
    if (!origin.workedOnHost()) {
      lines.add("Basis", origin.sentence());
    }
    for (SettingChange change : changes) {
      lines.add("Change", change.domain() + ": " + change.found() + " -> " + change.wanted());
      change.commands().forEach(command -> lines.add("", "      " + command));
      change.undo().forEach(command -> lines.add("", "undo  " + command));
    }
    lines.all().forEach(out::println);
  }

  private static boolean agreed(PrintWriter out) {
    if (!Terminal.isInteractive()) {
      throw SlicewiseException.input(
          "there is no terminal to confirm on",
          "check the commands with --dry-run, then use --yes");
    }
    return Question.agreed(out, "Send these commands?");
  }

  private static void print(PrintWriter out, HostApply.Applied applied) {
    LabelledLines lines = new LabelledLines(Terminal.tableWidth());
    applied
        .settings()
        .forEach(
            (domain, parameters) ->
                lines.add("Now", domain + "  " + ParametersText.of(parameters) + "  read back"));
    lines.all().forEach(out::println);
    out.println("Undo    slicewise restore " + applied.directory());
  }
}
