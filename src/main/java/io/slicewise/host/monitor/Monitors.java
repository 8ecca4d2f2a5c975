package io.slicewise.host.monitor;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.Hypervisors;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the best monitor a host offers, of those that fit its hypervisor: for Xen xenmon, else
 * xentrace with xenalyze, else xentop; for other kinds what their kernel counts; else none. Probing
 * runs programs with {@code --help} and the like and changes nothing.
 */
public final class Monitors {
  private static final List<List<String>> XENMONS =
      List.of(
          List.of("xenmon.py"),
          List.of("xenmon"),
          List.of("env", "PATH=" + Probe.EVERYWHERE, "xenmon.py"),
          List.of("env", "PATH=" + Probe.EVERYWHERE, "xenmon"));

  private Monitors() {}

  /**
   * Returns the best monitor of a host.
   *
   * @param sudo whether its tools are called through {@code sudo -n}
   */
  public static Monitor probe(RemoteShell shell, HostDescription host, boolean sudo) {
    return probe(shell, host, sudo, "");
  }

  /**
   * Returns the best monitor of a host; temporary directories on the host contain the owner's id,
   * by which {@link #removeLeft} finds them.
   */
  public static Monitor probe(RemoteShell shell, HostDescription host, boolean sudo, String owner) {
    return new Probe(new Host(shell, sudo, owner), host, Clock.systemUTC()).best();
  }

  /** Returns no monitor, in the place of one that must know the length of a window. */
  public static Monitor none(String instead) {
    return new NoMonitor(
        List.of(
            "%s must know the length of a window, and work has none: no shares are measured"
                .formatted(instead)));
  }

  /** Removes the temporary directories of killed owners from the host; returns their paths. */
  public static List<String> removeLeft(RemoteShell shell, boolean sudo, Set<String> owners) {
    return owners.isEmpty()
        ? List.of()
        : RemoteDirectory.removeAll(new Host(shell, sudo, ""), owners);
  }

  static Monitor probe(RemoteShell shell, HostDescription host, boolean sudo, Clock clock) {
    return new Probe(new Host(shell, sudo, ""), host, clock).best();
  }

  private static final class Probe {
    static final String EVERYWHERE = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Host host;
    private final HostDescription description;
    private final HypervisorKind kind;
    private final Clock clock;
    private final List<String> remarks = new ArrayList<>();

    Probe(Host host, HostDescription description, Clock clock) {
      this.host = host;
      this.description = description;
      this.kind = Hypervisors.kind(description.toolstack());
      this.clock = clock;
    }

    Monitor best() {
      List<String> fitting = kind.monitors();
      if (fitting.contains("xenalyze")) {
        String reader = TraceReaders.busy(host);
        if (!reader.isEmpty()) {
          remarks.add("the trace buffers are being read by " + reader + ", which must end first");
        }
      }
      return fitting.stream()
          .map(this::probe)
          .flatMap(Optional::stream)
          .findFirst()
          .orElseGet(this::none);
    }

    private Optional<Monitor> probe(String name) {
      return switch (name) {
        case "xenmon" -> xenmon();
        case "xenalyze" -> xenalyze();
        case "xentop" -> xentop();
        default ->
            Optional.of(
                new SchedstatMonitor(
                    name,
                    host,
                    description,
                    clock,
                    domains -> kind.accounts(host.shell(), host.sudo(), domains),
                    Optional.empty()));
      };
    }

    private Optional<Monitor> xenmon() {
      for (List<String> command : XENMONS) {
        CommandResult help = run(command, "--help");
        if (help.succeeded()) {
          return xenmon(command, help.elapsed());
        }
        if (Host.there(help)) {
          remarks.add("xenmon is installed but does not start" + Host.said(help));
          return Optional.empty();
        }
        if (help.standardError().contains("python")) {
          remarks.add("xenmon is installed but its Python is not" + Host.said(help));
          return Optional.empty();
        }
      }
      remarks.add("xenmon is not installed");
      return Optional.empty();
    }

    private Optional<Monitor> xenmon(List<String> command, Duration startUp) {
      List<String> before = command.subList(0, command.size() - 1);
      CommandResult collector =
          run(Stream.concat(before.stream(), Stream.of("xenbaked")).toList(), "--help");
      if (!Host.there(collector)) {
        remarks.add("xenmon is installed but its collector xenbaked is not");
        return Optional.empty();
      }
      if (description.version().atLeast(4, 8)) {
        remarks.add(
            "xenmon of Xen %s writes the wait to wrong columns; it is taken from columns 7 and 14"
                .formatted(description.version()));
      }
      return Optional.of(new XenmonMonitor(host, description, command, startUp, clock, remarks));
    }

    private Optional<Monitor> xenalyze() {
      if (!Host.there(host.read("xentrace", "-?"))) {
        remarks.add("xentrace is not installed");
        return Optional.empty();
      }
      if (!Host.there(host.read("xenalyze", "--help"))) {
        remarks.add("xenalyze is not installed");
        return Optional.empty();
      }
      if (!Double.isFinite(description.cpuMegahertz())) {
        remarks.add(
            "the host does not report its clock rate: xenalyze's times assume 2.4 GHz, its shares"
                + " are correct");
      }
      return Optional.of(new XenalyzeMonitor(host, description, clock, remarks));
    }

    private Optional<Monitor> xentop() {
      if (!Host.there(host.read("xentop", "-h"))) {
        remarks.add("xentop is not installed");
        return Optional.empty();
      }
      remarks.add("xentop shows CPU use only: wait and blocked will not be measured");
      return Optional.of(new XentopMonitor(host, description, clock, remarks));
    }

    private Monitor none() {
      remarks.add("no monitor is available on this host: no shares will be measured");
      return new NoMonitor(remarks);
    }

    private CommandResult run(List<String> command, String option) {
      return host.read(Stream.concat(command.stream(), Stream.of(option)).toArray(String[]::new));
    }
  }

  /** The monitor of a host without one: every share is "not measured". */
  private record NoMonitor(List<String> remarks) implements Monitor {
    NoMonitor {
      remarks = List.copyOf(remarks);
    }

    @Override
    public String name() {
      return MonitorResult.NONE;
    }

    @Override
    public boolean runsForALength() {
      return false;
    }

    @Override
    public Watch start(Duration length, List<Domain> domains, Path directory) {
      List<Domain> listed = List.copyOf(domains);
      return new Watch() {
        @Override
        public MonitorResult result(Window window) {
          return new MonitorResult(
              MonitorResult.NONE,
              new Window(window.start(), window.start()),
              listed.stream().map(d -> Accounting.unknown(d, "the host has no monitor")).toList(),
              List.of(),
              remarks);
        }

        @Override
        public void close() {}
      };
    }
  }
}
