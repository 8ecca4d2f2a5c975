package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.ssh.CommandResult;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Watches with xenmon, writing logs at intervals of one second.
 *
 * <p>The wall-clock time of a row: xenmon starts xenbaked, sleeps one second and takes pass 0, when
 * its own clock ({@code passed}) is 0. So 0 is the start of xenmon + the start-up time of Python
 * (measured when probing with {@code --help}) + 1 s, by the harness's clock; the host's clock is
 * not used. The error is half a round trip and the difference between two starts of Python,
 * together well under the one second a row lasts.
 *
 * @param command the program and its prefix
 * @param startUp the time from its start to its first working line
 */
record XenmonMonitor(
    Host host,
    HostDescription description,
    List<String> command,
    Duration startUp,
    Clock clock,
    List<String> remarks)
    implements Monitor {
  private static final Duration COLLECTOR_HEAD_START = Duration.ofSeconds(1);
  private static final Duration SLACK = Duration.ofSeconds(15);

  XenmonMonitor {
    command = List.copyOf(command);
    remarks = List.copyOf(remarks);
  }

  @Override
  public String name() {
    return "xenmon";
  }

  /** Returns the lead time: start-up, xenbaked's second, one pass to discard, and a margin. */
  @Override
  public Duration leadTime() {
    return COLLECTOR_HEAD_START.plus(startUp).plusMillis(500);
  }

  @Override
  public Watch start(Duration length, List<Domain> domains, Path directory) {
    long seconds = Math.max(2, length.minus(COLLECTOR_HEAD_START).plusMillis(999).toSeconds());
    HostProgram program =
        HostProgram.start(
            host,
            clock,
            Duration.ofSeconds(seconds).plus(SLACK).multipliedBy(2),
            remote -> xenmon(remote, seconds));
    Instant zero = program.started().plus(startUp).plus(COLLECTOR_HEAD_START);
    return new XenmonWatch(this, List.copyOf(domains), directory, program, zero, seconds);
  }

  private List<String> xenmon(RemoteDirectory remote, long seconds) {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("-n", "-p", remote.file("log")));
    words.addAll(List.of("-t", String.valueOf(seconds), "-i", "1000"));
    return words;
  }

  /** One run of xenmon. */
  private static final class XenmonWatch implements Watch {
    private final XenmonMonitor monitor;
    private final List<Domain> domains;
    private final Path directory;
    private final HostProgram program;
    private final Instant zero;
    private final Instant deadline;
    private final List<String> warnings = new ArrayList<>();

    XenmonWatch(
        XenmonMonitor monitor,
        List<Domain> domains,
        Path directory,
        HostProgram program,
        Instant zero,
        long seconds) {
      this.monitor = monitor;
      this.domains = domains;
      this.directory = directory;
      this.program = program;
      this.zero = zero;
      this.deadline = zero.plusSeconds(seconds + seconds / 20).plus(SLACK);
    }

    @Override
    public MonitorResult result(Window window) {
      Optional<CommandResult> end = program.awaitEnd(deadline);
      HostProgram.fault("xenmon", end).ifPresent(warnings::add);
      List<XenmonLog> logs =
          program.directory().names().stream()
              .filter(name -> name.endsWith(".log"))
              .map(name -> XenmonLog.read(program.directory().fetch(name, directory)))
              .toList();
      close();
      return XenmonLogs.reduce(logs, monitor.description, zero, window, domains, warnings);
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
