package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.HostApply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects what a platform keeps: it is set apart from what runs, and undone to what was there. */
@KeepsTheMachineBusy
class DurableApplyTest {
  private static final String EXPERIMENT =
      """
      name: shop
      host: {address: 127.0.0.1, port: %d, user: root, identity: %s, known-hosts: %s}
      domains: {main: [web], other: [db]}
      profiles:
        - as-found
        - {name: heavy, scheduler: cfs, main: {shares: 512, vcpu-quota: 40ms}, other: {shares: 64}}
        - {name: pinned, scheduler: cfs, main: {pinning: "0"}}
      workload: observe
      """;
  private static final String RESTART = "virsh destroy %1$s && virsh start %1$s";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  private static Lab lab(GroupVersion version) {
    return Lab.start(
        LabOptions.sshOnly()
            .withLibvirt(version)
            .withCpus(2, 2)
            .withGuests(LabGuest.burning("web", 1), LabGuest.burning("db", 1)));
  }

  private String run(Lab lab) {
    return RecordedRun.begin(
            directory.resolve("results/shop"),
            EXPERIMENT.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts()))
        .end()
        .root()
        .toString();
  }

  private static String at(RemoteShell shell, String script) {
    var result = shell.run(Command.changing("sh", "-c", script));
    assertThat(result.succeeded()).as(script + ": " + result.standardError()).isTrue();
    return result.standardOutput();
  }

  private static String schedinfo(RemoteShell shell, String which, String guest) {
    return at(shell, "virsh schedinfo %s %s".formatted(which, guest))
        .replaceAll(" *: *", " ")
        .strip();
  }

  @ParameterizedTest
  @EnumSource(GroupVersion.class)
  void aGuestOfLibvirtStartsWithItAndAfterwardsAsBefore(GroupVersion version) {
    try (Lab lab = lab(version);
        RemoteShell shell = LabClient.open(lab)) {
      String run = run(lab);
      String live = schedinfo(shell, "--live", "web");
      String kept = schedinfo(shell, "--config", "web");

      Said dry = CommandLines.run("apply", run, "--profile", "heavy", "--durable", "--dry-run");
      assertThat(dry.exit()).as(dry.err()).isZero();
      assertThat(dry.out().replaceAll("\\s+", " "))
          .contains("schedinfo --config --domain")
          .contains("'cpu_shares=512' 'vcpu_quota=40000'")
          .contains("undo env 'LC_ALL=C' env 'VISUAL=sed -i")
          .endsWith("nothing was changed ");
      assertThat(schedinfo(shell, "--config", "web")).isEqualTo(kept);

      Said applied = CommandLines.run("apply", run, "--profile", "heavy", "--durable", "--yes");
      assertThat(applied.exit()).as(applied.err()).isZero();
      assertThat(schedinfo(shell, "--live", "web")).as("the guest that runs").isEqualTo(live);
      assertThat(schedinfo(shell, "--config", "web"))
          .contains("cpu_shares 512")
          .contains("vcpu_quota 40000");
      assertThat(CommandLines.run("apply", run, "--profile", "heavy", "--durable", "--yes").out())
          .contains("nothing to do: the host already keeps heavy");
      at(shell, RESTART.formatted("web"));
      assertThat(schedinfo(shell, "--live", "web")).contains("cpu_shares 512");
      at(shell, "virsh destroy db");

      List<Path> below = HostApply.below(Path.of(run));
      assertThat(CommandLines.run("status", run).out())
          .contains("profile heavy kept for the next starts; undo: slicewise restore");
      Said restored = CommandLines.run("restore", below.get(0).toString());
      assertThat(restored.exit()).as(restored.err()).isZero();
      assertThat(restored.out()).contains("web  shares default").contains("db  shares default");
      assertThat(schedinfo(shell, "--config", "web")).isEqualTo(kept);
      at(shell, RESTART.formatted("web"));
      at(shell, "virsh start db");
      assertThat(schedinfo(shell, "--live", "web")).isEqualTo(live);
      assertThat(schedinfo(shell, "--live", "db")).isEqualTo(live);
    }
  }

  /** The lines of a journal after which it is killed: found, asked, changed, ended. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6})
  void isUndoneWhenItAndItsUndoAreKilled(int lines) throws Exception {
    try (Lab lab = lab(GroupVersion.V2);
        RemoteShell shell = LabClient.open(lab)) {
      String run = run(lab);
      String web = schedinfo(shell, "--config", "web");
      String db = schedinfo(shell, "--config", "db");
      kill(() -> linesOf(run) >= lines, "apply", run, "--profile", "heavy", "--durable", "--yes");
      String applied = HostApply.below(Path.of(run)).get(0).toString();
      int before = linesOf(run);
      kill(() -> linesOf(run) > before, "restore", applied);
      Said restored = CommandLines.run("restore", applied);
      assertThat(restored.exit()).as(restored.err()).isZero();
      assertThat(schedinfo(shell, "--config", "web")).isEqualTo(web);
      assertThat(schedinfo(shell, "--config", "db")).isEqualTo(db);
      assertThat(at(shell, "ls -A /var/run")).doesNotContain("slicewise");
    }
  }

  private void kill(BooleanSupplier moment, String... arguments) throws Exception {
    Process process = SlicewiseProcess.start(directory, arguments);
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> !process.isAlive() || moment.getAsBoolean());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static int linesOf(String run) {
    return HostApply.below(Path.of(run)).stream()
        .findFirst()
        .map(one -> RunDirectory.open(one).events().size())
        .orElse(0);
  }

  @Test
  void whatSomeoneElseConfiguredSinceIsLeft() {
    try (Lab lab = lab(GroupVersion.V2);
        RemoteShell shell = LabClient.open(lab)) {
      String run = run(lab);
      at(shell, "virsh schedinfo --config web cpu_shares=300");
      Said applied = CommandLines.run("apply", run, "--profile", "heavy", "--durable", "--yes");
      assertThat(applied.exit()).as(applied.err()).isZero();
      at(shell, RESTART.formatted("web"));
      at(shell, "virsh schedinfo --config web cpu_shares=700");
      Said restored = CommandLines.run("restore", run);
      assertThat(restored.out())
          .contains("left: web has shares 700")
          .contains("db  shares default");
      assertThat(schedinfo(shell, "--config", "web"))
          .contains("cpu_shares 700")
          .contains("vcpu_quota 0");
    }
  }

  @Test
  void whatIsNotKeptIsRefusedInOneSentence() {
    try (Lab lab = lab(GroupVersion.V2);
        RemoteShell shell = LabClient.open(lab)) {
      String run = run(lab);
      Said pinned = CommandLines.run("apply", run, "--profile", "pinned", "--durable", "--yes");
      assertThat(pinned.exit()).isNotZero();
      assertThat(pinned.err()).contains("pinning 0 of web is not kept");
      at(shell, "virsh undefine web");
      Said transientGuest =
          CommandLines.run("apply", run, "--profile", "heavy", "--durable", "--yes");
      assertThat(transientGuest.exit()).isNotZero();
      assertThat(transientGuest.err())
          .contains("web, which has no configuration: libvirt keeps none of a transient guest");
      assertThat(HostApply.below(Path.of(run))).isEmpty();
    }
    try (Lab xen = Lab.start(LabOptions.sshOnly());
        RemoteShell shell = LabClient.open(xen)) {
      assertThat(
              Hypervisors.probe(shell, false, Optional.empty(), Optional.empty())
                  .durable()
                  .whyMissing("web"))
          .startsWith("has no configuration file among /etc/xen/*.cfg");
      Said said = CommandLines.run("apply", run(xen), "--profile", "heavy", "--durable", "--yes");
      assertThat(said.exit()).isNotZero();
      assertThat(said.err())
          .contains("web are settings of the cfs scheduler of libvirt, and this is a host of Xen");
    }
  }
}
