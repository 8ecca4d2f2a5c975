package io.slicewise.host.monitor.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.slicewise.base.units.Window;
import io.slicewise.host.monitor.Recordings;
import io.slicewise.host.monitor.Recordings.ProcLog;
import io.slicewise.host.monitor.StandInHost;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observer;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what is read of a machine's kernel between a window's two ends, the raw readings kept,
 * the sentence for each thing that can be missing; and that no probe fails anything.
 */
class MachinesTest {
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(1000));

  private static final String BEFORE =
      """
      /proc/uptime:100.00 150.00
      /proc/sys/kernel/random/boot_id:11111111-2222-3333-4444-555555555555
      /proc/stat:cpu  1000 0 500 8000 100 0 0 400 0 0
      /proc/stat:cpu0 500 0 250 4000 50 0 0 200 0 0
      /proc/stat:cpu1 500 0 250 4000 50 0 0 200 0 0
      /proc/stat:ctxt 5000
      /proc/uptime:100.00 150.00
      /proc/vmstat:pgfault 1000
      /proc/vmstat:pgmajfault 10
      /proc/vmstat:nr_free_pages 100
      /proc/diskstats: 202 0 xvda 10 0 100 4294967000 20 0 200 50 0 1000 60 0 0 0 0 5 7
      /proc/diskstats: 202 1 xvda1 10 0 100 40 20 0 200 50 0 1000 60 0 0 0 0 5 7
      /proc/pressure/io:some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000
      /proc/pressure/io:full avg10=0.00 avg60=0.00 avg300=0.00 total=500000
      /proc/loadavg:0.50 0.40 0.30 1/100 4711
      /proc/meminfo:MemTotal:        1000 kB
      /proc/net/dev:Inter-|   Receive  |  Transmit
      /proc/net/dev: face |bytes packets
      /proc/net/dev:  eth0: 1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0
      /sys/bus/xen-backend/devices/vbd-3-51712/statistics/rd_req:100
      /sys/bus/xen-backend/devices/vbd-3-51712/statistics/rd_sect:800
      /sys/fs/cgroup/system.slice/db.service/cpu.stat:user_usec 1000000
      /proc/4711/stat:4711 (sh) S 1 1 1 0 -1 0 0 0 0 0 1 1 2 2 20 0 1 0 1 1 1
      /proc/uptime:100.00 150.00
      """;

  /** Ten seconds later: of 2000 ticks 300 + 200 busy, 100 stolen, 200 waiting for disks. */
  private static final String AFTER =
      """
      /proc/uptime:110.00 160.00
      /proc/sys/kernel/random/boot_id:11111111-2222-3333-4444-555555555555
      /proc/stat:cpu  1300 0 700 9200 300 0 0 500 0 0
      /proc/stat:cpu0 650 0 350 4600 150 0 0 250 0 0
      /proc/stat:cpu1 650 0 350 4600 150 0 0 250 0 0
      /proc/stat:ctxt 6000
      /proc/uptime:110.00 160.00
      /proc/vmstat:pgfault 3000
      /proc/vmstat:pgmajfault 30
      /proc/vmstat:nr_free_pages 50
      /proc/diskstats: 202 0 xvda 110 0 2100 304 70 0 400 150 0 3500 160 0 0 0 0 15 27
      /proc/diskstats: 202 1 xvda1 110 0 2100 540 70 0 400 150 0 3500 160 0 0 0 0 15 27
      /proc/pressure/io:some avg10=0.00 avg60=0.00 avg300=0.00 total=2000000
      /proc/pressure/io:full avg10=0.00 avg60=0.00 avg300=0.00 total=900000
      /proc/loadavg:0.70 0.40 0.30 1/100 4711
      /proc/meminfo:MemTotal:        1000 kB
      /proc/net/dev:Inter-|   Receive  |  Transmit
      /proc/net/dev: face |bytes packets
      /proc/net/dev:  eth0: 3000 1 0 0 0 0 0 0 2500 1 0 0 0 0 0 0
      /sys/bus/xen-backend/devices/vbd-3-51712/statistics/rd_req:200
      /sys/bus/xen-backend/devices/vbd-3-51712/statistics/rd_sect:2800
      /sys/fs/cgroup/system.slice/db.service/cpu.stat:user_usec 3500000
      /proc/4711/stat:4711 (sh) S 1 1 1 0 -1 0 0 0 0 0 2 1 3 2 20 0 1 0 1 1 1
      /proc/uptime:110.00 160.00
      """;

  @TempDir Path directory;
  private StandInHost host;
  private MachineProbe probe;

  @BeforeEach
  void makeAHost() throws IOException {
    host = new StandInHost(Files.createDirectory(directory.resolve("programs")));
  }

  @AfterEach
  void endTheProbe() {
    if (probe != null) {
      probe.close();
    }
  }

  /** A grep that prints the first text when it is called first, and the other one from then on. */
  private void answering(String first, String second) throws IOException {
    Path before = Files.writeString(directory.resolve("before"), first);
    Path after = Files.writeString(directory.resolve("after"), second);
    host.with(
        "grep",
        "if mkdir '%s' 2>/dev/null; then cat '%s'; else cat '%s'; fi"
            .formatted(directory.resolve("called"), before, after));
  }

  /** Its readings are made, and ten seconds apart on no clock but their own. */
  private static List<String> remarks(List<Observation> seen) {
    return seen.get(0).remarks().stream().filter(said -> !said.contains("clock jumped")).toList();
  }

  private List<Observation> watch(Supplier<RemoteShell> shell) {
    return watch(Tier.GUEST, shell);
  }

  private List<Observation> watch(Tier tier, Supplier<RemoteShell> shell) {
    probe =
        new MachineProbe(
            "db", tier, Optional.of("db"), List.of(), shell, MachineProbe.Connects.ITSELF);
    Machines machines = new Machines(List.of(probe), Optional.empty(), Map.of(3, "web"));
    try (Observer.Watch watch = machines.begin(WINDOW.length(), directory)) {
      watch.end();
      return watch.finish(WINDOW);
    }
  }

  private List<Observation> watch(String first, String second) throws IOException {
    answering(first, second);
    return watch(() -> host);
  }

  private static MachineCounters counters(List<Observation> seen) {
    return seen.get(0).machines().get("db");
  }

  @Test
  void measuresWhatTheKernelCountedBetweenBothEnds() throws IOException {
    List<Observation> seen = watch(BEFORE, AFTER);

    assertThat(remarks(seen)).isEmpty();
    MachineCounters db = counters(seen);
    assertThat(db.tier()).isEqualTo(Tier.GUEST);
    assertThat(db.cpus()).isEqualTo(2);
    assertThat(db.seconds()).isCloseTo(10, within(1e-9));
    assertThat(db.cpu("user")).isEqualTo(3);
    assertThat(db.busy()).isEqualTo(5);
    assertThat(db.share(MachineCounters.STEAL)).isCloseTo(0.05, within(1e-9));
    assertThat(db.count("pgfault")).isEqualTo(2000);
    assertThat(db.counted().counts()).doesNotContainKey("nr_free_pages");
    assertThat(db.counted().stalled()).containsEntry("io.some", 1.0).containsEntry("io.full", 0.4);
    assertThat(db.counted().levels()).containsEntry("MemTotal", 1_024_000.0);
    assertThat(db.count("net.eth0.received")).isEqualTo(2000);
    assertThat(db.counted().service()).containsEntry("cpu.user_usec", 2_500_000.0);
    assertThat(db.timing().cpuSeconds()).isCloseTo(0.02, within(1e-9));
    assertThat(db.missing()).containsExactly("/proc/pressure/cpu", "/proc/pressure/memory");
    assertThat(db.counted().backends().get("web/xvda").bytesRead()).isEqualTo(2000 * 512);

    Sighting row = seen.get(0).sightings().get(0);
    assertThat(row.value("busy")).isCloseTo(0.25, within(1e-9));
    assertThat(row.value("major_faults")).isCloseTo(2, within(1e-9));
    assertThat(seen.get(1).sightings())
        .extracting(disk -> disk.place().name())
        .containsExactly("db/xvda", "db/web/xvda");
  }

  /**
   * What Domain-0 of a real Xen 4.17 counted in 22.72 s, in which xenalyze saw it run for 10.5 %:
   * 6.4 % of its time are in no state.
   */
  @Test
  void domain0UsesWhatItsIdleAndStolenTimesLeave() throws IOException {
    String after =
        AFTER
            .replace("uptime:110.00", "uptime:122.72")
            .replace("cpu  1300 0 700 9200 300 0 0 500", "cpu  1029 0 592 12029 105 0 3 497");
    answering(BEFORE, after);
    Sighting row = watch(Tier.DOM0, () -> host).get(0).sightings().get(0);
    assertThat(row.value("busy")).isCloseTo(0.091, within(0.0005));
    assertThat(row.value("stolen")).isCloseTo(0.021, within(0.0005));
  }

  /** A vCPU that has to wait is not there for parts of a reading. */
  @Test
  void theTimeBetweenReadingsIsThatBetweenTheCpusTimes() throws IOException {
    String waits = AFTER.replaceFirst("uptime:110.00 160.00\n$", "uptime:112.00 160.00\n");
    MachineCounters db = counters(watch(BEFORE, waits));
    assertThat(db.seconds()).isCloseTo(10, within(1e-9));
    assertThat(db.timing().spread()).isCloseTo(0, within(1e-9));
  }

  @Test
  void aWaitBesideTheCpusTimesIsADoubtAboutTheirShares() throws IOException {
    String waits =
        AFTER
            .replaceFirst("uptime:110.00", "uptime:109.60")
            .replaceFirst("uptime:110.00", "uptime:110.40");
    MachineCounters db = counters(watch(BEFORE, waits));
    assertThat(db.seconds()).isCloseTo(10, within(1e-9));
    assertThat(db.timing().spread()).isCloseTo(0.4, within(1e-9));
    assertThat(db.doubt(MachineCounters.STEAL)).isCloseTo(0.05 * 0.04, within(1e-9));
  }

  @Test
  void addsUpWaitsAcrossTheWrapOfTheir32Bits() throws IOException {
    DiskCounters disk = counters(watch(BEFORE, AFTER)).counted().disks().get("xvda");

    assertThat(disk.value(DiskCounters.READ_MILLIS)).isEqualTo(304 + 296);
    assertThat(disk.readWaitMillis()).isCloseTo(6, within(1e-9));
    assertThat(disk.value(DiskCounters.FLUSHES)).isEqualTo(10);
  }

  @Test
  void leavesOutACounterThatWasResetAndNamesIt() throws IOException {
    List<Observation> seen =
        watch(
            BEFORE,
            AFTER.replace("xvda 110 0 2100", "xvda 110 0 50").replace("pgfault 3000", "pgfault 3"));

    assertThat(remarks(seen))
        .containsExactly(
            "db went backwards, and is not measured: pgfault, sectors_read of disk xvda");
    MachineCounters db = counters(seen);
    assertThat(db.count("pgfault")).isNaN();
    assertThat(db.counted().disks().get("xvda").bytesRead()).isNaN();
    assertThat(db.counted().disks().get("xvda").value(DiskCounters.READS)).isEqualTo(100);
    assertThat(db.busy()).isEqualTo(5);
  }

  @Test
  void aRebootLeavesNothingButTheFact() throws IOException {
    List<Observation> seen = watch(BEFORE, AFTER.replace("11111111-", "99999999-"));

    assertThat(counters(seen).rebooted()).isTrue();
    assertThat(counters(seen).measured()).isFalse();
    assertThat(seen.get(0).sightings()).isEmpty();
    assertThat(remarks(seen))
        .containsExactly("db rebooted between the two readings: nothing of it is measured");
  }

  @Test
  void aDiskThatCameAndCpusThatWentAreNotMeasured() throws IOException {
    List<Observation> seen =
        watch(
            BEFORE.replaceAll("(?m)^/proc/diskstats.*xvda1 .*\n", ""),
            AFTER.replaceAll("(?m)^/proc/stat:cpu1 .*\n", ""));

    assertThat(remarks(seen))
        .containsExactlyInAnyOrder(
            "db had 2 CPUs at the beginning and 1 at the end: their time is not measured",
            "db has disks in only one reading, which are not measured: xvda1");
    assertThat(counters(seen).counted().cpuSeconds()).isEmpty();
    assertThat(counters(seen).counted().disks()).containsOnlyKeys("xvda");
  }

  @Test
  void aLineInAnotherFormatIsNamedAndTheRestMeasured() throws IOException {
    List<Observation> seen = watch(BEFORE, AFTER.replace("ctxt 6000", "ctxt six"));

    assertThat(remarks(seen))
        .containsExactly("db gave a line that is not understood: '/proc/stat:ctxt six'");
    assertThat(counters(seen).busy()).isEqualTo(5);
  }

  @Test
  void keepsBothReadingsAsARecordingThatReduceKnows() throws IOException {
    watch(BEFORE, AFTER);

    Path file = directory.resolve("db.txt.gz");
    assertThat(Recordings.source(file)).contains(Recordings.Source.PROC);
    ProcLog log = ProcLog.read(file);
    assertThat(log.snapshots()).isEqualTo(2);
    assertThat(log.damage().sentences("db")).isEmpty();
    assertThat(ProcUse.over(log.stretches()).busy()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void readsThisMachinesOwnKernel() {
    List<Observation> seen = watch(Shells::local);

    // Two readings at the same hundredth of a second measure nothing.
    assertThat(remarks(seen))
        .allMatch(said -> said.equals("db has no uptime: nothing of it is measured"));
    MachineCounters db = counters(seen);
    assertThat(db.cpus()).isPositive();
    assertThat(db.missing()).doesNotContain("/proc/stat", "/proc/vmstat", "/proc/meminfo");
    assertThat(db.timing().roundTrip()).isPositive();
    assertThat(db.timing().doubt()).isGreaterThan(db.timing().roundTrip() / 2);
  }

  @Test
  void aProbeThatBreaksOffIsStartedOnceMore() throws IOException {
    answering(BEFORE, AFTER);
    Path broken = directory.resolve("broken");
    host.with(
        "sh",
        "if mkdir '%s' 2>/dev/null; then exit 1; else exec /bin/sh \"$@\"; fi".formatted(broken));

    List<Observation> seen = watch(() -> host);

    assertThat(broken).exists();
    assertThat(remarks(seen)).isEmpty();
    assertThat(counters(seen).measured()).isTrue();
  }

  @Test
  void aMachineThatCannotBeReachedCostsASentenceForEachEnd() {
    List<Observation> seen =
        watch(
            () -> {
              throw new RemoteShellException(
                  RemoteShellException.Kind.LOGIN_REFUSED, "db refused the login.", "", null);
            });

    assertThat(seen.get(0).sightings()).isEmpty();
    assertThat(counters(seen)).isEqualTo(MachineCounters.unread(Tier.GUEST));
    assertThat(remarks(seen))
        .containsExactly(
            "db was not read at the window's beginning, and is not measured: db refused the login.",
            "db was not read at the window's end, and is not measured: db refused the login.");
    assertThat(directory.resolve("db.txt.gz")).doesNotExist();
  }

  @Test
  void aSeriesHasTheValuesOfEachPeriod() throws IOException {
    Path count = Files.writeString(directory.resolve("count"), "");
    host.with(
        "grep",
        """
        echo >>%s; n=$(wc -l <%s)
        echo "/proc/uptime:$((100 + n)).00 1.00"
        echo "/proc/stat:cpu $((1000 + 50 * n)) 0 0 $((9000 + 50 * n)) 0 0 0 0"
        echo "/proc/stat:cpu0 $((1000 + 50 * n)) 0 0 $((9000 + 50 * n)) 0 0 0 0"
        echo "/proc/uptime:$((100 + n)).00 1.00"
        """
            .formatted(count, count));
    probe =
        new MachineProbe(
            "db",
            Tier.GUEST,
            Optional.empty(),
            List.of(),
            () -> host,
            MachineProbe.Connects.ITSELF);
    Machines machines = new Machines(List.of(probe), Optional.of(Duration.ofMillis(200)), Map.of());
    List<Observation> seen;
    try (Observer.Watch watch = machines.begin(WINDOW.length(), directory)) {
      await().until(() -> Files.size(count) >= 5);
      watch.end();
      seen = watch.finish(WINDOW);
    }

    assertThat(seen.get(0).series())
        .filteredOn(series -> series.reading().equals("busy"))
        .singleElement()
        .satisfies(
            series ->
                assertThat(series.values().values(0, Integer.MAX_VALUE))
                    .isNotEmpty()
                    .allSatisfy(busy -> assertThat(busy).isCloseTo(0.5, within(1e-9))));
    assertThat(seen.get(0).sightings().get(0).readings())
        .extracting(Reading::name)
        .contains("busy", "stolen", "faults");
  }
}
