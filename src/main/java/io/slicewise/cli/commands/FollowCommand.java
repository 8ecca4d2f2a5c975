package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LivePane;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.report.OpenMetrics;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.sweep.follow.Comparison;
import io.slicewise.sweep.follow.Follower;
import io.slicewise.sweep.policy.BandChoice.Change;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.PolicyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise follow POLICY FILE}: switches a host's settings with its load. */
@Command(
    name = "follow",
    mixinStandardHelpOptions = true,
    description = {
      "Switches a host's settings with its load, by a policy, and restores them at the end.",
      "Ctrl-C and SIGTERM restore the host and end it. If it is killed, the host's dead man's switch"
          + " restores it, or 'slicewise restore' of its directory does."
    })
public final class FollowCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "POLICY", description = "The policy file.")
  private Path policyFile;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "The experiment with the host, its dead man's switch and its access log.")
  private Path site;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Time.class,
      description = "End after this time, such as 8h (default: not before Ctrl-C).")
  private Optional<Duration> limit = Optional.empty();

  @Option(
      names = "--unproven",
      description = "Follow a policy without a proof that it is better than a fixed setting.")
  private boolean unproven;

  @Option(
      names = "--compare",
      description =
          "Compare the policy with its fixed profile, in pairs of windows whose order a coin"
              + " decides.")
  private boolean compare;

  @Option(
      names = "--compare-window",
      paramLabel = "TIME",
      converter = Time.class,
      defaultValue = "10m",
      description = "The length of each window of --compare (default: ${DEFAULT-VALUE}).")
  private Duration window;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "Also write OpenMetrics every 15 s, as for the textfile collector.")
  private Optional<Path> metrics = Optional.empty();

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create the directory of the journal (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Mixin private RunOptions options;
  @Spec private CommandSpec spec;

  /** Reads a time with its unit. */
  static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return DurationText.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'%s' %s".formatted(text, e.getMessage()));
      }
    }
  }

  @Override
  public Integer call() {
    Policy policy = PolicyFile.read(policyFile);
    refuse(policy);
    Clock clock = Clock.systemUTC();
    StopRequest stop = new StopRequest(clock);
    FollowScreen screen =
        new FollowScreen(policy, spec.commandLine().getErr(), Terminal.isInteractive());
    try (EmbeddedHost host = EmbeddedHost.forExperiment(EmbeddedHost.read(site));
        Interrupts interrupts =
            new Interrupts(stop, wish -> screen.notice("stopping; the host is being restored"))) {
      host.notes().forEach(screen::notice);
      Numbered events = new Numbered(screen, policy);
      Follower follower = new Follower(policy, host.experiment(), stop, events, clock);
      if (compare) {
        follower.compare(window);
      }
      RunDirectory run = follower.follow(results, options.sweep(), limit);
      screen.end();
      spec.commandLine()
          .getOut()
          .println("the host is restored and verified; changes: " + run.root() + "/changes.csv");
      if (compare) {
        spec.commandLine().getOut().println(events.compared(run));
      }
      return ExitCode.OK.code();
    }
  }

  private void refuse(Policy policy) {
    if (policy.isFixed()) {
      throw SlicewiseException.input(
          "policy %s has one band: there is nothing to follow".formatted(policy.name()),
          "set its profile with 'slicewise apply'");
    }
    if (policy.proof().isEmpty() && !unproven && !compare) {
      throw SlicewiseException.input(
          "policy %s has no proof that following it is better than keeping %s"
              .formatted(policy.name(), policy.fixed()),
          "compare both with --compare, and add the result with 'slicewise policy --proof DIR'; or"
              + " follow it anyway with --unproven");
    }
    if (compare && policy.load().domain().isPresent()) {
      throw SlicewiseException.input(
          "--compare needs the durations of an access log, and policy %s follows the %s"
              .formatted(policy.name(), policy.load()),
          "make a policy by requests/s, or follow it with --unproven");
    }
  }

  /** Writes OpenMetrics, and passes everything on to the screen. */
  private final class Numbered implements Follower.Listener {
    private static final Duration PAUSE = Duration.ofSeconds(15);

    private final FollowScreen screen;
    private final Policy policy;
    private Instant written = Instant.MIN;
    private Optional<Comparison> last = Optional.empty();

    Numbered(FollowScreen screen, Policy policy) {
      this.screen = screen;
      this.policy = policy;
    }

    @Override
    public void status(Follower.Status status) {
      screen.status(status);
      if (metrics.isPresent() && written.plus(PAUSE).isBefore(status.at())) {
        written = status.at();
        write(metrics.get(), new OpenMetrics(status.at()).add(policy, status).text());
      }
    }

    private void write(Path file, String text) {
      try {
        WholeFile.write(file, text);
      } catch (IOException fault) {
        screen.notice("%s cannot be written: %s".formatted(file, FileFault.reason(fault)));
      }
    }

    @Override
    public void changed(Change change) {
      screen.notice(
          Phrase.of(
              "%s: %s, so %s",
              change.at(), policy.load().text(change.load()), change.to().profile()));
    }

    @Override
    public void compared(Comparison comparison) {
      last = Optional.of(comparison);
      screen.notice(comparison.text());
    }

    /** Returns the result of the comparison, and what to do with it. */
    String compared(RunDirectory run) {
      return last.map(
              ended ->
                  "%s against %s; next: slicewise policy --proof %s -o %s"
                      .formatted(ended.text(), policy.fixed(), run.root(), policyFile))
          .orElse("no pair of windows has ended: nothing is compared");
    }

    @Override
    public void notice(String sentence) {
      screen.notice(sentence);
    }
  }

  /** What {@code follow} shows: a live line on a terminal, and a line for each event. */
  private static final class FollowScreen {
    private final Policy policy;
    private final PrintWriter err;
    private final boolean live;
    private final LivePane pane;

    FollowScreen(Policy policy, PrintWriter err, boolean live) {
      this.policy = policy;
      this.err = err;
      this.live = live;
      this.pane = new LivePane(err, Terminal.width());
    }

    /** Redraws the live line. */
    synchronized void status(Follower.Status status) {
      if (live) {
        pane.draw(List.of(line(status)));
      }
    }

    private String line(Follower.Status status) {
      String load =
          Double.isNaN(status.load()) ? "load unknown" : policy.load().text(status.load());
      return "%s  %s  %s  %d changes%s"
          .formatted(
              policy.name(),
              load,
              status.profile(),
              status.changes(),
              status.outside() ? "  outside the measured loads" : "");
    }

    /** Prints a line above the live one. */
    synchronized void notice(String sentence) {
      if (live) {
        pane.clear();
      }
      err.println(sentence);
      err.flush();
    }

    /** Removes the live line. */
    synchronized void end() {
      if (live) {
        pane.clear();
      }
    }
  }
}
