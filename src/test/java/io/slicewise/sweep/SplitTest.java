package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabOptions;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Split;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.SettingsGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects cpupools that profiles make for their guests: one run compares schedulers without a
 * reboot, every trial reads the cpupool back, and what cannot be split is refused. {@link
 * KilledAndRestoredTest} kills such runs.
 */
@KeepsTheMachineBusy
class SplitTest {
  private static final String SPLIT = "split: {Pool-0: {cpus: 2-3, domains: [Apache_Server]}}";

  @RegisterExtension static final SharedLab LAB = new SharedLab(KilledRuns::xen);

  @TempDir Path directory;

  private Path experiment(Lab lab, String... profiles) throws IOException {
    Path file = LabExperiment.asFound(lab, directory);
    StringBuilder text = new StringBuilder(Files.readString(file));
    for (String profile : profiles) {
      text.append("  - {%s}%n".formatted(profile));
    }
    return Files.writeString(file, text);
  }

  @Test
  void oneRunComparesSchedulersWithoutAReboot() throws IOException {
    String asFound = LAB.state();
    Path file =
        experiment(
            LAB.lab(),
            "name: credit2, scheduler: credit2, " + SPLIT,
            "name: heavy, scheduler: credit, main: {weight: 512}",
            "name: rtds, scheduler: rtds, main: {period: 20ms, budget: 15ms}, " + SPLIT,
            "name: unshared, scheduler: null, " + SPLIT);
    Path results = directory.resolve("results");
    LocalSweep.of(ExperimentFiles.read(file)).begin(results).execute();
    List<TrialResult> trials =
        RunDirectory.newest(results).orElseThrow().results().stream()
            .filter(TrialResult::valid)
            .toList();
    assertThat(trials).hasSize(5);
    assertThat(trials)
        .filteredOn(result -> result.trial().profile().equals("rtds"))
        .singleElement()
        .satisfies(
            result -> {
              assertThat(result.host().after().get("split of Pool-0"))
                  .hasToString("split under rtds cpus 2-3 domains Apache_Server pcpus 0-3");
              assertThat(result.host().after().get("Apache_Server").toString())
                  .contains("15 ms of 20 ms");
            });
    assertThat(LAB.state()).isEqualTo(asFound);
  }

  /** A kill is a guard that changed the host and did nothing after it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3 | DONE",
        "0-3 | would take the last pCPU of cpupool Pool-0",
      })
  void aRunKilledInsideASplitIsUndoneBeforeItsProfilesAreJudged(String cpus, String end)
      throws IOException {
    Lab lab = LAB.lab();
    RemoteShell shell = LAB.shell();
    String asFound = LAB.state();
    Path file =
        experiment(
            lab,
            "name: pinned, scheduler: credit, placement: {NFS_Server: {affinity: 2}}",
            "name: rtds, scheduler: rtds, " + SPLIT);
    Experiment experiment = ExperimentFiles.read(file);
    Clock clock = Clock.systemUTC();
    RunDirectory run =
        RunDirectory.begin(directory.resolve("results"), "killed", experiment, clock.instant());
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(ThisProcess.takesUpRun(clock, shell.address()));
      SettingsGuard guard =
          new SettingsGuard(
              Hypervisors.probe(shell, false, Optional.empty(), Optional.empty()),
              journal,
              run.record(),
              clock,
              Optional.empty());
      guard.rememberFound();
      guard.apply(experiment, experiment.profiles().get(2));
    }
    assertThat(shell.run(Command.reading("xl", "list", "-c", "Apache_Server")).standardOutput())
        .contains("slicewise");
    Files.writeString(file, Files.readString(file).replace("cpus: 2-3", "cpus: " + cpus));
    Experiment resumed = ExperimentFiles.read(file);
    if (end.equals("DONE")) {
      assertThat(LabExperiment.resume(run, resumed).state()).isEqualTo(RunState.DONE);
    } else {
      assertThatThrownBy(() -> LabExperiment.resume(run, resumed))
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              refused ->
                  assertThat(refused.hint())
                      .contains("; what this run had changed on root@127.0.0.1:")
                      .endsWith(" is undone"))
          .hasMessageContaining(end);
      assertThat(run.record().touched()).isEmpty();
    }
    assertThat(LAB.state()).isEqualTo(asFound);
    assertThat(HostLock.held(shell)).isEmpty();
  }

  /** Half of a split is the run's; a pCPU that it never takes is not. */
  @Test
  void theUndoOfASplitKnowsWhichPcpusOthersTookOrGave() {
    RemoteShell shell = LAB.shell();
    Hypervisor host = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
    SchedulerParameters found = Setting.byName(host.settings()).get("split of Pool-0");
    SchedulerParameters ours =
        found
            .with(Split.SCHEDULER, "rtds")
            .with(Split.CPUS, "0,3")
            .with(Split.DOMAINS, "Apache_Server");
    Undo.Part pcpus =
        host
            .undo(
                Target.Pool.called("split of Pool-0"),
                new Undo.Change(found, ours.changedFrom(found), List.of(found, ours)))
            .orElseThrow()
            .parts()
            .stream()
            .filter(part -> part.name().equals("pCPUs"))
            .findFirst()
            .orElseThrow();
    String known = pcpus.known().lines().get(0);
    assertThat(List.of("0,1,2,3", "1,2,3", "0,1,2", "1,2"))
        .allMatch(cpus -> ("Pool-0             " + cpus).matches(known));
    assertThat(List.of("0,1,2,3,4", "0,1", "2", "", "0-3", "0,2,3"))
        .noneMatch(cpus -> ("Pool-0             " + cpus).matches(known));
    assertThat("Pool-0             0,1,2,3").matches(pcpus.restored().lines().get(0));
    assertThat("Pool-0             1,2").doesNotMatch(pcpus.restored().lines().get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "credit2 | cpus: 9, domains: Apache_Server | pCPU 9 is not in cpupool Pool-0, which has 0-3",
        "credit2 | cpus: 0-3, domains: Apache_Server | would take the last pCPU of cpupool Pool-0",
        "credit2 | cpus: 0, domains: Apache_Server | would leave a vCPU of NFS_Server without a pCPU",
        "credit2 | cpus: 1, domains: Domain-0 | Domain-0 cannot leave its cpupool",
        "'null' | cpus: 1-2, domains: [Apache_Server, NFS_Server] | 3 vCPUs of Apache_Server, NFS_Server would share 2",
      })
  void whatCannotBeSplitIsRefusedBeforeAnythingIsChanged(
      String scheduler, String split, String sentence) throws IOException {
    LAB.shell().run(Command.changing("xl", "vcpu-pin", "NFS_Server", "0", "0"));
    String asFound = LAB.state();
    Path file =
        experiment(
            LAB.lab(),
            "name: other, scheduler: %s, split: {Pool-0: {%s}}".formatted(scheduler, split));
    LocalSweep sweep = LocalSweep.of(ExperimentFiles.read(file));
    assertThatThrownBy(() -> sweep.begin(directory.resolve("results")).execute())
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(sentence);
    assertThat(LAB.state()).isEqualTo(asFound);
    LAB.shell().run(Command.changing("xl", "vcpu-pin", "NFS_Server", "0", "0-1"));
  }

