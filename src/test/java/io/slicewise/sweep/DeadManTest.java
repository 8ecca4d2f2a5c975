package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Credit;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.SwitchTrace;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.SweepOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Protects the promise to whoever owns the host: with {@code dead-man}, it restores itself when
 * nobody comes back ({@link KilledAndRestoredTest}), only then, and once. The program is the real
 * one, run by a real {@code sh}. Each on a lab of its own, at once: they mostly wait for the
 * switch.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class DeadManTest extends DeadMen {
  @Test
  void planShowsTheProgramAndDoctorWhetherTheHostCanRunIt() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      String file = experiment(lab, "5m", "2s").toString();
      assertThat(CommandLines.run("plan", file, "--commands").out())
          .contains("after 5m without a heartbeat, the host restores itself")
          .contains("limit=300")
          .contains("xl sched-credit -d 1 -w 256\n")
          .contains("has_line ' 1 +256 +[0-9]+ *$'")
          .contains("has_line ' 1 +(1024|256) +[0-9]+ *$'");
      assertThat(CommandLines.run("doctor", file).out())
          .containsPattern("ok +dead man +the host can restore itself 5m after the last heartbeat");
      assertThat(onHost(LabExperiment.read(Path.of(file)), "ls", "-1", HostSwitch.HOME)).isEmpty();
    }
  }

  /** Its window is longer than the limit, and every command takes its time. */
  @Test
  @Tag("nightly")
  void aLivingRunIsLeftAloneHoweverLongItMeasures() throws Exception {
    LabFault slow = LabFault.at(FaultKind.SLOW_NETWORK, "xl info").delayed(Duration.ofMillis(300));
    try (Lab lab = Lab.start(burning().withFaults(slow))) {
      LabSettings asFound = lab.settings();
      Experiment experiment = LabExperiment.read(experiment(lab, "5s", "9s"));
      Sweep sweep = sweep(experiment);
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(SwitchTrace.count(sweep.run().events())).isEqualTo(1);
      assertThat(SwitchTrace.lastFired(sweep.run().events())).isEmpty();
      assertThat(SwitchTrace.left(sweep.run().events())).isEmpty();
      assertThat(sweep.run().results()).allSatisfy(result -> assertThat(result.valid()).isTrue());
      assertThat(lab.settings()).isEqualTo(asFound);
      assertNothingLeft(experiment);
    }
  }

  @Test
  void oneSwitchCoversAllCandidatesThatArePlanned() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      Experiment experiment = LabExperiment.read(experiment(lab, "5m", "1s"));
      Sweep sweep = sweep(experiment).from(CandidateSource.atOnce(512, 1024, 2048));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(SwitchTrace.count(sweep.run().events())).isEqualTo(1);
      assertNothingLeft(experiment);
    }
  }

  /** As a suspended laptop does: the run is stopped, the switch acts, and the run goes on. */
  @Test
  void aRunThatComesBackLateLearnsWhatHappenedAndGoesOn() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      Path file = experiment(lab, "5s", "4s");
      Path results = directory.resolve("results");
      Process process =
          SlicewiseProcess.start(
              directory, "run", file.toString(), "--results", results.toString());
      try {
        Awaitility.await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> !process.isAlive() || !lab.settings().equals(asFound));
        signal(process, "STOP");
        awaitRestored(lab, asFound);
        signal(process, "CONT");
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly().waitFor();
      }
      RunDirectory run = RunDirectory.newest(results).orElseThrow();
      assertThat(SwitchTrace.lastFired(run.events()))
          .as(Files.readString(directory.resolve("run.log")))
          .isPresent();
      assertThat(run.record().touched()).isEmpty();
      if (run.record().state() != RunState.DONE) { // stopped while it changed the host
        assertThat(LabExperiment.resume(run, LabExperiment.read(file)).state())
            .isEqualTo(RunState.DONE);
      }
      assertThat(lab.settings()).isEqualTo(asFound);
      assertNothingLeft(LabExperiment.read(file));
    }
  }

  private static void signal(Process process, String name) throws Exception {
    assertThat(
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor())
        .isZero();
  }

  /** The run changed the weights alone: a cap is nobody's business, a third weight stays. */
  @Test
  void theHostRestoresOnlyWhatTheRunChangedAndLeavesAThirdValue() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      Path file = experiment(lab, "6s", "2s");
      RunDirectory run = killedRun(lab, lab.settings(), file);
      Experiment experiment = LabExperiment.read(file);
      atTheHost(experiment, "xl", "sched-credit", "-d", "Apache_Server", "-c", "70");
      atTheHost(experiment, "xl", "sched-credit", "-d", "NFS_Server", "-w", "777");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> lab.settings().of("Apache_Server").equals(Credit.of(256, 70)));
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> onHost(experiment, "readlink", HostLock.LINK).isEmpty());
      assertThat(lab.settings().of("NFS_Server")).isEqualTo(Credit.of(777, 0));
      HostRestore.Receipt receipt =
          HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
      assertThat(receipt.notices())
          .anySatisfy(
              notice ->
                  assertThat(notice)
                      .contains(
                          "restored Apache_Server; left NFS_Server with what someone else set"
                              + " (NFS_Server 2 777 0)"));
      assertThat(run.record().touched()).isEmpty();
      assertThat(lab.settings().of("Apache_Server")).isEqualTo(Credit.of(256, 70));
      assertThat(lab.settings().of("NFS_Server")).isEqualTo(Credit.of(777, 0));
      assertNothingLeft(experiment);
    }
  }
}
