package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.slicewise.base.units.Window;
import io.slicewise.observe.Location;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observer;
import io.slicewise.observe.Reading;
import io.slicewise.observe.Sighting;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what is read of the control domain's kernel: shares and disks between a window's two
 * ends, the raw readings kept; and that a host without them costs a sentence and nothing else.
 */
class Dom0CountersTest {
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(10));

  private static final String BEFORE =
      """
      100.00 150.00
      cpu  1000 0 500 8000 100 0 0 400 0 0
      cpu0 500 0 250 4000 50 0 0 200 0 0
      cpu1 500 0 250 4000 50 0 0 200 0 0
      ctxt 5000
      0.50 0.40 0.30 1/100 4711
      pgpgin 100
      """;

  /** Ten seconds later: of 2000 ticks 300 + 200 busy, 100 stolen, 200 waiting for disks. */
  private static final String AFTER =
      """
      110.00 160.00
      cpu  1300 0 700 9200 300 0 0 500 0 0
      cpu0 650 0 350 4600 150 0 0 250 0 0
      cpu1 650 0 350 4600 150 0 0 250 0 0
      ctxt 6000
      0.70 0.40 0.30 1/100 4711
      pgpgin 300
      """;

  private static final String DISK = "   8       0 sda %d 0 %d 0 %d 0 %d 0 0 %d 0\n";

  @TempDir Path directory;
  private Path file;
  private Path called;
  private StandInHost host;

  @BeforeEach
  void makeAHost() throws IOException {
    file = directory.resolve("dom0.txt.gz");
    called = directory.resolve("called");
    host = new StandInHost(Files.createDirectory(directory.resolve("programs")));
  }

  /** A cat that prints the first text when it is called first, and the other one from then on. */
  private void answering(String first, String second, String then) throws IOException {
    Path before = Files.writeString(directory.resolve("before"), first);
    Path after = Files.writeString(directory.resolve("after"), second);
    host.with(
        "cat",
        "if mkdir '%s' 2>/dev/null; then exec <'%s'; else exec <'%s'; fi\n"
                .formatted(called, before, after)
            + "while IFS= read -r line; do printf '%s\\n' \"$line\"; done\n"
            + then);
  }

  /** The second reading, once the first is under way. */
  private Observation watch() {
    try (Observer.Watch watch = new Dom0Counters(host).begin(WINDOW.length(), directory)) {
      await().until(() -> Files.exists(called));
      watch.end();
      return watch.finish(WINDOW);
    }
  }

  private Observation watchAtOnce(RemoteShell shell) {
    try (Observer.Watch watch = new Dom0Counters(shell).begin(WINDOW.length(), directory)) {
      watch.end();
      return watch.finish(WINDOW);
    }
  }

  @Test
  void tellsWhatTheKernelCountedBetweenBothEnds() throws IOException {
    answering(
        BEFORE + DISK.formatted(10, 100, 20, 200, 1000),
        AFTER + DISK.formatted(110, 2100, 70, 400, 3500),
        "exit 0");

    Observation seen = watch();

    assertThat(seen.remarks()).isEmpty();
    Sighting dom0 = seen.sightings().get(0);
    assertThat(dom0.place()).isEqualTo(Location.domain("Domain-0"));
    assertThat(dom0.readings())
        .extracting(Reading::name)
        .containsExactly("busy", "stolen", "waiting_for_disks", "busiest_disk");
    assertThat(dom0.value("seconds")).isCloseTo(10, within(1e-9));
    assertThat(dom0.value("busy")).isCloseTo(0.25, within(1e-9));
    assertThat(dom0.value("stolen")).isCloseTo(0.05, within(1e-9));
    assertThat(dom0.value("waiting_for_disks")).isCloseTo(0.1, within(1e-9));
    assertThat(dom0.value("load_average")).isCloseTo(0.6, within(1e-9));
    assertThat(dom0.value("busiest_disk")).isCloseTo(0.25, within(1e-9));
    assertThat(dom0.value("sda.reads")).isCloseTo(10, within(1e-9));
    assertThat(dom0.value("sda.bytes_read")).isCloseTo(102_400, within(1e-6));
  }

  @Test
  void tellsWhatCannotBeKeptAndMeasuresAllTheSame() throws IOException {
    answering(BEFORE, AFTER, "exit 0");
    Files.createDirectory(file);

    Observation seen = watch();

    assertThat(seen.sightings()).hasSize(1);
    assertThat(seen.remarks())
        .singleElement()
        .satisfies(remark -> assertThat(remark).contains("could not be kept in", file.toString()));
  }

  @Test
  void keepsBothReadingsAsARecordingThatReduceKnows() throws IOException {
    answering(BEFORE, AFTER, "exit 0");

    watch();

    assertThat(Recordings.source(file)).contains(Recordings.Source.PROC);
    assertThat(ProcLog.read(file).snapshots()).isEqualTo(2);
  }

  @Test
  void readsARealKernelsFiles() {
    watchAtOnce(host);

    // Two readings at the same hundredth of a second do not follow each other.
    ProcLog log = ProcLog.read(file);
    assertThat(log.damage().sentences("/proc"))
        .allMatch(said -> said.contains("counters went back"));
    assertThat(log.cpus()).isPositive();
  }

  @Test
  void tellsWhatIsMissingAndMeasuresTheRest() throws IOException {
    answering(BEFORE, AFTER, "echo 'cat: /proc/diskstats: No such file' >&2\nexit 1");

    Observation seen = watch();

    assertThat(seen.sightings().get(0).value("busy")).isCloseTo(0.25, within(1e-9));
    assertThat(seen.sightings().get(0).value("busiest_disk")).isNaN();
    assertThat(seen.remarks())
        .containsExactly(
            "dom0's /proc could not be read in full: cat failed with status 1"
                + " (cat: /proc/diskstats: No such file)");
  }

  @Test
  void aHostWithoutThemIsToldOnce() throws IOException {
    host.with("cat", "echo 'cat: /proc/stat: No such file' >&2\nexit 1");

    Observation seen = watchAtOnce(host);

    assertThat(seen.sightings()).isEmpty();
    assertThat(seen.remarks()).hasSize(1);
    assertThat(file).doesNotExist();
  }

  @Test
  void aRestartInBetweenLeavesNothingToTell() throws IOException {
    answering(AFTER, BEFORE, "exit 0");

    Observation seen = watch();

    assertThat(seen.sightings()).isEmpty();
    assertThat(seen.remarks()).singleElement().asString().contains("a restart, or a wrap");
  }

  @Test
  void aHostThatIsLostIsToldAndFailsNothing() {
    Observation seen = watchAtOnce(new LostHost());

    assertThat(seen.sightings()).isEmpty();
    assertThat(seen.remarks()).containsExactly("dom0's /proc could not be read: it is gone");
    assertThat(file).doesNotExist();
  }

  private static final class LostHost implements RemoteShell {
    private static RemoteShellException gone() {
      return new RemoteShellException(Kind.CONNECTION_LOST, "it is gone", "", null);
    }

    @Override
    public CommandResult run(Command command) {
      throw gone();
    }

    @Override
    public RunningCommand start(Command command) {
      throw gone();
    }

    @Override
    public void fetch(String remoteFile, Path localFile) {
      throw gone();
    }

    @Override
    public String address() {
      return "gone";
    }

    @Override
    public void close() {}
  }
}
