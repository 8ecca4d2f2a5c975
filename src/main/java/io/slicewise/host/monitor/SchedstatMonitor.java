package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Accounts;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
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
import java.util.function.Function;

/**
 * Watches guests through the kernel's counters at both ends of the window. A reading is one command
 * for all guests, which needs no privilege and leaves no files.
 *
 * @param finder finds the counters of guests
 */
record SchedstatMonitor(
    String name,
    Host host,
    HostDescription description,
    Clock clock,
    Function<List<Domain>, Accounts> finder,
    Optional<Accounts> known)
    implements Monitor {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @Override
  public boolean runsForALength() {
    return false;
  }

  @Override
  public Monitor ready(List<Domain> domains) {
    return new SchedstatMonitor(
        name, host, description, clock, finder, Optional.of(finder.apply(domains)));
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
    private final Accounts accounts;
    private final Asked first;
    private Optional<Asked> last = Optional.empty();

    /** A reading that was asked for. */
    private record Asked(Instant when, RunningCommand running) {
      /** The middle of its round trip. */
      Instant moment(CommandResult answer) {
        return when.plus(answer.elapsed().dividedBy(2));
      }
    }

    SchedstatWatch(SchedstatMonitor monitor, List<Domain> domains, Path directory) {
      this.monitor = monitor;
      this.domains = domains;
      this.directory = directory;
      this.accounts = monitor.known.orElseGet(() -> monitor.finder.apply(domains));
      this.first = ask();
    }

    private Asked ask() {
      Instant now = monitor.clock.instant();
      return new Asked(now, monitor.host.shell().start(accounts.reading().within(LIMIT)));
    }

    @Override
    public void end() {
      last = Optional.of(ask());
    }

    @Override
    public void awaitEnd(Duration longest) {
      last.ifPresent(asked -> answer(asked, longest, new ArrayList<>()));
    }

    @Override
    public MonitorResult result(Window window) {
      List<String> warnings = new ArrayList<>();
      Optional<CommandResult> began = answer(first, LIMIT, warnings);
      Optional<CommandResult> ended = last.flatMap(asked -> answer(asked, LIMIT, warnings));
      LogLines.write(
          directory.resolve(monitor.name() + ".txt.gz"), text(began) + "\n" + text(ended));
      Optional<Function<Domain, Accounts.Used>> used = accounts.between(text(began), text(ended));
      if (used.isEmpty()) {
        warnings.add("the kernel's counters could not be read: no shares are measured");
        return new MonitorResult(
            monitor.name(),
            new Window(window.start(), window.start()),
            domains.stream()
                .map(domain -> Accounting.unknown(domain, "its counters could not be read"))
                .toList(),
            List.of(),
            warnings);
      }
      List<DomainShares> all =
          domains.stream().map(domain -> shares(domain, used.get().apply(domain))).toList();
      warnings.addAll(Accounting.overCommitted(all, monitor.description.pcpus()));
      Window covered =
          Accounting.covered(
              first.moment(began.orElseThrow()),
              last.orElseThrow().moment(ended.orElseThrow()),
              window);
      return new MonitorResult(monitor.name(), covered, all, List.of(), warnings);
    }

    private static DomainShares shares(Domain domain, Accounts.Used used) {
      return Double.isNaN(used.run())
          ? Accounting.unknown(domain, String.join("; ", used.notes()))
          : Accounting.shares(domain, used.run(), used.waiting(), used.notes())
              .with(used.measured(), used.takers());
    }

    private static Optional<CommandResult> answer(
        Asked asked, Duration longest, List<String> warnings) {
      try {
        return asked.running().await(longest);
      } catch (RemoteShellException fault) {
        warnings.add("the kernel's counters were not read: " + fault.getMessage());
        return Optional.empty();
      }
    }

    private static String text(Optional<CommandResult> answer) {
      return answer.map(CommandResult::standardOutput).orElse("");
    }

    @Override
    public void close() {
      first.running().close();
      last.ifPresent(asked -> asked.running().close());
    }
  }
}
