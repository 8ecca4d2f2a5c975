package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Counted;
import io.slicewise.observe.MachineCounters.ProbeTiming;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.profile.Credit;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.SweepJson;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: only a trial the journal calls finished counts, and nothing found is ever lost. */
class RunDirectoryTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:00:00.5Z");
  private static final Trial TRIAL = new Trial(1, 1, "credit-256", Load.of(25), 1);

  @TempDir Path parent;

  private RunDirectory create() throws IOException {
    RunDirectory run = RunDirectory.create(parent, "web-app", NOW);
    Files.writeString(run.experimentFile(), "name: web-app\n");
    return run;
  }

  private static TrialResult result() {
    Window window = new Window(NOW, NOW.plusSeconds(20));
    return new TrialResult(
        TRIAL,
        List.of(),
        List.of("a warning"),
        new TrialTimes(new Window(NOW.minusSeconds(5), NOW), window, Map.of("measure", 20.0)),
        TrialHost.of(4, Map.of("Apache_Server", Credit.of(512, 0))),
        new TrialLoad(
            Optional.empty(),
            List.of(
                new GeneratorResult(
                    "local",
                    "samples.jtl.gz",
                    new GeneratorHealth(1, 0.1, 2, 3, Double.NaN, 0.2, 2, Double.NaN),
                    0)),
            List.of()),
        List.of(
            HypervisorShares.observation(
                new MonitorResult(
                    "xenmon",
                    window,
                    List.of(
                        new DomainShares(
                            "Apache_Server", 1, 1, 0.5, Double.NaN, Double.NaN, "why")),
                    List.of(),
                    List.of()))));
  }

  @Test
  void readsTrialsOfRunsThatKnewNoNeighboursAndKeepsThoseThatDo() throws IOException {
    String before =
        "{\"number\":7,\"block\":2,\"profile\":\"w\",\"users\":25,\"repetition\":2,\"attempt\":1}";
    Trial plain = new Trial(7, 2, "w", Load.of(25), 2);
    assertThat(Json.mapper().readValue(before, Trial.class)).isEqualTo(plain);
    assertThat(Json.mapper().writeValueAsString(plain)).isEqualTo(before);

    Trial beside = new Trial(7, 2, "w", Load.beside(0, 25), 2);
    assertThat(beside.slug()).isEqualTo("0007-w-u25-i0-r2");
    String written = Json.mapper().writeValueAsString(beside);
    assertThat(written).contains("\"users\":25,\"neighbours\":0,");
    assertThat(Json.mapper().readValue(written, Trial.class)).isEqualTo(beside);
  }

  @Test
  void keepsTheCountersOfEveryMachine() throws IOException {
    MachineCounters guest =
        new MachineCounters(
            Tier.GUEST,
            1,
            20,
            new Counted(
                Map.of(MachineCounters.USER, 5.0, MachineCounters.STEAL, 0.5, "idle", 14.5),
                Map.of(MachineCounters.FAULTS, 1e6),
                Map.of("io.some", 0.25),
                Map.of("MemTotal", 1e9),
                Map.of("cpu.user_usec", 4e6),
                Map.of(
                    "xvda",
                    new DiskCounters(
                        Map.of(DiskCounters.READS, 10.0, DiskCounters.READ_MILLIS, 57.0))),
                Map.of()),
            new ProbeTiming(5, 0.011, Double.NaN, 0.002, 0.001, 0.02, 0.01),
            List.of("/proc/schedstat"),
            false);
    Observation observed =
        new Observation(
            new Topic("machines", "Machines", "machine"),
            "proc",
            new Window(NOW, NOW.plusSeconds(20)),
            List.of(),
            List.of(),
            Map.of("db", guest, "web", MachineCounters.unread(Tier.GUEST)),
            List.of());
    TrialResult plain = result();
    TrialResult result =
        new TrialResult(
            plain.trial(), plain.times(), plain.host(), plain.loaded(), List.of(observed));

    TrialResult read =
        SweepJson.MAPPER.readValue(SweepJson.MAPPER.writeValueAsString(result), TrialResult.class);

    assertThat(read.machines()).isEqualTo(result.machines()).containsOnlyKeys("db", "web");
    assertThat(read.machines().get("db").counted().disks().get("xvda").readWaitMillis())
        .isEqualTo(5.7);
    assertThat(read.machines().get("db").share(MachineCounters.STEAL)).isEqualTo(0.025);
    assertThat(read.machines().get("web").measured()).isFalse();
  }

  @Test
  void keepsTheWindowsPlaceAndNamesItsDirectoryAfterIt() throws IOException {
    Trial window = new Trial(12, 13, "w", Load.of(25), 13).at(new WindowPlace(2, 3, 1)).attempt(1);
    assertThat(window.slug()).isEqualTo("0012-w-u25-s2-b03-w01");
    String written = Json.mapper().writeValueAsString(window);
    assertThat(written).endsWith("\"place\":{\"session\":2,\"block\":3,\"position\":1}}");
    assertThat(Json.mapper().readValue(written, Trial.class)).isEqualTo(window);
  }

  @Test
  void isNamedByExperimentAndTimeAndNeverTakesAnExistingName() throws IOException {
    assertThat(create().name()).isEqualTo("web-app-2026-11-20T21-00-00Z");
    assertThat(create().name()).isEqualTo("web-app-2026-11-20T21-00-00Z-2");
  }

  @Test
  void refusesToBeginWithAnExperimentThatCouldNotBeReadForAReport() throws IOException {
    Path file = parent.resolve("cpu.yaml");
    Files.writeString(
        file,
        """
        name: cpu
        lab: {}
        domains: {main: [Bench]}
        profiles: [as-found]
        workload: cpu
        users: 1
        """);
    Experiment sound = ExperimentFiles.read(file);
    WorkloadSpec cpu = sound.workload();
    Experiment unreadable =
        sound.withWorkload(
            new WorkloadSpec(
                cpu.name(),
                cpu.plan(),
                Optional.of(URI.create("http://guest/")),
                cpu.properties(),
                cpu.options()));
    assertThatThrownBy(() -> RunDirectory.begin(parent, "cpu", unreadable, NOW))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("did not start")
        .hasMessageContaining("target has no meaning: workload cpu has none");
    assertThat(RunDirectory.below(parent)).isEmpty();
    RunDirectory begun = RunDirectory.begin(parent, "cpu", sound, NOW);
    assertThat(begun.load().experiment().name()).isEqualTo(sound.name());
  }

  @Test
  void readsAResultBackAsItWasWrittenUnknownNumbersIncluded() throws IOException {
    RunDirectory run = create();
    run.freshTrialDirectory(TRIAL);
    String sum = run.writeResult(result());
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(new JournalEvent.TrialFinished(NOW, 1, TRIAL.slug(), true, sum));
    }
    assertThat(run.results()).containsExactly(result());
  }

  @Test
  void aResultWithoutItsFinishedLineDoesNotCount() throws IOException {
    RunDirectory run = create();
    run.freshTrialDirectory(TRIAL);
    run.writeResult(result());
    assertThat(run.results()).isEmpty();
  }

  @Test
  void setsAsideWhatAKilledTrialLeftBehind() throws IOException {
    RunDirectory run = create();
    Files.writeString(run.freshTrialDirectory(TRIAL).resolve("samples.jtl.gz"), "first");
    Files.writeString(run.freshTrialDirectory(TRIAL).resolve("samples.jtl.gz"), "second");
    assertThat(run.freshTrialDirectory(TRIAL)).isEmptyDirectory();
    Path shelf = run.root().resolve("set-aside");
    assertThat(shelf.resolve(TRIAL.slug() + ".1/samples.jtl.gz")).hasContent("first");
    assertThat(shelf.resolve(TRIAL.slug() + ".2/samples.jtl.gz")).hasContent("second");
  }

  @Test
  void setsAsideTrialsThatNeverFinished() throws IOException {
    RunDirectory run = create();
    Path left = run.freshTrialDirectory(TRIAL);
    Files.writeString(left.resolve("samples.jtl.gz"), "unfinished");
    run.setUnfinishedAside();
    assertThat(left).doesNotExist();
    assertThat(run.root().resolve("set-aside/" + TRIAL.slug() + ".1/samples.jtl.gz"))
        .hasContent("unfinished");
  }

  @Test
  void refusesADirectoryThatIsNoRun() {
    assertThatThrownBy(() -> RunDirectory.open(parent))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("experiment.yaml");
    assertThatThrownBy(() -> RunDirectory.open(parent.resolve("nosuch")))
        .hasMessage(parent.resolve("nosuch") + " does not exist");
  }

  @Test
  void aLockIsHeldUntilItIsClosed() throws IOException {
    RunDirectory run = create();
    try (RunLock lock = RunLock.take(run.root())) {
      assertThat(run.isWorkedOn()).isTrue();
      assertThatThrownBy(() -> RunLock.take(run.root()))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("another process is working on");
    }
    assertThat(run.isWorkedOn()).isFalse();
  }

  /** Closing any channel on a locked file would release the lock, for other processes to take. */
  @Test
  void askingWithinTheProcessThatHoldsALockDoesNotReleaseIt() throws IOException {
    RunDirectory run = create();
    try (RunLock lock = RunLock.take(run.root())) {
      assertThat(systemLocks(run)).isEqualTo(1);
      assertThat(run.isWorkedOn()).isTrue();
      assertThatThrownBy(() -> RunLock.take(run.root())).isInstanceOf(SlicewiseException.class);
      assertThat(systemLocks(run)).isEqualTo(1);
    }
    assertThat(systemLocks(run)).isZero();
  }

  private static long systemLocks(RunDirectory run) throws IOException {
    String file = ":" + Files.getAttribute(run.root().resolve(".lock"), "unix:ino") + " ";
    try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
      return locks.filter(line -> line.contains(" POSIX ") && line.contains(file)).count();
    }
  }

  @Test
  void askingWhetherARunIsWorkedOnLeavesNothingBehind() throws IOException {
    RunDirectory run = create();
    assertThat(run.isWorkedOn()).isFalse();
    assertThat(run.root().resolve(".lock")).doesNotExist();
  }

  @Test
  void everyProcessOfARunKeepsWhatItRanOn() throws IOException {
    RunDirectory run = create();
    run.writeWhole(run.nextEnvironmentFile(), "first");
    run.writeWhole(run.nextEnvironmentFile(), "second");
    assertThat(run.root().resolve("environment.json")).hasContent("\"first\"");
    assertThat(run.root().resolve("environment-2.json")).hasContent("\"second\"");
  }

  @Test
  void tellsWhereItsNumbersComeFromAlsoWhereOlderRunsSaidNothing() throws IOException {
    RunDirectory run = create();
    Files.writeString(
        run.experimentFile(),
        """
        name: old
        lab: {}
        domains: {main: [Apache_Server]}
        profiles: [as-found]
        workload: observe
        """);
    assertThat(run.origin().kind()).isEqualTo(Origin.Kind.LAB);
    Origin simulated = Origin.simulated("demands of the 2010 study");
    run.writeWhole(run.environmentFile(), Map.of("origin", simulated));
    assertThat(run.origin()).isEqualTo(simulated);
  }
}
