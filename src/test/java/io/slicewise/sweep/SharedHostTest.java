package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.GarbledShell;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects numbers and guests on a host that others administer while trials run: what moves, is
 * replaced or is reconfigured in the window excludes the trial, and no guest is set that is not the
 * one a run changed.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class SharedHostTest {
  private static final String APACHE = "Apache_Server";
  private static final Duration SLOW = Duration.ofSeconds(4);

  @TempDir Path directory;

  private final StopRequest stop = new StopRequest(Clock.systemUTC());
  private final List<String> notices = new ArrayList<>();

  private static LabOptions options() {
    return LabOptions.sshOnly()
        .withScheduler(Scheduler.CREDIT)
        .withGuests(LabGuest.burning(APACHE, 1), LabGuest.burning("NFS_Server", 1));
  }

  private static Lab lab() {
    return Lab.start(options());
  }

  private Experiment two(Lab lab) {
    return LabExperiment.read(LabExperiment.two(lab, directory));
  }

  /** Runs the experiment while somebody does that in the window of the first trial of a profile. */
  private Sweep during(Experiment experiment, String profile, Runnable meddling) {
    AtomicBoolean done = new AtomicBoolean();
    SweepListener meddler =
        new SweepListener() {
          @Override
          public void step(Trial trial, Step step, Duration expected) {
            if (step == Step.MEASURE
                && trial.profile().equals(profile)
                && done.compareAndSet(false, true)) {
              meddling.run();
            }
          }

          @Override
          public void trialFailed(Trial trial, String reason) {
            notices.add(trial.slug() + " failed: " + reason);
          }

          @Override
          public void notice(String sentence) {
            notices.add(sentence);
          }
        };
    return LocalSweep.of(experiment).with(meddler).with(stop).begin(directory.resolve("results"));
  }

  private static void atTheHost(Experiment experiment, String... lines) {
    try (RemoteShell other = HostShells.open(experiment.host().orElseThrow())) {
      for (String line : lines) {
        assertThat(other.run(Command.changing(line.split(" "))).exitStatus()).as(line).isZero();
      }
    }
  }

  private static TrialResult first(Sweep sweep, String profile) {
    return sweep.run().results().stream()
        .filter(result -> result.trial().profile().equals(profile))
        .filter(result -> result.trial().attempt() == 1)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aGuestMovedToAnotherPoolExcludesTheTrial() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      atTheHost(
          experiment,
          "xl cpupool-cpu-remove Pool-0 3",
          "xl cpupool-create name=\"pool2\" sched=\"credit\" cpus=[\"3\"]");
      Sweep sweep =
          during(
              experiment,
              "as-found",
              () -> atTheHost(experiment, "xl cpupool-migrate Apache_Server pool2"));
      assertThat(sweep.execute().state()).isEqualTo(RunState.NO_VALID_DATA);
      assertThat(sweep.run().results())
          .hasSizeGreaterThan(2)
          .allSatisfy(
              result ->
                  assertThat(result.reasons())
                      .contains("Apache_Server: cpupool changed from Pool-0 to pool2"));
    }
  }

  /** The pool that the experiment asks for counts, also for a run that goes on later. */
  @Test
  void aGuestOutsideTheExperimentsPoolDoesNotCountAfterAResumeEither() throws IOException {
    try (Lab lab = lab()) {
      Path written = LabExperiment.two(lab, directory);
      Files.writeString(
          written, Files.readString(written).replace("host:\n", "host:\n  cpupool: Pool-0\n"));
      Experiment experiment = LabExperiment.read(written);
      Sweep sweep = during(experiment, experiment.profiles().get(0).name(), stop::askNow);
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      atTheHost(
          experiment,
          "xl cpupool-cpu-remove Pool-0 3",
          "xl cpupool-create name=\"pool2\" sched=\"credit\" cpus=[\"3\"]",
          "xl cpupool-migrate Apache_Server pool2");
      assertThat(LabExperiment.resume(sweep.run(), experiment).state())
          .isEqualTo(RunState.NO_VALID_DATA);
      assertThat(sweep.run().results())
          .isNotEmpty()
          .allSatisfy(
              result ->
                  assertThat(result.reasons())
                      .contains(
                          "Apache_Server: in cpupool pool2, and the experiment asks for Pool-0"));
    }
  }

  /** Nothing says where the guest belongs but the first trial, which another process ran. */
  @Test
  void aGuestMovedBeforeAResumeIsComparedWithTheStartOfTheRun() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      String last = experiment.profiles().get(experiment.profiles().size() - 1).name();
      Sweep sweep = during(experiment, last, stop::askNow);
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      atTheHost(
          experiment,
          "xl cpupool-cpu-remove Pool-0 3",
          "xl cpupool-create name=\"pool2\" sched=\"credit\" cpus=[\"3\"]",
          "xl cpupool-migrate Apache_Server pool2");
      LabExperiment.resume(sweep.run(), experiment);
      assertThat(sweep.run().results())
          .filteredOn(result -> result.trial().profile().equals(last))
          .isNotEmpty()
          .allSatisfy(
              result ->
                  assertThat(result.reasons())
                      .contains("Apache_Server: cpupool changed from Pool-0 to pool2"));
    }
  }

  @Test
  void whatElseIsChangedOnTheHostExcludesTheTrialToo() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      Sweep sweep =
          during(
              experiment,
              "as-found",
              () ->
                  atTheHost(
                      experiment,
                      "xl vcpu-pin NFS_Server 0 1",
                      "xl cpupool-cpu-remove Pool-0 3",
                      "xl sched-credit -s -t 10"));
      assertThat(sweep.execute().state()).isEqualTo(RunState.NO_VALID_DATA);
      assertThat(first(sweep, "as-found").reasons())
          .contains(
              "NFS_Server: affinity changed from all / all to 1 / all",
              "cpupool Pool-0: pCPUs changed from 0,1,2,3 to 0,1,2",
              "cpupool Pool-0: parameters changed from tslice=30ms ratelimit=1000us"
                  + " migration-delay=0us to tslice=10ms ratelimit=1000us migration-delay=0us");
    }
  }

  /** Domain-0 serves all guests; nobody has to name it in the experiment. */
  @ParameterizedTest
  @CsvSource({
    "xl sched-credit -d Domain-0 -w 700, 'asked weight 256 cap 0, read weight 700 cap 0 after the load'",
    "xl vcpu-pin Domain-0 0 1, 'affinity changed from all / all to 1 / all, all / all, all / all, all / all'"
  })
  void aChangeOfDomain0InTheWindowExcludesTheTrial(String command, String reason) {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      Sweep sweep =
          during(
              experiment,
              "w512",
              () -> {
                atTheHost(experiment, command);
                stop.ask();
              });
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(first(sweep, "w512").reasons()).contains("Domain-0: " + reason);
    }
  }

  @Test
  void aGuestPausedInTheWindowExcludesTheTrial() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      Sweep sweep =
          during(
              experiment,
              "w512",
              () -> {
                atTheHost(experiment, "xl pause Apache_Server");
                stop.ask();
              });
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(first(sweep, "w512").reasons())
          .contains("Apache_Server: state changed from running to paused");
    }
  }

  /** It runs again at both ends of the window: only the looks in between show it. */
  @Test
  void aGuestPausedAndResumedWithinTheWindowExcludesTheTrial() throws IOException {
    try (Lab lab = lab()) {
      Path written = LabExperiment.two(lab, directory);
      Files.writeString(written, Files.readString(written).replace("measure: 1s", "measure: 4s"));
      Experiment experiment = LabExperiment.read(written);
      Sweep sweep =
          during(
              experiment,
              "w512",
              () -> {
                atTheHost(
                    experiment, "xl pause Apache_Server", "sleep 2", "xl unpause Apache_Server");
                stop.ask();
              });
      assertThat(sweep.execute().state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(first(sweep, "w512").reasons())
          .anyMatch(
              reason ->
                  reason.matches("Apache_Server: paused at [1-4] of \\d+ looks in the window"));
    }
  }

  @Test
  void aGuestReplacedInATrialExcludesItAndTheNextOneIsSet() {
    try (Lab lab = lab()) {
      Sweep sweep =
          during(
              two(lab),
              "w512",
              () -> {
                lab.destroy(APACHE);
                lab.create(APACHE);
              });
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.DONE);
      assertThat(first(sweep, "w512").reasons())
          .anyMatch(
              reason ->
                  reason.startsWith(
                      "Apache_Server: replaced by another guest of that name (domid 3, UUID "));
      assertThat(sweep.run().results())
          .filteredOn(result -> result.trial().attempt() == 2)
          .singleElement()
          .satisfies(
              again -> {
                assertThat(again.valid()).isTrue();
                assertThat(again.host().applied()).containsEntry(APACHE, Credit.of(512, 0));
              });
      assertThat(lab.settings().of(APACHE)).isEqualTo(Credit.of(256, 0));
    }
  }

  @Test
  void aGuestThatTookAChangedOnesNameIsLeftAloneAndNothingCountsAsNotRestored() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      Sweep sweep =
          during(
              experiment,
              "w512",
              () -> {
                lab.destroy(APACHE);
                lab.create(APACHE);
                atTheHost(experiment, "xl sched-credit -d Apache_Server -w 700");
                stop.ask();
              });
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).as("%s", notices).isEqualTo(RunState.INTERRUPTED);
      assertThat(outcome.gone().get(APACHE)).contains("is another one and was not changed");
      assertThat(lab.settings().of(APACHE)).isEqualTo(Credit.of(700, 0));
      assertThat(sweep.run().record().touched()).isEmpty();
      assertThat(notices).noneMatch(notice -> notice.contains("answers again"));
    }
  }

  @Test
  void aGuestThatIsGoneIsReportedAndTheOthersArePutBack() {
    try (Lab lab = lab()) {
      Experiment experiment = LabExperiment.read(LabExperiment.pair(lab, directory));
      Sweep sweep =
          during(
              experiment,
              "w1024",
              () -> {
                lab.destroy(APACHE);
                stop.ask();
              });
      RunOutcome outcome = sweep.execute();
      assertThat(outcome.state()).isEqualTo(RunState.INTERRUPTED);
      assertThat(outcome.gone())
          .containsEntry(APACHE, "no longer runs, so there is nothing to restore");
      assertThat(outcome.restored()).containsEntry("NFS_Server", Credit.of(256, 0));
      assertThat(lab.settings().of("NFS_Server")).isEqualTo(Credit.of(256, 0));
    }
  }

  /** It runs, so what was changed of it is neither gone nor restored. */
  @Test
  void aChangedGuestWhoseRowCannotBeUnderstoodIsNotRestoredUntilItCan() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      LabSettings asFound = lab.settings();
      RunDirectory run =
          RunDirectory.begin(directory.resolve("results"), "odd", experiment, Instant.now());
      try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow());
          Journal journal = Journal.open(run.journalFile())) {
        SettingsGuard guard = guard(shell, run, journal);
        guard.rememberFound();
        guard.apply(experiment, experiment.profile("w512"));
        RemoteShell garbled =
            new GarbledShell(shell, "(Apache_Server +\\d+ +\\d+ +\\d+ +)\\S{6}", "$1running");
        SettingsGuard.Restoration not = guard(garbled, run, journal).restore(false);
        assertThat(not.gone()).isEmpty();
        assertThat(not.complaints().get(APACHE)).contains("that cannot be understood");
        assertThat(guard(shell, run, journal).restore(false).restored()).containsOnlyKeys(APACHE);
      }
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  /** The last reading before a change is right before it, on the same connection. */
  @Test
  void aValueSetWhileAChangeIsPreparedIsNotOverwritten() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      RunDirectory run =
          RunDirectory.begin(directory.resolve("results"), "late", experiment, Instant.now());
      AtomicInteger listings = new AtomicInteger();
      try (RemoteShell shell = HostShells.open(experiment.host().orElseThrow());
          Journal journal = Journal.open(run.journalFile())) {
        RemoteShell meddled =
            new GarbledShell(shell, "", "") {
              @Override
              public CommandResult run(Command command) {
                if (command.quoted().equals("xl sched-credit") && listings.incrementAndGet() == 3) {
                  atTheHost(experiment, "xl sched-credit -d Apache_Server -w 777");
                }
                return super.run(command);
              }
            };
        SettingsGuard guard = guard(meddled, run, journal);
        guard.rememberFound();
        assertThatThrownBy(() -> guard.apply(experiment, experiment.profile("w512")))
            .hasMessageContaining(
                "Apache_Server has weight 777 cap 0, set by someone else a moment ago");
        assertThat(lab.settings().of(APACHE)).isEqualTo(Credit.of(777, 0));
        assertThat(guard.restore(false).foreign()).containsOnlyKeys(APACHE);
        assertThat(lab.settings().of(APACHE)).isEqualTo(Credit.of(777, 0));
      }
    }
  }

  private static SettingsGuard guard(RemoteShell shell, RunDirectory run, Journal journal) {
    return new SettingsGuard(
        Hypervisors.probe(shell, false, Optional.empty(), Optional.empty()),
        journal,
        run.record(),
        Clock.systemUTC(),
        Optional.empty());
  }

  @Test
  void aTrialThatFailedAtItsSecondAttemptCountsAsFailed() {
    try (Lab lab = lab()) {
      Sweep sweep = during(two(lab), "w512", () -> lab.destroy(APACHE));
      assertThat(sweep.execute().state()).isEqualTo(RunState.TRIALS_FAILED);
      assertThat(sweep.run().record().failed().values())
          .extracting(JournalEvent.TrialFailed::reason)
          .contains("profile w512 sets Apache_Server, which does not run on the host");
    }
  }

  @Test
  void restoringWhatWasAppliedLeavesAGuestAloneThatTookTheName() {
    try (Lab lab = lab()) {
      Experiment experiment = two(lab);
      Sweep sweep = during(experiment, "none", () -> {});
      sweep.execute();
      HostApply.Applied applied =
          new HostApply(
                  sweep.run(),
                  experiment,
                  experiment.profile("w512"),
                  HostApply.Lasting.UNTIL_NEXT_START,
                  SweepOptions.DEFAULT,
                  Clock.systemUTC())
              .apply((changes, inFiles) -> true)
              .orElseThrow();
      lab.destroy(APACHE);
      lab.create(APACHE);
      atTheHost(experiment, "xl sched-credit -d Apache_Server -w 700");
      HostRestore.Receipt receipt =
          HostRestore.restore(
              RunDirectory.open(applied.directory()),
              experiment,
              SweepOptions.DEFAULT,
              Clock.systemUTC());
      assertThat(receipt.gone()).containsOnlyKeys(APACHE);
      assertThat(receipt.complaints()).isEmpty();
      assertThat(receipt.restored()).isEmpty();
      assertThat(lab.settings().of(APACHE)).isEqualTo(Credit.of(700, 0));
    }
  }

  @Test
  void aSliceThatTheListingCannotCarryIsNeverTaken() throws IOException {
    LabOptions old =
        LabOptions.sshOnly()
            .withToolstack("xm-3.3")
            .withScheduler(Scheduler.SEDF)
            .withGuests(LabGuest.burning(APACHE, 1), LabGuest.burning("NFS_Server", 1));
    try (Lab lab = Lab.start(old)) {
      Path written = LabExperiment.two(lab, directory);
      String sedf = "scheduler: sedf\n    domains: {Apache_Server: {period: 20ms, slice: 5ms}}";
      Files.writeString(
          written,
          Files.readString(written)
              .replace("scheduler: credit\n    domains: {Apache_Server: {weight: 512}}", sedf));
      Experiment experiment = LabExperiment.read(written);
      atTheHost(experiment, "xm sched-sedf Apache_Server -p 10 -s 0.02 -e 0 -w 0");
      LabSettings asFound = lab.settings();
      Sweep sweep = during(experiment, "none", () -> {});
      assertThatThrownBy(sweep::execute)
          .hasMessageContaining("Apache_Server could not be restored (found: ")
          .hasMessageContaining("xm shows times in steps of 100us and prints its slice as 0");
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  @Test
  void aConnectionThatBreaksAtTheStartIsTriedAgain() {
    LabFault drop = LabFault.at(FaultKind.DROP_CONNECTION, "xl info").times(2);
    try (Lab lab = Lab.start(options().withFaults(drop))) {
      assertThat(during(two(lab), "none", () -> {}).execute().state()).isEqualTo(RunState.DONE);
      assertThat(notices.get(0))
          .startsWith("lost the host: ")
          .endsWith("Trying again for up to 10m.");
    }
  }

  @Test
  void aSlowHostIsCalledSlowAndTheWayOutIsNamed() throws IOException {
    LabFault slow = LabFault.at(FaultKind.SLOW_NETWORK, "xl cpupool-list").delayed(SLOW);
    try (Lab lab = Lab.start(options().withFaults(slow))) {
      Path written = LabExperiment.two(lab, directory);
      Files.writeString(
          written,
          Files.readString(written).replace("user: root", "user: root\n  command-limit: 1s"));
      Sweep sweep =
          LocalSweep.of(LabExperiment.read(written))
              .with(new SweepOptions(false, Duration.ZERO))
              .with(stop)
              .begin(directory.resolve("results"));
      assertThatThrownBy(sweep::execute)
          .isInstanceOfSatisfying(
              RemoteShellException.class,
              fault -> {
                assertThat(fault.getMessage()).contains("did not end within 1s.");
                assertThat(fault.hint()).contains("command-limit below host:");
                assertThat(HostWatch.describe(fault)).startsWith("the host is too slow: 'xl ");
              });
    }
  }
}
