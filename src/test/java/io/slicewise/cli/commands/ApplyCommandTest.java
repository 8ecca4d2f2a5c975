package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.Origin;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.RunBundle;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.HostApply;
import io.slicewise.sweep.deadman.SwitchProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects a host that is set for good: nothing is sent unseen, what was there is kept and comes
 * back, and half a profile is none.
 */
@Tag("lab")
class ApplyCommandTest {
  private static final String EXPERIMENT =
      """
      name: shop
      host: {address: 127.0.0.1, port: %d, user: root, identity: %s, known-hosts: %s}
      domains: {main: [Apache_Server], other: [NFS_Server]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}, other: {weight: 128}}
        - {name: light, scheduler: credit, main: {weight: 64}}
        - {name: deadline, scheduler: rtds, main: {period: 10ms, budget: 4ms}}
      workload: observe
      """;

  @TempDir private Path directory;

  private static LabOptions credit() {
    return LabOptions.sshOnly().withScheduler(Scheduler.CREDIT);
  }

  private String run(Lab lab) {
    String text = EXPERIMENT.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts());
    return RecordedRun.begin(directory.resolve("results/shop"), text).end().root().toString();
  }

  @Test
  void showsAppliesReadsBackAndIsUndone() throws IOException {
    try (Lab lab = Lab.start(credit())) {
      LabSettings before = lab.settings();
      String run = run(lab);
      Said dry = CommandLines.run("apply", run, "--profile", "heavy", "--dry-run");
      assertThat(dry.exit()).isZero();
      assertThat(dry.out())
          .contains("Apache_Server: weight 256 cap 0 -> weight 512 cap 0")
          .containsPattern("      xl sched-credit -d \\d+ -w 512 -c 0")
          .containsPattern("undo  xl sched-credit -d \\d+ -w 256 -c 0")
          .endsWith("nothing was changed\n");
      assertThat(lab.settings()).isEqualTo(before);
      assertThat(HostApply.below(Path.of(run))).isEmpty();

      Said said = CommandLines.run("apply", run, "--profile", "heavy", "--yes");
      assertThat(said.exit()).isZero();
      assertThat(said.out()).contains("Apache_Server  weight 512 cap 0  read back");
      assertThat(lab.settings().of("Apache_Server")).isEqualTo(Credit.of(512, 0));
      assertThat(lab.settings().of("NFS_Server")).isEqualTo(Credit.of(128, 0));
      List<Path> applied = HostApply.below(Path.of(run));
      assertThat(applied).hasSize(1);
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(applied.get(0).getParent())))
          .isEqualTo("rwx------");
      assertThat(said.out()).contains("Undo    slicewise restore " + applied.get(0));
      assertThat(CommandLines.run("recommend", run).out().replaceAll("\\s+", " "))
          .contains("Host profile heavy applied; undo: slicewise restore " + applied.get(0));
      assertThat(CommandLines.run("apply", run, "--profile", "heavy", "--yes").out())
          .contains("nothing to do: the host already runs heavy");
      try (RemoteShell shell = LabClient.open(lab)) {
        shell.run(Command.changing("ln", "-s", "shop-2 (run 1 of machine 2)", SwitchProgram.LOCK));
        Said held = CommandLines.run("apply", run, "--profile", "heavy", "--yes");
        assertThat(held.exit()).as("settings of a run that will be restored").isNotZero();
        assertThat(held.err()).contains("is held by shop-2");
        shell.run(Command.changing("rm", "-f", SwitchProgram.LOCK));
      }

      assertThat(CommandLines.run("status", applied.get(0).toString()).out())
          .contains("from      " + Path.of(run).toAbsolutePath())
          .contains("profile heavy applied")
          .contains("settings of this profile on Apache_Server, NFS_Server")
          .contains("next      slicewise restore " + applied.get(0))
          .doesNotContain("trials");
      assertThat(CommandLines.run("status", run).out())
          .contains(
              "host has  nothing left of this run itself",
              "applied   profile heavy applied; undo: slicewise restore "
                  + applied.get(0)
                  + " (Apache_Server, NFS_Server)");

      Said restored =
          CommandLines.run("restore", "--host", "127.0.0.1", "--results", directory + "/results");
      assertThat(restored.exit()).as(restored.err()).isZero();
      assertThat(restored.out()).contains("Apache_Server  weight 256 cap 0  read back");
      assertThat(lab.settings()).isEqualTo(before);
      assertThat(CommandLines.run("status", applied.get(0).toString()).out())
          .contains("state     undone", "nothing left of this profile", "next      nothing");
      assertThat(CommandLines.run("status", run).out())
          .contains("host has  nothing left of this run\n")
          .doesNotContain("applied");
    }
  }

  @Test
  void restoringTheRunUndoesTheLastApplyAndNamesEarlierOnes() throws IOException {
    try (Lab lab = Lab.start(credit())) {
      LabSettings before = lab.settings();
      String run = run(lab);
      CommandLines.run("apply", run, "--profile", "heavy", "--yes");
      LabSettings heavy = lab.settings();
      CommandLines.run("apply", run, "--profile", "light", "--yes");
      assertThat(lab.settings()).isNotEqualTo(heavy);
      List<Path> applied = HostApply.below(Path.of(run));

      for (boolean scrub : new boolean[] {false, true}) {
        Path bundle = directory.resolve("applied-" + scrub + RunBundle.SUFFIX);
        RunBundle.write(RunDirectory.open(Path.of(run)), bundle, true, scrub);
        Said report = CommandLines.run("report", bundle.toString());
        assertThat(report.err()).isEmpty();
        assertThat(directory.resolve("applied-" + scrub + "-report.html"))
            .content()
            .contains("applied; undo: slicewise restore");
      }

      Said last = CommandLines.run("restore", run);
      assertThat(last.out())
          .contains(applied.get(1) + ":", "Apache_Server  weight 512 cap 0  read back")
          .contains("still in force, applied earlier; undo: slicewise restore " + applied.get(0));
      assertThat(lab.settings()).isEqualTo(heavy);
      assertThat(CommandLines.run("restore", run).exit()).isZero();
      assertThat(lab.settings()).isEqualTo(before);
      assertThat(CommandLines.run("restore", run).out()).contains("nothing to restore");
    }
  }

  @Test
  void asksFirstAndNamesWhatStandsInTheWay() {
    try (Lab lab = Lab.start(credit())) {
      LabSettings before = lab.settings();
      String run = run(lab);
      assertThat(CommandLines.run("apply", run, "--profile", "heavy").err()).contains("--yes");
      Said deadline = CommandLines.run("apply", run, "--profile", "deadline", "--yes");
      assertThat(deadline.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
      assertThat(deadline.err()).contains("boot the host with sched=rtds");
      assertThat(CommandLines.run("apply", run, "--profile", "as-found").err())
          .contains("as-found sets nothing");
      assertThat(CommandLines.run("apply", run).err()).contains("the run recommends no profile");
      assertThat(CommandLines.run("apply", run, "--profile", "nix").err()).contains("it has as-f");
      assertThat(lab.settings()).isEqualTo(before);
      assertThat(HostApply.below(Path.of(run))).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"SIMULATED, simulated", "IMPORTED, imported"})
  void whatNoHostOfOursHasShownIsNotAppliedUnnamed(Origin.Kind kind, String word) {
    RecordedRun run = RecordedRun.begin(directory.resolve("sim"), RecordedRun.EXPERIMENT);
    for (int block = 1; block <= 6; block++) {
      for (int users : new int[] {50, 300}) {
        run.trial(4 * block + users / 300, "w256", users, block, 400, 200 + block * 0.1);
        run.trial(4 * block + 2 + users / 300, "w512", users, block, 500, 150 + block * 0.1);
      }
    }
    Path root = run.from(kind).end().root();
    Said said = CommandLines.run("apply", root.toString(), "--yes");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("was " + word, "--profile w512");
  }

  @Test
  void halfAProfileIsPutBack() {
    LabFault ignores = LabFault.at(FaultKind.IGNORE_SETTING, "xl sched-credit -d").times(1);
    try (Lab lab = Lab.start(credit().withFaults(ignores))) {
      LabSettings before = lab.settings();
      Said said = CommandLines.run("apply", run(lab), "--profile", "heavy", "--yes");
      assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
      assertThat(said.err())
          .contains("Apache_Server: asked weight 512 cap 0, read weight 256 cap 0")
          .contains("all changes are undone; nothing is applied");
      assertThat(lab.settings()).isEqualTo(before);
    }
  }
}
