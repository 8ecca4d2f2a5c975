package io.slicewise.sweep;

import static io.slicewise.sweep.LocalSweep.atEachStep;
import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.load.spread.CutRelay;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.SwitchTrace;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.guard.DeadMan;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Protects hosts with a dead man's switch whose run loses its connection, its lock or a session.
 */
@KeepsTheMachineBusy
@Tag("thorough")
class DeadManFaultsTest extends DeadMen {
  @Test
  @Tag("nightly")
  void aRunThatConnectsAgainAfterACutKeepsItsSwitch() throws Exception {
    LabFault cut = LabFault.at(FaultKind.DROP_CONNECTION, "xl sched-credit -d").afterwards();
    try (Lab lab = Lab.start(burning().withFaults(cut))) {
      LabSettings asFound = lab.settings();
      Experiment experiment = LabExperiment.read(experiment(lab, "1m", "1s"));
      Sweep sweep = sweep(experiment);
      RunState state = sweep.execute().state();
      if (state != RunState.DONE) { // the trial whose change was cut off failed
        state = LabExperiment.resume(sweep.run(), experiment).state();
      }
      assertThat(state).isEqualTo(RunState.DONE);
      assertThat(SwitchTrace.lastFired(sweep.run().events())).isEmpty();
      assertThat(lab.settings()).isEqualTo(asFound);
      assertNothingLeft(experiment);
    }
  }

  @Test
  @Tag("nightly")
  void theHostRestoresItselfWhileItsRunLivesAndCannotReachIt() throws Exception {
    try (Lab lab = Lab.start(burning());
        CutRelay relay = new CutRelay(lab.sshPort())) {
      LabSettings asFound = lab.settings();
      Path direct = experiment(lab, "5s", "1s");
      String port = Integer.toString(lab.sshPort());
      Files.writeString(
          lab.knownHosts(),
          Files.readString(lab.knownHosts()).replace("]:" + port, "]:" + relay.port()),
          StandardOpenOption.APPEND);
      Path relayed =
          Files.writeString(
              directory.resolve("relayed.yaml"),
              Files.readString(direct).replace("port: " + port, "port: " + relay.port()));
      Sweep sweep =
          sweep(
              LabExperiment.read(relayed),
              atEachStep(
                  (trial, step) -> {
                    if (step == Step.MEASURE && !lab.settings().equals(asFound)) {
                      cut(relay);
                    }
                  }),
              Duration.ofSeconds(2));
      assertThat(sweep.execute().state()).isEqualTo(RunState.NOT_RESTORED);
      Experiment experiment = LabExperiment.read(direct);
      awaitRestoredAndUnlocked(lab, asFound, experiment);
      assertThat(LabExperiment.resume(sweep.run(), experiment).state()).isEqualTo(RunState.DONE);
      assertThat(SwitchTrace.lastFired(sweep.run().events())).isPresent();
      assertThat(lab.settings()).isEqualTo(asFound);
      assertNothingLeft(experiment);
    }
  }

  private static void cut(CutRelay relay) {
    try {
      relay.close();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** What {@code --take-lock} leaves: the lock is another's, so the switch is not to interfere. */
  @Test
  @Tag("nightly")
  void aSwitchWhoseLockWasTakenChangesNothingAndItsRunLearnsOfIt() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = experiment(lab, "8s", "2s");
      Experiment experiment = LabExperiment.read(file);
      RunDirectory run = killedRun(lab, asFound, file);
      LabSettings changed = lab.settings();
      onHost(experiment, "sh", "-c", "rm -f $1; ln -s other-run $1", "sh", HostLock.LINK);

      Awaitility.await().atMost(PATIENCE).until(() -> receipt(lab).isPresent());
      assertThat(receipt(lab).orElseThrow()).contains("aside other-run");
      assertThat(lab.settings()).isEqualTo(changed);

      HostRestore.Receipt receipt =
          HostRestore.restore(
              run, experiment, new SweepOptions(true, Duration.ofMinutes(1)), Clock.systemUTC());
      assertThat(receipt.notices()).anySatisfy(one -> assertThat(one).contains("other-run"));
      assertThat(receipt.restored()).isNotEmpty();
      assertThat(lab.settings()).isEqualTo(asFound);
      assertNothingLeft(experiment);
    }
  }

