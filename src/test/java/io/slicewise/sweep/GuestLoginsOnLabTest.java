package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Domain;
import io.slicewise.host.monitor.machine.MachineProbe;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observer;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.SshLogin;
import io.slicewise.sweep.window.MachineWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what guests' own kernels say beside the hypervisor, over real SSH: their time adds up,
 * what they call stolen is what they waited, a reboot is noticed, and an account that is limited to
 * the probe's command suffices.
 */
@Tag("lab")
class GuestLoginsOnLabTest {
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(1000));

  @TempDir Path directory;

  /** Two guests that compete for one pCPU, and Domain-0. */
  private static LabOptions crowded() {
    return LabOptions.sshOnly()
        .withCpus(1, 1)
        .withGuests(LabGuest.burning("web", 1), LabGuest.burning("db", 1));
  }

  private static RemoteShell signIn(Lab lab, String guest) {
    return Shells.open(
        Connection.to(
            "127.0.0.1",
            SshLogin.of("slicewise", lab.loginPort(guest), lab.privateKey(), lab.knownHosts())));
  }

  private static MachineProbe probe(Lab lab, String guest) {
    return new MachineProbe(
        guest,
        Tier.GUEST,
        Optional.empty(),
        List.of(),
        () -> signIn(lab, guest),
        MachineProbe.Connects.ITSELF);
  }

  private Observation watched(Lab lab, Consumer<Lab> meanwhile) {
    List<MachineProbe> probes = List.of(probe(lab, "web"), probe(lab, "db"));
    try (MachineWatch machines = new MachineWatch(probes, Optional.empty())) {
      Observer observer = machines.observer(List.of(new Domain("web", 1, 1, 0, "Pool-0")));
      probes.forEach(MachineProbe::look);
      try (Observer.Watch watch = observer.begin(Duration.ofSeconds(1), directory)) {
        meanwhile.accept(lab);
        watch.end();
        return watch.finish(WINDOW).get(0);
      }
    }
  }

  private static void rest(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Test
  @Tag("thorough")
  void aGuestsTimesAddUpAndItsStealIsItsWait() {
    try (Lab lab = Lab.start(crowded())) {
      Observation seen = watched(lab, any -> rest(Duration.ofSeconds(1)));

      assertThat(seen.topic()).isEqualTo(Machines.TOPIC);
      assertThat(seen.remarks()).isEmpty();
      assertThat(seen.machines()).containsOnlyKeys("web", "db");
      seen.machines()
          .forEach(
              (name, guest) -> {
                assertThat(guest.allCpuSeconds()).isCloseTo(guest.seconds(), within(0.05));
                assertThat(guest.busy() + guest.cpu(MachineCounters.STEAL))
                    .isCloseTo(guest.seconds(), within(0.05));
                assertThat(guest.missing()).containsExactly("/proc/net/dev");
              });
      double stolen =
          seen.machines().values().stream()
              .mapToDouble(guest -> guest.share(MachineCounters.STEAL))
              .sum();
      assertThat(stolen).as("two guests share one pCPU").isBetween(0.9, 1.2);
    }
  }

  @Test
  void aGuestThatRebootsInTheWindowIsNoticedAndTheOtherMeasured() {
    try (Lab lab = Lab.start(crowded())) {
      Observation seen =
          watched(
              lab,
              running -> {
                rest(Duration.ofMillis(300));
                running.destroy("db");
                running.create("db");
              });

      assertThat(seen.machines().get("db").rebooted()).isTrue();
      assertThat(seen.machines().get("web").measured()).isTrue();
      assertThat(seen.remarks())
          .containsExactly("db rebooted between the two readings: nothing of it is measured");
    }
  }

  private Experiment loading(Lab lab, String login, String size) throws IOException {
    String key =
        "user: %s, identity: %s, known-hosts: %s}"
            .formatted("%s", lab.privateKey(), lab.knownHosts());
    return read(
        """
        name: sized
        host: {address: 127.0.0.1, port: %d, %s
        domains: {main: [db], other: [web]}
        logins:
          %s: {address: 127.0.0.1, port: %d, %s
        profiles: [as-found]
        workload: {name: tpcb, database: "jdbc:postgresql://db/bench", %s}
        users: 4
        """
            .formatted(
                lab.sshPort(),
                key.formatted("root"),
                login,
                lab.loginPort(login),
                key.formatted("slicewise"),
                size));
  }

  private Experiment read(String text) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("sized.yaml"), text));
  }

  @Test
  void aDatabaseIsAMultipleOfItsGuestsMemory() throws IOException {
    LabGuest small = new LabGuest("db", 1, 64, false, false);
    try (Lab lab = Lab.start(crowded().withGuests(small, LabGuest.of("web", 1)))) {
      List<String> said = new ArrayList<>();
      Experiment sized = GuestMemory.sized(loading(lab, "db", "memory: 1.25x"), said::add);
      assertThat(said)
          .containsExactly("db: scale 5: a database of 79 MB, 1.18 times the memory of 67 MB");
      assertThat(sized.workload().optionWords()).containsEntry("scale", "5");
      Experiment read = read(ExperimentFiles.toYaml(sized));
      assertThat(GuestMemory.sized(read, said::add).workload().optionWords())
          .as("a run keeps its scale")
          .containsEntry("scale", "5");
      assertThat(said).hasSize(1);
      assertThatThrownBy(() -> GuestMemory.sized(loading(lab, "web", "memory: 0.3x"), said::add))
          .hasMessage("the memory of db is not known: it has no login");
    }
  }

  /** A probe that is late delays nobody: the window ends when it was to end. */
  @Test
  @Tag("thorough")
  void aLateReadingIsSaidAndDelaysNoWindow() {
    LabFault late = LabFault.at(FaultKind.LATE_PROBE, "").of("db").occurrence(2);
    try (Lab lab = Lab.start(crowded().withFaults(late.delayed(Duration.ofMillis(700))))) {
      long[] spent = new long[1];
      Observation seen =
          watched(
              lab,
              any -> {
                long began = System.nanoTime();
                rest(Duration.ofSeconds(1));
                spent[0] = System.nanoTime() - began;
              });

      assertThat(Duration.ofNanos(spent[0])).isLessThan(Duration.ofMillis(1700));
      assertThat(seen.machines().get("web").measured()).isTrue();
      assertThat(seen.machines().get("db").measured()).isTrue();
      assertThat(seen.machines().get("db").timing().roundTrip()).isLessThan(0.7);
    }
  }

  @Test
  void aClockThatJumpsAndAKernelWithoutPressureAreSaid() {
    LabFault jump = LabFault.at(FaultKind.CLOCK_JUMP, "").of("db").occurrence(3);
    LabOptions faulty =
        crowded()
            .withFaults(
                jump.delayed(Duration.ofSeconds(60)), LabFault.at(FaultKind.NO_PSI, "").of("web"));
    try (Lab lab = Lab.start(faulty)) {
      Observation seen = watched(lab, any -> rest(Duration.ofMillis(500)));

      assertThat(seen.remarks())
          .singleElement()
          .asString()
          .startsWith("db counted 6")
          .contains("its clock jumped");
      assertThat(seen.machines().get("web").missing()).contains("/proc/pressure/io");
      assertThat(seen.machines().get("web").counted().stalled()).isEmpty();
      assertThat(seen.machines().get("db").counted().stalled()).containsKey("io.some");
    }
  }

  /** The backends of blkback are those of the guests that run, under their present ids. */
  @Test
  void backendsFollowTheirGuests() {
    try (Lab lab = Lab.start(crowded());
        RemoteShell dom0 = LabClient.open(lab)) {
      Command list = Command.reading("ls", "/sys/bus/xen-backend/devices");
      assertThat(dom0.run(list).standardOutput().lines())
          .containsExactly("vbd-1-51712", "vbd-2-51712");
      lab.restart("web");
      assertThat(dom0.run(list).standardOutput().lines())
          .containsExactly("vbd-2-51712", "vbd-3-51712");
    }
  }

  @Test
  void theAccountRunsTheProbeAndNothingElse() {
    try (Lab lab = Lab.start(crowded());
        RemoteShell shell = signIn(lab, "web")) {
      assertThat(shell.run(Command.reading("cat", "/proc/stat")).exitStatus()).isEqualTo(126);
    }
  }
}
