package io.slicewise.host.monitor;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records runstate changes with xentrace and summarizes them with xenalyze on the host. The trace
 * is large and stays there; only the summary is fetched.
 */
record XenalyzeMonitor(Host host, HostDescription description, Clock clock, List<String> remarks)
    implements Monitor {
  /** Runstate changes only: a tenth of the data of all scheduler events. */
  private static final String RUNSTATES = "0x00021000";

  /** Megabytes that xentrace always leaves free on the disk. */
  private static final String DISK_RESERVE = "512";

  private static final Duration SLACK = Duration.ofSeconds(15);

  /** It ends by itself so long after the planned end of the window, unless it is asked before. */
  private static final Duration LONGER = Duration.ofSeconds(2);

  private static final Duration SHORTEST_LIMIT = Duration.ofMinutes(3);
  private static final double CLOCKS_AGREE = 0.1;

  /** Its start and end are known to about a round trip. */
  private static final double EDGES_SECONDS = 0.5;

  XenalyzeMonitor {
    remarks = List.copyOf(remarks);
  }

  @Override
  public String name() {
    return "xenalyze";
  }

  /**
   * Returns a short lead time, because a summary covers the whole trace, including the time before
   * the window.
   */
  @Override
  public Duration leadTime() {
    return Duration.ofMillis(500);
  }

  @Override
  public Watch start(Duration length, List<Domain> domains, Path directory) {
    return new XenalyzeWatch(this, length, List.copyOf(domains), directory);
  }

  private double hertz() {
    return description.cpuMegahertz() * 1e6;
  }

  /** One trace. */
  private static final class XenalyzeWatch implements Watch {
    private final XenalyzeMonitor monitor;
    private final Duration length;
    private final List<Domain> domains;
    private final Path directory;
    private final HostProgram program;
    private final List<String> warnings = new ArrayList<>();
    private Optional<RunningCommand> end = Optional.empty();
    private Instant ended;

    XenalyzeWatch(XenalyzeMonitor monitor, Duration length, List<Domain> domains, Path directory) {
      this.monitor = monitor;
      this.length = Duration.ofSeconds(length.plus(LONGER).plusMillis(999).toSeconds());
      this.domains = domains;
      this.directory = directory;
      this.program =
          HostProgram.start(
              monitor.host, monitor.clock, this.length.plus(SLACK).multipliedBy(2), this::xentrace);
      this.ended = program.started().plus(this.length);
    }

    /** A summary is of the whole trace, so the trace ends with the window. */
    @Override
    public void end() {
      ended = monitor.clock.instant();
      end = Optional.of(program.askToEnd());
    }

    @Override
    public void awaitEnd(Duration longest) {
      program.awaitEnd(longest);
    }

    private List<String> xentrace(RemoteDirectory remote) {
      return List.of(
          "xentrace",
          "-D",
          "-r",
          DISK_RESERVE,
          "-e",
          RUNSTATES,
          "-T",
          String.valueOf(length.toSeconds()),
          remote.file("trace"));
    }

    @Override
    public MonitorResult result(Window window) {
      Optional<CommandResult> end =
          program.awaitEnd(
              program.started().plus(length.multipliedBy(21).dividedBy(20)).plus(SLACK));
      HostProgram.fault("xentrace", end).ifPresent(warnings::add);
      CommandResult summary = monitor.host.read(limit(), xenalyze());
      close();
      HostProgram.fault("xenalyze", Optional.of(summary)).ifPresent(warnings::add);
      LogLines.write(directory.resolve("xenalyze-summary.txt.gz"), summary.standardOutput());
      return result(XenalyzeSummary.of(summary.standardOutput()), window);
    }

    /** xenalyze reads every record three times and may run on an emulated or busy machine. */
    private Duration limit() {
      Duration scaled = length.multipliedBy(10);
      return scaled.compareTo(SHORTEST_LIMIT) > 0 ? scaled : SHORTEST_LIMIT;
    }

    private List<String> xenalyze() {
      List<String> words = new ArrayList<>(List.of("xenalyze"));
      if (Double.isFinite(monitor.hertz())) {
        words.add(Phrase.of("--cpu-hz=%.3fM", monitor.description.cpuMegahertz()));
      }
      words.add("--summary");
      words.add(program.directory().file("trace"));
      return words;
    }

    private MonitorResult result(XenalyzeSummary summary, Window window) {
      XenalyzeReduction reduction = new XenalyzeReduction(summary, monitor.hertz());
      warnings.addAll(summary.damage().sentences("xenalyze's summary"));
      List<DomainShares> shares = domains.stream().map(reduction::shares).toList();
      warnings.addAll(Accounting.overCommitted(shares, monitor.description.pcpus()));
      return new MonitorResult("xenalyze", covered(reduction, window), shares, List.of(), warnings);
    }

    private Window covered(XenalyzeReduction reduction, Window window) {
      if (!reduction.usable()) {
        warnings.add("xenalyze did not print the length of the trace: nothing was measured");
        return new Window(window.start(), window.start());
      }
      double seconds = reduction.seconds(monitor.hertz());
      double traced = new Window(program.started(), ended).seconds();
      if (Math.abs(seconds - traced) > CLOCKS_AGREE * traced + EDGES_SECONDS) {
        warnings.add(
            Phrase.of(
                "the trace lasts %.2f s at the host's clock rate, but %.2f s were traced",
                seconds, traced));
      }
      Instant to = program.started().plusNanos((long) (seconds * 1e9));
      return Accounting.covered(program.started(), to, window);
    }

    @Override
    public void close() {
      end.ifPresent(RunningCommand::close);
      program.close();
    }
  }
}
