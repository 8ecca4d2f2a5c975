package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.draft.TrialDraft;
import io.slicewise.cli.draft.TrialDraft.Judge;
import io.slicewise.cli.draft.TriedSetting;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Question;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.look.HostLook;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command.Effect;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.sweep.guard.HostShells;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

/** {@code slicewise try [HOST] 'GUEST: SETTING'}: is this setting better than the one found? */
@Command(
    name = "try",
    mixinStandardHelpOptions = true,
    description = {
      "Compares a setting of a guest with the one that it has, in pairs of windows whose order"
          + " coins decide. Shows what it will change and asks; restores the host at the end.",
      "For example: slicewise try --lab web: weight 1024"
    })
public final class TryCommand implements Callable<Integer> {
  private static final Duration LAB_TIME = Duration.ofMinutes(2);

  /** A first answer on the lab may be undecided, but not late. */
  private static final Duration LAB_PATIENCE = Duration.ofSeconds(10);

  private static final Duration TIME = Duration.ofMinutes(10);
  private static final Duration LONGEST_COMMAND = Duration.ofMinutes(5);

  @Parameters(
      paramLabel = "[HOST] 'GUEST: SETTING'",
      arity = "1..*",
      description =
          "The host's address (default: this machine), and each guest with its parameters, as in"
              + " 'web: weight 1024, cap 0', 'nginx.service: shares 4096', 'batch.service: idle'."
              + " cpuunits, CPUWeight, cpu-shares and CPUQuota are understood, too.")
  private List<String> words = new ArrayList<>();

