package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.SwitchTrace;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs that are killed with SIGKILL in a process of their own, on a profile that sets every kind of
 * knob that the host and the design allow, and what makes their hosts as they were.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KilledRuns extends SweepsOnLab {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** How many kills may come too late for a moment inside a change. */
  private static final int LATE = 5;

  private static final String XEN =
      """
        - {name: other, scheduler: credit, main: {weight: 700}}
        - {name: every, scheduler: credit, main: {weight: 512, cap: 40}, other: {weight: 128},
           placement: {Apache_Server: {affinity: 2}, NFS_Server: {soft-affinity: 1, vcpus: 1}},
           pools: {Pool-0: {timeslice: 2ms, ratelimit: 100us, migration-delay: 2ms}}HOST}
      """;
  private static final String OF_THE_HOST =
      ", host: {huge-pages: never, swappiness: 10}, disks: {xvda: {io-scheduler: mq-deadline}}";
  private static final String SPLIT =
      """
        - {name: other, scheduler: credit, main: {weight: 700}}
        - {name: every, scheduler: rtds, main: {budget: 3ms},
           split: {Pool-0: {cpus: 2-3, domains: [Apache_Server]}}}
      """;

  /** Version 1 of control groups takes quotas in one order only. */
  private static final String LIBVIRT =
      """
        - {name: other, scheduler: cfs, main: {shares: 300}}
        - {name: every, scheduler: cfs, main: {shares: 4000, cap: 25%, global-quota: 60ms,
           emulator-quota: 30ms, emulator-pinning: 0, iothread-quota: 20ms, iothread-pinning: 0,
           online-vcpus: 1DISKS}, other: {shares: 500, global-quota: 60ms}}
      """;

  /** What runs, and what it changes. */
  enum Study {
    TRIALS(
        XEN.replace("HOST", ""),
        "Apache_Server 1 512 40;NFS_Server 2 128 0;NFS_Server 2 512 1 Pool-0;"
            + "tslice=2ms ratelimit=100us migration-delay=2000us;Apache_Server 1 0 2 / 1"),
    SPLIT_POOL(SPLIT, "rtds;slicewise"),
    SESSION(
        XEN.replace("HOST", OF_THE_HOST), TRIALS.marks + ";madvise [never];\n10\n;[mq-deadline]"),
    LIBVIRT_V1(LIBVIRT.replace("DISKS", ""), "4000 ;web 1 online=1; 30000 100000"),
    LIBVIRT_V2(LIBVIRT.replace("DISKS", ", disk-weight: 300"), "disks=300;web 1 online=1");

    private final String profiles;

    /** What the state of the host has when the last profile is in force, between semicolons. */
    private final String marks;

    Study(String profiles, String marks) {
      this.profiles = profiles;
      this.marks = marks;
    }

    boolean inForce(String state) {
      return Stream.of(marks.split(";")).allMatch(state.replaceAll(" +", " ")::contains);
    }
  }

  /** When a run is killed. */
  enum Moment {
    /** Once something is changed, and before everything is. */
    INSIDE_A_CHANGE,
    /** With all of a profile in force, before its window. */
    BEFORE_A_WINDOW,
    IN_A_WINDOW
  }

  /** What makes the host as it was. */
  enum Restorer {
    RESTORE(""),
    RESUME(""),
    /** It also ends the switch of the killed run, and arms its own. */
    ARMED_RESUME("  dead-man: 10m\n"),
    DEAD_MAN("  dead-man: 5s\n");

    private final String key;

    Restorer(String key) {
      this.key = key;
    }
  }

  @RegisterExtension final SharedLab xen = new SharedLab(KilledRuns::xen);
  @RegisterExtension final SharedLab v1 = new SharedLab(() -> libvirt(GroupVersion.V1));
  @RegisterExtension final SharedLab v2 = new SharedLab(() -> libvirt(GroupVersion.V2));

  /** Starts a lab in which both guests have settings of their own. */
  static Lab xen() {
    Lab lab = Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT).withEveryScheduler());
    try (RemoteShell shell = LabClient.open(lab)) {
      shell.run(
          Command.changing("xl", "sched-credit", "-d", "Apache_Server", "-w", "300", "-c", "90"));
      shell.run(Command.changing("xl", "vcpu-pin", "Apache_Server", "0", "0", "1"));
      shell.run(Command.changing("xl", "vcpu-pin", "NFS_Server", "0", "0-1", "1"));
    }
    return lab;
  }

  /** Guests with awkward names, one of which has limits of its own. */
  private static Lab libvirt(GroupVersion version) {
    Lab lab =
        Lab.start(
            LabOptions.sshOnly()
                .withLibvirt(version)
                .withCpus(2, 1)
                .withGuests(
                    LabGuest.withIoThreads("web 1", 2, 2),
                    LabGuest.of("1", 1),
                    LabGuest.of("it's $(id)", 1)));
    try (RemoteShell shell = LabClient.open(lab)) {
      shell.run(
          Command.changing(
              "virsh",
              "schedinfo",
              "--live",
              "it's $(id)",
              "vcpu_period=50000",
              "vcpu_quota=40000",
              "global_period=50000",
              "global_quota=45000"));
    }
    return lab;
  }

  private SharedLab lab(Study study) {
    return switch (study) {
      case TRIALS, SPLIT_POOL, SESSION -> xen;
      case LIBVIRT_V1 -> v1;
      case LIBVIRT_V2 -> v2;
    };
  }

  private Path experiment(Study study, Restorer by) throws IOException {
    Path file = LabExperiment.asFound(lab(study).lab(), directory);
    boolean libvirt = lab(study) != xen;
    String text =
        Files.readString(file)
            .replace("baseline: as-found\n", study == Study.SESSION ? "" : "order: as-written\n")
            .replace("  - as-found\n", study.profiles)
            .replace(
                "  user: root\n",
                "  user: root\n" + (libvirt ? "  hypervisor: libvirt\n" : "") + by.key);
    if (libvirt) {
      text =
          text.replace(
              "{main: [Apache_Server], other: [NFS_Server]}",
              "{main: [web 1], other: [\"1\", \"it's $(id)\"]}");
    }
    if (study == Study.SESSION) {
      text =
          text.replace(
                  "repetitions: 1\n",
                  "design: {kind: switchback, sessions: 1, blocks: 2, window: 1s, wash-out: 1s}\n")
              .replace("measure: 1s\n", "");
    }
    return Files.writeString(file, text);
  }

  final void killAndRestore(Study study, Moment moment, Restorer by) throws Exception {
    SharedLab host = lab(study);
    String found = host.state();
    Path file = experiment(study, by);
    Experiment experiment = LabExperiment.read(file);
    RunDirectory run = killed(host, study, moment, file);
    for (int late = 0;
        moment == Moment.INSIDE_A_CHANGE && study.inForce(host.state()) && late < LATE;
        late++) {
      restore(run, experiment);
      run = killed(host, study, moment, file);
    }
    String left = host.state();
    assertThat(left).as(log()).isNotEqualTo(found);
    assertThat(study.inForce(left)).as(left).isEqualTo(moment != Moment.INSIDE_A_CHANGE);
    List<TrialResult> kept = run.results();
    switch (by) {
      case RESTORE -> restored(run, experiment, study);
      case RESUME, ARMED_RESUME -> resumed(run, experiment, kept);
      case DEAD_MAN -> restoredByItself(host, found, run, experiment);
    }
    assertThat(host.state()).isEqualTo(found);
    assertThat(run.record().touched()).isEmpty();
    if (by == Restorer.ARMED_RESUME) {
      assertThat(SwitchTrace.count(run.events())).isGreaterThan(1);
      assertThat(SwitchTrace.left(run.events())).isEmpty();
      assertThat(SwitchTrace.lastFired(run.events())).isEmpty();
    }
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("run.log"));
  }

  private RunDirectory killed(SharedLab host, Study study, Moment moment, Path file)
      throws Exception {
    Path results = Files.createTempDirectory(directory, "results");
    var settings = host.lab().settings();
    return kill(
        file,
        results,
        () ->
            switch (moment) {
              case INSIDE_A_CHANGE ->
                  started(results, study).isPresent()
                      ? study.inForce(host.state())
                      : !host.lab().settings().equals(settings);
              case BEFORE_A_WINDOW -> started(results, study).isPresent();
              case IN_A_WINDOW ->
                  started(results, study)
                      .filter(window -> Files.exists(window.resolve("proc")))
                      .isPresent();
            });
  }

  /** Starts a run in a process of its own and kills it at that moment. */
  private RunDirectory kill(Path file, Path results, BooleanSupplier moment) throws Exception {
    Process process =
        SlicewiseProcess.start(directory, "run", file.toString(), "--results", results.toString());
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> !process.isAlive() || moment.getAsBoolean());
      assertThat(process.isAlive()).as(log()).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    return RunDirectory.newest(results).orElseThrow();
  }

  /** Returns the directory of the last window of the profile that sets everything. */
  private static Optional<Path> started(Path results, Study study) {
    int from = study == Study.SESSION ? 3 : 2;
    return RunDirectory.newest(results)
        .flatMap(
            run ->
                JournalEvent.of(run.events(), JournalEvent.TrialStarted.class)
                    .filter(event -> event.trial() >= from && event.slug().contains("every"))
                    .map(event -> run.trialDirectory(event.slug()))
                    .findFirst());
  }

  private static HostRestore.Receipt restore(RunDirectory run, Experiment experiment) {
    return HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
  }

  /** A vCPU comes back once the guest's agent answers. */
  private void restored(RunDirectory run, Experiment experiment, Study study) {
    SharedLab host = lab(study);
    if (host != xen && host.state().contains("web 1 online=1")) {
      host.shell().run(Command.changing("virsh", "-q", "suspend", "web 1"));
      assertThat(restore(run, experiment).complaints().toString())
          .contains("this guest has no guest agent that answers");
      host.shell().run(Command.changing("virsh", "-q", "resume", "web 1"));
    }
    assertThat(restore(run, experiment).complaints()).isEmpty();
  }

  /** Every trial is measured once; windows that are made up for are a session of their own. */
  private static void resumed(RunDirectory run, Experiment experiment, List<TrialResult> kept) {
    assertThat(LabExperiment.resume(run, experiment).state()).isEqualTo(RunState.DONE);
    List<Trial> before = kept.stream().map(TrialResult::trial).toList();
    List<Trial> all = run.results().stream().map(TrialResult::trial).toList();
    assertThat(all.subList(0, before.size())).isEqualTo(before);
    assertThat(all).doesNotHaveDuplicates();
    assertThat(run.root().resolve("trials").toFile().list())
        .containsExactlyInAnyOrder(all.stream().map(Trial::slug).toArray(String[]::new));
    assertThat(all).extracting(Trial::profile).contains("other", "every");
    assertThat(all.subList(before.size(), all.size()))
        .isNotEmpty()
        .allMatch(trial -> trial.session().map(SessionKey::number).orElse(2) == 2);
  }

  private void restoredByItself(
      SharedLab host, String found, RunDirectory run, Experiment experiment) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> DeadMen.onHost(experiment, "readlink", HostLock.LINK).isEmpty());
    assertThat(host.state()).isEqualTo(found);
    assertThat(CommandLines.run("status", run.root().toString()).out())
        .contains("switch    the dead man's switch restored the host at ")
        .contains("host has  nothing left of this run");
    HostRestore.Receipt receipt = restore(run, experiment);
    assertThat(receipt.notices())
        .anySatisfy(
            notice ->
                assertThat(notice)
                    .startsWith("the dead man's switch restored the host at ")
                    .contains("without a heartbeat", "restored "));
    assertThat(receipt.complaints()).isEmpty();
    assertThat(SwitchTrace.lastFired(run.events())).isPresent();
  }

  /** Kills a run some time after its first change; one that has ended by then is as good. */
  final void killAfter(Study study, int millis, String hint) throws Exception {
    SharedLab host = lab(study);
    String found = host.state();
    Path file = experiment(study, Restorer.RESTORE);
    Path results = Files.createTempDirectory(directory, "results");
    var settings = host.lab().settings();
    Process process =
        SlicewiseProcess.start(directory, "run", file.toString(), "--results", results.toString());
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !process.isAlive() || !host.lab().settings().equals(settings));
      process.waitFor(millis, TimeUnit.MILLISECONDS);
    } finally {
      process.destroyForcibly().waitFor();
    }
    restore(RunDirectory.newest(results).orElseThrow(), LabExperiment.read(file));
    assertThat(host.state()).as(hint).isEqualTo(found);
  }
}
