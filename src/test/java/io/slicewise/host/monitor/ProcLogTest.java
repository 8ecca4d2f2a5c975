package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.LogLines.Damage;
import io.slicewise.host.monitor.Recordings.ProcLog;
import io.slicewise.host.monitor.machine.ProcUse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects recordings of /proc: the same standards of damage as of every other monitor's log. */
class ProcLogTest {
  @TempDir private Path directory;

  /** Two CPUs, of which a second takes 200 ticks: 60 % busy, 10 % stolen, 30 % idle. */
  private static String snapshot(int second, String time) {
    return time
        + String.format(
            Locale.ROOT,
            "cpu  %d 0 %d %d %d 0 0 %d%n"
                + "cpu0 1 0 1 1 0 0 0 0%n"
                + "cpu1 1 0 1 1 0 0 0 0%n"
                + "ctxt %d%n"
                + "nr_dirty %d%n"
                + "pgpgin %d%n"
                + "8 0 sda %d 0 %d 5 0 0 0 0 0 %d 9%n"
                + "0.52 0.40 0.30 1/99 7%n",
            1000 + 80 * second,
            1000 + 40 * second,
            9000 + 40 * second,
            500 + 20 * second,
            700 + 20 * second,
            5000 + 300 * second,
            500 - second,
            640 * second,
            100 + 10 * second,
            8000 + 160 * second,
            500 * second);
  }

  private static String snapshots(int... seconds) {
    StringBuilder text = new StringBuilder();
    for (int second : seconds) {
      text.append(snapshot(second, ""));
    }
    return text.toString();
  }

  private MonitorResult whole(String text) throws IOException {
    return Recordings.whole(
            Recordings.Source.PROC,
            List.of(Files.writeString(directory.resolve("proc.log"), text)),
            new HostDescription("", HypervisorVersion.of(4, 17), "", 0, Double.NaN, "", List.of()),
            List.of())
        .result();
  }

  @Test
  void tellsTheMachinesOwnSharesAndRates() throws IOException {
    MonitorResult result = whole(snapshots(0, 1, 3, 10));
    DomainShares machine = result.shares().get(0);
    assertThat(machine.vcpus()).isEqualTo(2);
    assertThat(machine.run()).isCloseTo(0.6, within(1e-12));
    assertThat(machine.waiting()).isCloseTo(0.1, within(1e-12));
    assertThat(machine.blocked()).isCloseTo(0.3, within(1e-12));
    assertThat(result.covered().seconds()).isEqualTo(10);
    assertThat(result.warnings()).isEmpty();

    ProcUse use = ProcUse.over(ProcLog.of(snapshots(0, 1, 3, 10)).stretches());
    assertThat(use.eventsPerSecond()).containsEntry("ctxt", 300.0);
    assertThat(use.memoryPerSecond()).containsOnlyKeys("pgpgin").containsEntry("pgpgin", 640.0);
    assertThat(use.disks().get("sda")).isEqualTo(new ProcUse.DiskUse(10, 0, 160 * 512, 0, 0.5));
  }

  /** Partitions of kernels before 2.6.25 have four numbers, disks of today more than eleven. */
  @Test
  void knowsDisksOfOldAndNewKernels() {
    String first = "cpu  1 0 1 98\n8 1 sda1 5 6 7 8\n8 0 sda 10 0 0 0 1 0 8 0 0 0 0\n";
    String last =
        """
        cpu  1 0 1 198
        8 1 sda1 6 6 7 8
        7 0 loop0 0 0 0 0 0 0 0 0 0 0 0
        8 0 sda 10 0 0 0 3 0 24 0 0 100 0 1 2 3 4 5 6
        """;
    ProcLog log = ProcLog.of(first + last);
    assertThat(log.damage().total()).isZero();
    assertThat(ProcUse.over(log.stretches()).disks())
        .containsOnly(Map.entry("sda", new ProcUse.DiskUse(0, 2, 0, 16 * 512, 0.1)));
  }

  @Test
  void aTimeBeforeEachSnapshotWinsOverTicks() {
    String dates = snapshot(0, "1700000000\n") + snapshot(10, "1700000020.5\n");
    assertThat(ProcUse.over(ProcLog.of(dates).stretches()).seconds()).isEqualTo(20.5);
    String uptimes = snapshot(0, "99.50 80.00\n") + snapshot(10, "110.00 85.00\n");
    assertThat(ProcUse.over(ProcLog.of(uptimes).stretches()).seconds()).isEqualTo(10.5);
  }

  @Test
  void aRestartIsToldAndNothingMeasuredAcrossIt() {
    ProcLog log = ProcLog.of(snapshots(100, 101, 0, 2));
    ProcUse use = ProcUse.over(log.stretches());
    assertThat(use.seconds()).isEqualTo(3);
    assertThat(use.eventsPerSecond()).containsEntry("ctxt", 300.0);
    assertThat(log.damage().sentences("log"))
        .singleElement()
        .asString()
        .contains("1 line of a snapshot before which counters went back");
  }

  @Test
  void moreTimeThanPassedIsNotMeasured() {
    String text =
        snapshot(0, "1700000000\n") + snapshot(500, "1700000001\n") + snapshot(501, "1700000002\n");
    ProcLog log = ProcLog.of(text);
    assertThat(log.damage().count(Damage.Kind.ABSURD)).isEqualTo(1);
    assertThat(ProcUse.over(log.stretches()).seconds()).isEqualTo(1);
  }

