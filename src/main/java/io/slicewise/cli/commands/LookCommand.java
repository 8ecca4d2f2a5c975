package io.slicewise.cli.commands;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.draft.TrialDraft;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LookScreen;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.look.Ceiling.Verdict;
import io.slicewise.evidence.look.HostLook;
import io.slicewise.evidence.look.Look;
import io.slicewise.experiment.HostSpec;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LineFormats;
import io.slicewise.load.access.Selection;
import io.slicewise.ssh.Shells;
import io.slicewise.sweep.guard.HostShells;
import java.time.Duration;
import java.time.Instant;
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

/** {@code slicewise look [HOST]}: what CPU scheduling can gain on a host at most. */
@Command(
    name = "look",
    mixinStandardHelpOptions = true,
    description = {
      "Shows who waits for CPU time on a host, and how much of each guest's response time CPU"
          + " scheduling can take away at most. Takes half a minute; changes nothing."
    })
public final class LookCommand implements Callable<Integer> {
  private static final Duration SHORTEST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final String LAB = "the embedded lab";

  @Parameters(
      paramLabel = "HOST",
      arity = "0..1",
      defaultValue = HostSpec.THIS_MACHINE,
      description = "The host's address or alias (default: this machine).")
  private String host;

  @Option(
      names = "--lab",
      description = "Look at the embedded lab, where a batch guest competes with a site's guests.")
  private boolean lab;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = FollowCommand.Time.class,
      description = "How long to look, 2s to 1h (default: ${DEFAULT-VALUE}).")
  private Duration length;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "An access log on the host; its requests in that time are counted. The lab has its own.")
  private Optional<String> log = Optional.empty();

  @Option(
      names = "--log-format",
      paramLabel = "NAME",
      defaultValue = "nginx",
      description =
          "The format of the log: nginx or apache as 'slicewise init traffic' configures them,"
              + " haproxy, caddy (default: ${DEFAULT-VALUE}).")
  private String format;

  @Option(
      names = "--hypervisor",
      paramLabel = "NAME",
      description = "xen, libvirt or groups (default: the one that the host has).")
  private Optional<String> hypervisor = Optional.empty();

  @Option(names = "--sudo", description = "Call the host's tools through sudo -n.")
  private boolean sudo;

  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  /** The answer in front of the numbers, and the command to type next. */
  private record Answered(
      Verdict answer, List<String> sentences, @JsonUnwrapped Look look, String next) {}

  @Override
  public Integer call() {
    check();
    if (!lab) {
      print(look(HostSpec.of(host, hypervisor, sudo), name(), log, format));
      return ExitCode.OK.code();
    }
    try (EmbeddedHost embedded = EmbeddedHost.forExperiment(TrialDraft.visitedLab())) {
      Map<?, ?> site = (Map<?, ?>) embedded.experiment().workload().options().get("log");
      print(
          look(
              embedded.experiment().namedHost(),
              LAB,
              Optional.of((String) site.get("path")),
              (String) site.get("format")));
    }
    return ExitCode.OK.code();
  }

  private String name() {
    return host.equals(HostSpec.THIS_MACHINE) ? "this machine" : host;
  }

  private void check() {
    if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
      throw SlicewiseException.input(
          "--for %s is not within %s and %s"
              .formatted(
                  DurationText.of(length), DurationText.of(SHORTEST), DurationText.of(LONGEST)),
          "30s is usual; take 5m where the load changes from minute to minute");
    }
    List<String> usable =
        LineFormats.NAMES.stream()
            .filter(name -> !List.of("json", "pattern").contains(name))
            .toList();
    if (!usable.contains(format)) {
      throw SlicewiseException.input(
          "--log-format '%s' is not one of %s".formatted(format, String.join(", ", usable)),
          "a log of another format needs an experiment: slicewise help traffic");
    }
    if (lab && (log.isPresent() || hypervisor.isPresent() || !host.equals(HostSpec.THIS_MACHINE))) {
      throw SlicewiseException.input(
          "--lab is a host of its own, with its own log", "leave HOST, --log and --hypervisor out");
    }
  }

  private Look look(HostSpec there, String name, Optional<String> file, String lines) {
    Optional<AccessLog> followed =
        file.map(
            path ->
                AccessLog.follow(
                    lab ? Shells::local : () -> HostShells.open(there),
                    path,
                    LineFormats.named(lines),
                    new Selection(Map.of(), Selection.LASTING, Selection.DOWNLOAD, Map.of())));
    try {
      if (!output.quiet()) {
        spec.commandLine()
            .getErr()
            .println(
                "looking at %s for %s; nothing is changed"
                    .formatted(name, DurationText.spaced(length)));
        spec.commandLine().getErr().flush();
      }
      return new HostLook(there, name, followed, LookCommand::await).over(length);
    } finally {
      followed.ifPresent(AccessLog::close);
    }
  }

  private static void await(Instant time) {
    try {
      Thread.sleep(Math.max(0, Duration.between(Instant.now(), time).toMillis()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(Look look) {
    String next = next(look);
    output.print(
        new Answered(look.answer(), look.sentences(), look, next),
        () -> LookScreen.lines(look, next, Terminal.width()));
  }

  /** Returns the one command to type next. */
  private String next(Look look) {
    String at = lab ? "--lab" : host;
    String again = "slicewise look %s --for 5m".formatted(at);
    return switch (look.answer()) {
      case UNKNOWN -> "slicewise help observers";
      case CAPPED, GAIN, SATURATED ->
          look.proposal()
              .map(setting -> "slicewise try %s '%s'".formatted(at, setting))
              .orElse("slicewise knobs " + (lab ? "experiments/demo.yaml" : at));
      default -> again;
    };
  }
}