  @Test
  void aXenWithoutTheSchedulerKeepsItsPoolsAndGuests() throws IOException {
    try (Lab lab = Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT));
        RemoteShell shell = LabClient.open(lab)) {
      String asFound = SharedLab.state(lab, shell);
      Path file = experiment(lab, "name: rtds, scheduler: rtds, " + SPLIT);
      Path results = directory.resolve("results");
      LocalSweep.of(ExperimentFiles.read(file)).begin(results).execute();
      assertThat(RunDirectory.newest(results).orElseThrow().record().failed().values())
          .singleElement()
          .asString()
          .contains("Xen made no cpupool with sched=\"rtds\"", "nothing was changed");
      assertThat(SharedLab.state(lab, shell)).isEqualTo(asFound);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scheduler: credit2, split: {Pool-0: {cpus: 1}} | split of Pool-0 needs cpus and domains",
        "scheduler: credit2, split: {Pool-0: {cpus: 1, domains: web, under: rtds}} | is under rtds, which contradicts the profile's scheduler credit2",
        "scheduler: null | scheduler null has no settings: it needs a cpupool of its own",
        "'scheduler: credit, split: {Pool-0: {cpus: 1-2, domains: web}}, placement: {web:"
            + " {affinity: 0-1}}' | 'web: affinity 0-1 contradicts the split, which has pCPUs 1-2'",
        "scheduler: cfs, split: {Pool-0: {cpus: 1, domains: web}} | 'split has no meaning for cfs:"
            + " only Xen has cpupools'",
        "'scheduler: credit, split: {Pool-0: {cpus: 1-2, domains: web}}, placement: {web:"
            + " {affinity: 0-1}}' | 'web: affinity 0-1 contradicts the split, which has pCPUs 1-2'",
        "'scheduler: credit, split: {Pool-0: {cpus: 1-2, domains: web}}, placement: {db: {affinity:"
            + " 1}}' | 'db: affinity 1 contradicts the split, which takes pCPUs 1-2'",
        "scheduler: credit, placement: {web: {affinity: [0]}} | affinity of web lists the pCPUs of"
            + " one vCPU; write those of all vCPUs without brackets",
        "scheduler: credit, disks: {../../../etc: {io-scheduler: none}} | disk '../../../etc' is no"
            + " name of a disk",
        "scheduler: credit, pools: {-p: {ratelimit: none}} | pool '-p' must not be empty, begin"
            + " with a dash or contain a control character",
        "scheduler: cfs, split: {Pool-0: {cpus: 1, domains: web}} | 'split has no meaning for cfs:"
            + " only Xen has cpupools'",
      })
  void aFaultInAProfileIsNamed(String profile, String sentence) throws IOException {
    Path file = directory.resolve("profiles.yaml");
    Files.writeString(file, "profiles:%n  other: {%s}%n".formatted(profile));
    assertThatThrownBy(() -> ProfileFiles.read(file)).hasMessageContaining(sentence);
  }
}