  @Test
  void aCounterThatWrapsIsMeasuredWhereItDidNot() {
    String wrapped = snapshots(0, 1, 2).replace("pgpgin 1280", "pgpgin 4");
    ProcLog log = ProcLog.of(wrapped);
    assertThat(ProcUse.over(log.stretches()).memoryPerSecond()).containsEntry("pgpgin", 640.0);
    assertThat(log.wentBack()).containsExactly("went backwards, and is not measured there: pgpgin");
  }

  /** After a migration, by more than all other states grow; it may also wrap from far above. */
  @ParameterizedTest
  @ValueSource(strings = {"134000", "1844674407370955"})
  void stolenTimeThatGoesBackIsNoRestart(String stolen) {
    ProcLog log =
        ProcLog.of(
            "1700000000\ncpu  20 0 10 900 10 0 0 %s\n".formatted(stolen)
                + "1700000001\ncpu  30 0 20 980 10 0 0 12\n"
                + "1700000002\ncpu  40 0 30 1050 10 0 0 22\n");
    assertThat(log.damage().total()).isZero();
    assertThat(log.wentBack())
        .containsExactly("went backwards, and is not measured there: CPU time in steal");
    ProcUse use = ProcUse.over(log.stretches());
    assertThat(use.seconds()).isEqualTo(2);
    assertThat(use.busy()).isEqualTo(0.2);
    assertThat(use.share("steal")).isEqualTo(0.1);
  }

  /** The kernel counts the time in 32 bits: 49 days. */
  @Test
  void aDiskIsMeasuredAsFarAsItsCountersDidNotWrap() {
    ProcLog log = ProcLog.of(snapshots(1, 2).replace(" 0 500 9", " 0 4294967000 9"));
    ProcUse.DiskUse disk = ProcUse.over(log.stretches()).disks().get("sda");
    assertThat(disk.readsPerSecond()).isEqualTo(10);
    assertThat(disk.busyShare()).isNaN();
    assertThat(log.wentBack()).containsExactly("went backwards, and is not measured there: sda");
  }

  @Test
  void whatIsNoCounterHasNoRateAndMayGoBack() {
    String first = "cpu  1 0 1 98\nbtime 1700000009\nprocs_running 1\nworkingset_nodes 7\n";
    String last = "cpu  1 0 1 198\nbtime 1700000008\nprocs_running 5\nworkingset_nodes 3\n";
    ProcLog log = ProcLog.of(first + last);
    ProcUse use = ProcUse.over(log.stretches());
    assertThat(use.eventsPerSecond()).isEmpty();
    assertThat(use.memoryPerSecond()).isEmpty();
    assertThat(log.wentBack()).isEmpty();
    assertThat(log.damage().total()).isZero();
  }

  @Test
  void snapshotsThatNanosecondsCannotPartDoNotFollowEachOther() {
    ProcLog log = ProcLog.of(snapshot(0, "9999999000\n") + snapshot(1, "9999999010\n"));
    assertThat(ProcUse.over(log.stretches()).seconds()).isZero();
    assertThat(log.damage().count(Damage.Kind.WENT_BACK)).isEqualTo(1);
  }

  @Test
  void aSnapshotWhoseFirstLineIsLostIsNotMixedWithAnother() {
    String text = snapshots(0, 1, 2).replaceFirst("cpu {2}1080.*\\R", "c\0\0\0\n");
    ProcLog log = ProcLog.of(text);
    assertThat(log.snapshots()).isEqualTo(2);
    assertThat(ProcUse.over(log.stretches()).eventsPerSecond()).containsEntry("ctxt", 300.0);
    assertThat(log.damage().count(Damage.Kind.NUL_BYTES)).isEqualTo(1);
    assertThat(log.damage().count(Damage.Kind.HEADLESS)).isPositive();
  }

  @Test
  void damageIsCountedByKind() throws IOException {
    String text =
        snapshots(0, 1) + "intr many\nwhat is this\nctxt 6000\npgp\u00e4gin 4\ncpu  12 0 4";
    Path file =
        Files.write(directory.resolve("proc.log"), text.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(ProcLog.read(file).damage().sentences("log"))
        .containsExactly(
            "log: 1 line cut off at the end of the file (first at 21) ignored",
            "log: 1 line with an invalid character (first at 20) ignored",
            "log: 1 line with the wrong number of fields (first at 18) ignored",
            "log: 1 line with a field that is not a number (first at 17) ignored",
            "log: 1 line of a snapshot whose first line is lost (first at 19) ignored");
  }

  @Test
  void aGzipThatIsCutShortIsReadAsFarAsItGoes() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < 500; second++) {
      text.append(snapshot(second, ""));
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    byte[] half = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
    ProcLog log = ProcLog.read(Files.write(directory.resolve("proc.log"), half));
    assertThat(log.snapshots()).isBetween(100, 499);
    assertThat(log.damage().count(Damage.Kind.CUT_GZIP)).isEqualTo(1);
  }

  @Test
  void nothingIsToldOfOneSnapshot() throws IOException {
    MonitorResult result = whole(snapshots(5));
    assertThat(result.shares().get(0).run()).isNaN();
    assertThat(result.warnings())
        .containsExactly("there are no two consecutive snapshots: nothing is measured");
  }
}