  /**
   * The next profile keeps what the lost switch covered, so that no difference says that it must be
   * covered again.
   */
  @Test
  void aNewSwitchCoversWhatALostOneLeftChanged() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = experiment(lab, "5s", "1s");
      Files.writeString(
          file,
          Files.readString(file)
              + """
                  - name: w512
                    scheduler: credit
                    domains: {Apache_Server: {weight: 512}, NFS_Server: {weight: 128}}
                """);
      Experiment experiment = LabExperiment.read(file);
      RunDirectory run =
          RunDirectory.begin(directory.resolve("results"), "lost", experiment, Instant.now());
      try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow());
          Journal journal = Journal.open(run.journalFile());
          HostLock lock = HostLock.take(shell, experiment, run, SweepOptions.DEFAULT);
          DeadMan deadMan = deadMan(shell, experiment, lock, run)) {
        SettingsGuard guard =
            new SettingsGuard(
                HostShells.hypervisor(shell, experiment.host().orElseThrow()),
                journal,
                run.record(),
                Clock.systemUTC(),
                Optional.of(deadMan));
        guard.rememberFound();
        guard.apply(experiment, experiment.profile("w1024"));
        long pid = Long.parseLong(Files.readString(inSwitch(lab, "pid").orElseThrow()).strip());
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        Awaitility.await().until(() -> ProcessHandle.of(pid).isEmpty());
        guard.apply(experiment, experiment.profile("w512"));
        List<JournalEvent.DeadManArmed> armed = SwitchTrace.left(run.events());
        assertThat(armed).hasSize(1);
        assertThat(armed.get(0).domains()).containsExactly("Apache_Server", "NFS_Server");
      }
      awaitRestored(lab, asFound);
      HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
      assertNothingLeft(experiment);
    }
  }

  private static DeadMan deadMan(
      RemoteShell shell, Experiment experiment, HostLock lock, RunDirectory run) {
    return new DeadMan(
        shell, experiment.host().orElseThrow(), lock, run, Clock.systemUTC(), notice -> {});
  }

  /** It waits for a quiet machine, for instance, and has not armed a switch of its own yet. */
  @Test
  void theHostRestoresItselfThoughAnotherProcessOfTheRunHasTakenItsLock() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = experiment(lab, "5s", "2s");
      RunDirectory run = killedRun(lab, asFound, file);
      Experiment experiment = LabExperiment.read(file);
      try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow());
          HostLock lock = HostLock.take(shell, experiment, run, SweepOptions.DEFAULT)) {
        awaitRestored(lab, asFound);
        assertThat(onHost(experiment, "readlink", HostLock.LINK)).isEqualTo(lock.text());
      }
      HostRestore.Receipt receipt =
          HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
      assertThat(receipt.complaints()).isEmpty();
      assertThat(SwitchTrace.lastFired(run.events())).isPresent();
      assertNothingLeft(experiment);
    }
  }

  private static Optional<String> receipt(Lab lab) throws IOException {
    Optional<Path> receipt = inSwitch(lab, "receipt");
    return receipt.isPresent() ? Optional.of(Files.readString(receipt.get())) : Optional.empty();
  }

  private static Optional<Path> inSwitch(Lab lab, String file) throws IOException {
    Path home = lab.fileSystem().resolve(HostSwitch.HOME.substring(1));
    if (!Files.isDirectory(home)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.walk(home)) {
      return all.filter(one -> one.endsWith(file)).findFirst();
    }
  }
}