  @Option(names = "--lab", description = "Try it on the embedded lab: web, files, db and batch.")
  private boolean lab;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Judge by the mean response time of this page, which users fetch from here.")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--users",
      paramLabel = "N",
      defaultValue = "10",
      description = "Users at once, of --url and of the lab (default: ${DEFAULT-VALUE}).")
  private int users;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "Judge by the response times in a site's access log on the host.")
  private Optional<String> log = Optional.empty();

  @Option(
      names = "--log-format",
      paramLabel = "NAME",
      defaultValue = "nginx",
      description = "nginx, apache, haproxy or caddy (default: ${DEFAULT-VALUE}).")
  private String format;

  @Option(
      names = "--command",
      paramLabel = "COMMAND",
      description = "Judge by how long this command of a shell takes, which runs here.")
  private Optional<String> command = Optional.empty();

  @Option(
      names = "--judge",
      paramLabel = "GUEST",
      description =
          "The guest that is judged: the one through which requests pass, or whose own wait decides"
              + " without --url, --log and --command (default: the first one named).")
  private Optional<String> judged = Optional.empty();

  @Option(
      names = "--at-most",
      paramLabel = "TIME",
      converter = FollowCommand.Time.class,
      description = "When to end undecided (default: 10m, on the lab 2m).")
  private Optional<Duration> most = Optional.empty();

  @Option(
      names = "--window",
      paramLabel = "TIME",
      converter = FollowCommand.Time.class,
      description =
          "How long each window measures (default: 10s, on the lab 2s; with --command twice its"
              + " time).")
  private Optional<Duration> window = Optional.empty();

  @Option(
      names = "--hypervisor",
      paramLabel = "NAME",
      description = "xen, libvirt or groups (default: the one that the host has).")
  private Optional<String> hypervisor = Optional.empty();

  @Option(names = "--sudo", description = "Call the host's tools through sudo -n.")
  private boolean sudo;

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create the run directory (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Mixin private RunOptions run;
  @Mixin private BusyMachine busy;
  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  /** What was read of the host, and the experiment that follows from it. */
  private record Drawn(Experiment experiment, List<String> lines) {}

  @Override
  public Integer call() {
    check();
    boolean named = !lab && words.size() > 1 && !words.get(0).contains(":");
    String host = named ? words.get(0) : HostSpec.THIS_MACHINE;
    List<TriedSetting> tried = TriedSetting.of(named ? words.subList(1, words.size()) : words);
    Drawn drawn = drawn(host, tried);
    if (!agreed(drawn)) {
      spec.commandLine().getOut().println("nothing was changed");
      return ExitCode.OK.code();
    }
    RunConsole console =
        new RunConsole(
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output,
            verbosity,
            lab ? busy.patient(run.sweep(), LAB_PATIENCE) : busy.patient(run.sweep()));
    int code = console.begin(busy.judged(drawn.experiment()), results);
    if (!output.json()) {
      console
          .ended()
          .ifPresent(
              ended ->
                  spec.commandLine()
                      .getOut()
                      .println(
                          "File    %s (edit it, then: slicewise run FILE)"
                              .formatted(ended.experimentFile())));
    }
    return code;
  }

  private void check() {
    long judges = List.of(url, log, command).stream().filter(Optional::isPresent).count();
    if (judges > 1) {
      throw SlicewiseException.input(
          "--url, --log and --command are three ways to judge one trial", "choose one of them");
    }
    if (lab && (log.isPresent() || url.isPresent() || hypervisor.isPresent())) {
      throw SlicewiseException.input(
          "--lab has a site of its own, with its own load",
          "leave --url, --log and --hypervisor out");
    }
    if (users < 1) {
      throw SlicewiseException.input("--users %d is less than 1".formatted(users), "as in 10");
    }
  }

  private Drawn drawn(String host, List<TriedSetting> tried) {
    if (lab) {
      try (EmbeddedHost embedded = EmbeddedHost.toLookAt(TrialDraft.lab())) {
        return drawn(embedded.experiment().namedHost(), "the embedded lab", tried);
      }
    }
    return drawn(HostSpec.of(host, hypervisor, sudo), host, tried);
  }

  private Drawn drawn(HostSpec there, String name, List<TriedSetting> tried) {
    try (RemoteShell shell = HostShells.open(there)) {
      Hypervisor found = HostLook.hypervisor(shell, there);
      HostDescription description = found.describe();
      List<Setting> settings = found.settings();
      String guest = judged.orElse(tried.get(0).guest());
      if (found.domains().stream().noneMatch(domain -> domain.name().equals(guest))) {
        throw SlicewiseException.input(
            "there is no guest '%s' to judge".formatted(guest),
            "slicewise look %s lists the guests".formatted(lab ? "--lab" : name));
      }
      Judge judge = judge(guest);
      Experiment experiment =
          TrialDraft.of(
              lab ? Optional.empty() : Optional.of(there.with(found.kind().product())),
              description,
              settings,
              tried,
              judge instanceof Judge.Site && judged.isEmpty() ? TrialDraft.SITE : List.of(guest),
              judge,
              window,
              most.orElse(lab ? LAB_TIME : TIME));
      return new Drawn(experiment, lines(name, found, settings, experiment, judge));
    }
  }

  private Judge judge(String guest) {
    if (url.isPresent()) {
      return new Judge.Page(
          url.get(),
          users,
          Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans", "page.jmx")
              .toAbsolutePath());
    }
    if (log.isPresent()) {
      return new Judge.Log(log.get(), format);
    }
    if (command.isPresent()) {
      return new Judge.Run(command.get(), takes(command.get()));
    }
    return lab && judged.isEmpty() ? new Judge.Site(users) : new Judge.Wait(guest);
  }

  /** Runs the command once, with the settings found, to know how long its windows have to be. */
  private static Duration takes(String command) {
    try (RemoteShell here = Shells.local()) {
      CommandResult once =
          here.run(
              new io.slicewise.ssh.Command(
                  TrialDraft.timed(command), LONGEST_COMMAND, Effect.CHANGES));
      if (!once.succeeded()) {
        throw SlicewiseException.input(
            "the command '%s' ended with status %d: %s"
                .formatted(command, once.exitStatus(), once.standardError().strip()),
            "run it by hand first");
      }
      return once.elapsed();
    }
  }

  /** Returns what is going to happen, in a few lines. */
  private List<String> lines(
      String name, Hypervisor found, List<Setting> settings, Experiment experiment, Judge judge) {
    LabelledLines lines = new LabelledLines(Terminal.width());
    Map<String, SchedulerParameters> wanted = experiment.profile("tried").byDomain();
    for (Setting now : settings) {
      SchedulerParameters then = wanted.get(now.target().name());
      if (then != null) {
        lines.add(
            "TRY",
            "%s on %s: %s -> %s"
                .formatted(
                    now.target().name(),
                    name,
                    ParametersText.of(now.parameters()),
                    ParametersText.of(then)));
        found
            .commandsFor(now.target(), now.parameters(), then)
            .forEach(command -> lines.add("Change", command.quoted()));
      }
    }
    PairsDesign pairs = experiment.pairs().orElseThrow();
    lines.add("Judge", words(judge));
    lines.add(
        "Time",
        "%s at most, less once it is decided; pairs of windows in an order that coins decide, %d at least"
            .formatted(DurationText.spaced(pairs.most().time()), TrialDraft.FEWEST_PAIRS));
    lines.add(
        "Cost",
        "half of that time with the new settings, which end early where they look harmful;"
            + " the settings found are restored and verified at the end");
    return lines.all();
  }

  private static String words(Judge judge) {
    if (judge instanceof Judge.Site site) {
      return "mean response time of the lab's site, loaded by %d users".formatted(site.users());
    }
    if (judge instanceof Judge.Page page) {
      return "mean response time of %s, which %d users fetch from this machine without a pause"
          .formatted(page.url(), page.users());
    }
    if (judge instanceof Judge.Log site) {
      return "response times in %s, of the site's own visitors".formatted(site.path());
    }
    if (judge instanceof Judge.Run work) {
      return "seconds that '%s' takes, %s a moment ago"
          .formatted(work.command(), DurationText.spaced(work.takes()));
    }
    return "share of its time that %s waits for a pCPU, under the load that it has"
        .formatted(((Judge.Wait) judge).guest());
  }

  private boolean agreed(Drawn drawn) {
    PrintWriter out = output.json() ? spec.commandLine().getErr() : spec.commandLine().getOut();
    drawn.lines().forEach(out::println);
    out.flush();
    if (yes) {
      return true;
    }
    if (!Terminal.isInteractive()) {
      throw SlicewiseException.input(
          "there is no terminal to confirm on", "add --yes to start the trial");
    }
    return Question.agreed(out, "Start?");
  }
}
