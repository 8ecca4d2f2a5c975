package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.RemoteShellException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds that scripted faults happen when and as they are written, and only then. */
@Tag("lab")
class LabFaultTest {
  private static final String SET = "xl sched-credit -d Apache_Server -w ";

  private static LabClient lab(LabFault... faults) {
    return LabClient.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT).withFaults(faults));
  }

  @Test
  void dropsConnectionBeforeOrAfterTheChange() {
    LabFault drop = LabFault.at(FaultKind.DROP_CONNECTION, SET);
    try (LabClient client = lab(drop, drop.occurrence(2).afterwards())) {
      assertThatThrownBy(() -> client.run(SET + 300)).isInstanceOf(RemoteShellException.class);
      assertThat(client.lab().settings().of("Apache_Server")).isEqualTo(Credit.of(256, 0));
      assertThatThrownBy(() -> client.run(SET + 400)).isInstanceOf(RemoteShellException.class);
      assertThat(client.lab().settings().of("Apache_Server")).isEqualTo(Credit.of(400, 0));
      assertThat(client.run(SET + 500).exitStatus()).isZero();
    }
  }

  @Test
  void refusesIgnoresCrashesAndFillsTheDisk() {
    try (LabClient client =
        lab(
            LabFault.at(FaultKind.REFUSE_COMMAND, SET),
            LabFault.at(FaultKind.IGNORE_SETTING, SET).occurrence(2),
            LabFault.crash("NFS_Server", "uname"),
            LabFault.at(FaultKind.FILL_DISK, "uname"))) {
      assertThat(client.run("sudo -n " + SET + 300).exitStatus()).isEqualTo(126);
      assertThat(client.run(SET + 300).exitStatus()).isZero();
      assertThat(client.lab().settings().of("Apache_Server")).isEqualTo(Credit.of(256, 0));
      assertThat(client.run("mkdir -p /tmp/x").exitStatus()).isZero();
      client.run("uname");
      assertThat(client.run("mkdir -p /tmp/y").standardError()).contains("No space left on device");
      assertThat(client.output("xl list NFS_Server")).contains("---sc-");
    }
  }

  @Test
  void killsOrTruncatesXenmonAndSlowsTheNetwork(@TempDir Path directory) throws IOException {
    String watch = "xenmon -n -p /tmp/log -t %d -i 200";
    try (LabClient client =
        LabClient.start(
            LabOptions.sshOnly()
                .withScheduler(Scheduler.CREDIT)
                .withCpus(1, 1)
                .withGuests(LabGuest.burning("web", 1))
                .withFaults(
                    LabFault.at(FaultKind.KILL_XENMON, "xenmon").delayed(Duration.ofSeconds(4)),
                    LabFault.at(FaultKind.TRUNCATE_XENMON, "xenmon").occurrence(2),
                    LabFault.at(FaultKind.SLOW_NETWORK, "uname")
                        .delayed(Duration.ofMillis(300))))) {
      assertThat(client.run(watch.formatted(8)).exitStatus()).isZero();
      client.shell().fetch("/tmp/log-dom1.log", directory.resolve("killed"));
      assertThat(Files.readAllLines(directory.resolve("killed")))
          .as("the header and fewer than forty passes")
          .hasSizeLessThan(41);
      client.run("rm -f /tmp/log-dom1.log");
      assertThat(client.run(watch.formatted(2)).exitStatus()).isZero();
      client.shell().fetch("/tmp/log-dom1.log", directory.resolve("cut"));
      assertThat(Files.readString(directory.resolve("cut"))).doesNotContain("\n2000.");
      client.run("uname");
      assertThat(client.run("uname").elapsed()).isGreaterThan(Duration.ofMillis(300));
    }
  }

  @Test
  void rebootsWithDefaultsAndIntoDefaultSchedulerIfAnotherIsMissing() {
    try (LabClient client = lab(LabFault.at(FaultKind.REBOOT_DOM0, "uname"))) {
      client.run(SET + 300);
      assertThatThrownBy(() -> client.run("uname")).isInstanceOf(RemoteShellException.class);
      client.await("xl sched-credit -d Apache_Server", "    256    0\n");
      assertThat(client.run("reboot sched=sedf").exitStatus()).isZero();
      client.await("xl info", "sched=sedf");
      assertThat(client.output("xl info")).containsPattern("xen_scheduler +: credit2\n");
    }
  }

  @Test
  void readsScriptFromExperimentAndCollectsWhatIsWrong() {
    LabOptions options =
        LabOptions.from(
            Map.of(
                "version",
                "xm-3.3",
                "scheduler",
                "sedf",
                "faults",
                List.of(
                    Map.of(
                        "fault", "drop-connection",
                        "command", "xm sched-sedf",
                        "occurrence", 3,
                        "moment", "after"))));
    assertThat(options.toolstack()).hasToString("xm-3.3");
    assertThat(options.faults())
        .containsExactly(
            LabFault.at(FaultKind.DROP_CONNECTION, "xm sched-sedf").occurrence(3).afterwards());
    assertThatThrownBy(
            () ->
                LabOptions.from(
                    Map.of(
                        "vresion",
                        "xl-4.17",
                        "pcpus",
                        0,
                        "faults",
                        List.of(Map.of("fault", "drop-conection", "delay", "5")))))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("unknown key 'vresion' of lab; did you mean 'version'?")
        .hasMessageContaining("pcpus 0 of lab is out of range 1..64")
        .hasMessageContaining("did you mean 'drop-connection'?")
        .hasMessageContaining("delay 5 of faults");
  }

  @Test
  void faultsOfAnExperimentsLabHaveTheirLines(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("lab.yaml"),
            """
            name: lab
            lab:
              pcpus: 0
              guests:
                - {name: web, vcpu: 1}
            domains: {main: [web]}
            profiles: [as-found]
            workload: web-app
            users: 0
            """);
    assertThatThrownBy(() -> ExperimentFiles.read(file, LabOptions.keys()))
        .hasMessageContaining("lab.yaml:3: pcpus 0 of lab is out of range 1..64")
        .hasMessageContaining("lab.yaml:5: unknown key 'vcpu' of guests; did you mean 'vcpus'?")
        .hasMessageContaining("lab.yaml:9: users 0");
  }

  @Test
  void refusesSchedulerThatItsXenDoesNotHave() {
    assertThatThrownBy(() -> LabOptions.from(Map.of("version", "xl-4.17", "scheduler", "sedf")))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("scheduler sedf is not in the lab's Xen 4.17");
  }
}
