package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.libvirt.GuestThreads;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RunningCommand;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Watches the threads of libvirt's guests through the kernel's counters at both ends of the window.
 * A reading is one command for all guests, which needs no privilege and leaves no files.
 */
record SchedstatMonitor(
    Host host, HostDescription description, Clock clock, Optional<GuestThreads> known)
    implements Monitor {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Override
  public String name() {
    return "schedstat";
  }

  @Override
  public boolean runsForALength() {
    return false;
  }

  @Override
  public Monitor ready(List<Domain> domains) {
    return new SchedstatMonitor(host, description, clock, Optional.of(found(domains)));
  }

  private GuestThreads found(List<Domain> domains) {
    return GuestThreads.find(host.shell(), host.sudo(), domains);
  }

  @Override
  public Watch start(Duration length, List<Domain> domains, Path directory) {
    return new SchedstatWatch(this, List.copyOf(domains), directory);
  }

  /** Both readings of one window. */
  private static final class SchedstatWatch implements Watch {
    private final SchedstatMonitor monitor;
    private final List<Domain> domains;
    private final Path directory;
    private final GuestThreads threads;
    private final Instant begun;
    private final String first;
    private Optional<RunningCommand> last = Optional.empty();

    SchedstatWatch(SchedstatMonitor monitor, List<Domain> domains, Path directory) {
      this.monitor = monitor;
      this.domains = domains;
      this.directory = directory;
      this.threads = monitor.known.orElseGet(() -> monitor.found(domains));
      this.begun = monitor.clock.instant();
      this.first = monitor.host.shell().run(threads.reading().within(LIMIT)).standardOutput();
    }

    @Override
    public void end() {
      last = Optional.of(monitor.host.shell().start(threads.reading().within(LIMIT)));
    }

    @Override
    public MonitorResult finish(Window window) {
      List<String> warnings = new ArrayList<>();
      String second = second(warnings);
      LogLines.write(directory.resolve("schedstat.txt.gz"), first + "\n" + second);
      Optional<GuestThreads.Reading> before = threads.parse(first);
      Optional<GuestThreads.Reading> after = threads.parse(second);
      if (before.isEmpty() || after.isEmpty()) {
        warnings.add("the threads' counters could not be read: no shares are measured");
        return new MonitorResult(
            monitor.name(),
            new Window(window.start(), window.start()),
            domains.stream()
                .map(domain -> Accounting.unknown(domain, "its threads could not be read"))
                .toList(),
            List.of(),
            warnings);
      }
      ThreadShares shares = new ThreadShares(before.get(), after.get());
      List<DomainShares> all = domains.stream().map(shares::of).toList();
      warnings.addAll(Accounting.overCommitted(all, monitor.description.pcpus()));
      Instant from = begun.isAfter(window.start()) ? begun : window.start();
      return new MonitorResult(
          monitor.name(), new Window(from, window.end()), all, List.of(), warnings);
    }

    private String second(List<String> warnings) {
      try {
        Optional<CommandResult> answer = last.flatMap(running -> running.await(LIMIT));
        return answer.map(CommandResult::standardOutput).orElse("");
      } catch (RemoteShellException fault) {
        warnings.add("the threads' counters were not read at the end: " + fault.getMessage());
        return "";
      }
    }

    @Override
    public void close() {
      last.ifPresent(RunningCommand::close);
    }
  }
}
