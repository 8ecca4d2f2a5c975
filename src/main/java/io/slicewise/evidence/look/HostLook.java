package io.slicewise.evidence.look;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Percentile;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Watching;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.load.access.Seen;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.window.MachineWatch;
import io.slicewise.sweep.window.Watches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.commons.io.FileUtils;

/**
 * Looks at a host: its monitors and its kernel, between two moments. Changes nothing.
 *
 * @param name of the host, for the reader
 * @param log the requests of which are counted, too
 * @param waiter waits until a time
 */
public record HostLook(
    HostSpec spec, String name, Optional<AccessLog> log, Consumer<Instant> waiter) {
  private static final String GROUPS = "groups";

  /** Time between the last preparation and the window. */
  private static final Duration MARGIN = Duration.ofMillis(200);

  /** The end of the window whose requests may not be in the log yet. */
  private static final Duration STRAGGLERS = Duration.ofSeconds(3);

  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Percentile P95 = new Percentile(95);

  /**
   * Returns what is found in a time from now on.
   *
   * @throws SlicewiseException if the host has no guests
   * @throws HypervisorException if the host does not let its guests be read
   * @throws io.slicewise.ssh.RemoteShellException if it cannot be reached
   */
  public Look over(Duration length) {
    try (RemoteShell shell = HostShells.open(spec)) {
      Hypervisor hypervisor = hypervisor(shell, spec);
      return over(length, shell, hypervisor, guests(hypervisor));
    }
  }

  /**
   * Returns the hypervisor of a host. Every Linux host has control groups: they are what remains
   * without a hypervisor, or where it has no guests.
   */
  public static Hypervisor hypervisor(RemoteShell shell, HostSpec spec) {
    try {
      Hypervisor found = HostShells.hypervisor(shell, spec);
      return spec.hypervisor().isPresent() || hasGuests(found, found.domains())
          ? found
          : groups(shell, spec);
    } catch (HypervisorException none) {
      if (!none.isAbsent() || spec.statedToolstack().isPresent()) {
        throw none;
      }
      return groups(shell, spec);
    }
  }

  private static Hypervisor groups(RemoteShell shell, HostSpec spec) {
    return Hypervisors.probe(shell, spec.sudo(), Optional.of(GROUPS), Optional.empty());
  }

  private static boolean hasGuests(Hypervisor hypervisor, List<Domain> domains) {
    return domains.stream()
        .anyMatch(domain -> !hypervisor.kind().controlDomain().equals(Optional.of(domain.name())));
  }

  private List<Domain> guests(Hypervisor hypervisor) {
    List<Domain> domains = hypervisor.domains();
    if (!hasGuests(hypervisor, domains)) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "%s runs no guests: no domain, container or service of its own".formatted(name),
          "start them and look again, or see what a look shows: slicewise look --lab");
    }
    return domains;
  }

  private Look over(
      Duration length, RemoteShell shell, Hypervisor hypervisor, List<Domain> domains) {
    HostDescription host = hypervisor.describe();
    Map<String, SchedulerParameters> settings = Hypervisor.Setting.byName(hypervisor.settings());
    Monitor monitor = Monitors.probe(shell, host, spec.sudo()).ready(domains);
    Path logs = temporary();
    try (MachineWatch machines =
            MachineWatch.open(shell, hypervisor, spec.limits(), Watching.NONE);
        Watches watches =
            new Watches(
                List.of(new HypervisorShares(monitor, domains), machines.observer(domains)),
                logs,
                Clock.systemUTC())) {
      log.ifPresent(AccessLog::awaitBegun);
      Instant start = Instant.now().plus(watches.longestLead()).plus(MARGIN);
      Window window = new Window(start, start.plus(length));
      watches.beginAhead(window, waiter);
      waiter.accept(window.start());
      watches.begin(window.end());
      waiter.accept(window.end());
      watches.end();
      return look(window, watches.finish(window), host, domains, settings);
    } finally {
      FileUtils.deleteQuietly(logs.toFile());
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("slicewise-look-");
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot keep the monitor's records: " + FileFault.reason(fault),
          "see that the directory for temporary files has space",
          fault);
    }
  }

  private Look look(
      Window window,
      List<Observation> seen,
      HostDescription host,
      List<Domain> domains,
      Map<String, SchedulerParameters> settings) {
    Observation shares = about(seen, HypervisorShares.TOPIC);
    Observation machines = about(seen, Machines.TOPIC);
    List<String> notes = new ArrayList<>(shares.remarks());
    notes.addAll(machines.remarks());
    Optional<String> caveat = HypervisorShares.caveat(shares.source(), host);
    List<DomainShares> all = HypervisorShares.shares(shares);
    return new Look(
        name,
        window.start(),
        window.seconds(),
        Look.Platform.of(host),
        shares.source(),
        caveat.filter(any -> all.stream().anyMatch(one -> one.waiting() > 0)).orElse(""),
        all.stream()
            .map(
                one ->
                    LookedGuest.of(
                        one,
                        beside(one, all, domains),
                        pcpus(one, host, domains),
                        Optional.ofNullable(settings.get(one.domain()))))
            .toList(),
        machines.machines().values().stream().findFirst().map(Look.Pressure::of).orElseThrow(),
        log.map(from -> requests(from, window, notes)),
        notes);
  }

  private static Observation about(List<Observation> seen, Observation.Topic topic) {
    return seen.stream().filter(one -> one.topic().equals(topic)).findFirst().orElseThrow();
  }

  private static String pool(String guest, List<Domain> domains) {
    return domains.stream()
        .filter(domain -> domain.name().equals(guest))
        .map(Domain::cpupool)
        .findFirst()
        .orElse("");
  }

  private static List<DomainShares> beside(
      DomainShares own, List<DomainShares> all, List<Domain> domains) {
    String pool = pool(own.domain(), domains);
    return all.stream().filter(other -> pool(other.domain(), domains).equals(pool)).toList();
  }

  private static int pcpus(DomainShares own, HostDescription host, List<Domain> domains) {
    String pool = pool(own.domain(), domains);
    OptionalInt its =
        host.cpupools().stream()
            .filter(one -> one.name().equals(pool))
            .mapToInt(CpuPool::pcpus)
            .findFirst();
    return Math.max(1, its.orElse(host.pcpus()));
  }

  private static Look.Requests requests(AccessLog log, Window window, List<String> notes) {
    Window whole =
        window.length().compareTo(LONG) > 0
            ? new Window(window.start(), window.end().minus(STRAGGLERS))
            : window;
    LoggedWindow read = log.read(whole);
    read.faults().forEach(fault -> notes.add("the log: " + fault));
    List<Seen> ended = read.requests().stream().filter(one -> !one.aborted()).toList();
    double[] millis =
        ended.stream().mapToDouble(one -> one.durationMicros() / 1e3).sorted().toArray();
    double mean = ended.stream().mapToLong(Seen::durationMicros).average().orElse(Double.NaN) / 1e3;
    return new Look.Requests(
        ended.size(),
        ended.size() / whole.seconds(),
        mean,
        P95.in(millis),
        ended.stream().filter(Seen::failed).count());
  }
}
