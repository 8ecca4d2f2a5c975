package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds that the lab is reached as a host in a rack is: by key, by commands, by files. */
@Tag("lab")
class LabSshTest {
  private static LabClient client;

  @BeforeAll
  static void start() {
    client = LabClient.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT));
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @Test
  void answersListOfItsDomains() {
    assertThat(client.output("xl list"))
        .startsWith("Name                                        ID   Mem VCPUs\tState\tTime(s)\n")
        .contains("Domain-0                                     0  1024     4     ")
        .contains("MySQL_Server                                 3   512     2     -b----");
  }

  @Test
  void refusesEveryKeyButItsOwn(@TempDir Path directory) {
    try (Lab other =
        Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT).withDirectory(directory))) {
      assertThatThrownBy(() -> Shells.open(LabClient.connection(client.lab(), other.privateKey())))
          .isInstanceOfSatisfying(
              RemoteShellException.class,
              e -> assertThat(e.kind()).isEqualTo(RemoteShellException.Kind.LOGIN_REFUSED));
    }
  }

  @Test
  void keepsItsKeysWithItsDirectory(@TempDir Path directory) {
    LabOptions options =
        LabOptions.sshOnly().withScheduler(Scheduler.CREDIT).withDirectory(directory);
    String first;
    try (Lab lab = Lab.start(options)) {
      first = lab.fingerprint();
    }
    try (Lab lab = Lab.start(options)) {
      assertThat(lab.fingerprint()).isEqualTo(first).startsWith("SHA256:");
    }
  }

  @Test
  void answersUnknownCommandAsShellWould() {
    CommandResult result = client.run("virsh list");
    assertThat(result.exitStatus()).isEqualTo(127);
    assertThat(result.standardError()).isEqualTo("bash: line 1: virsh: command not found\n");
  }

  @Test
  void takesQuotedNameAsNameAndNothingElse() {
    CommandResult result = client.run("xl list 'a b; reboot'");
    assertThat(result.exitStatus()).isEqualTo(1);
    assertThat(result.standardError())
        .isEqualTo("a b; reboot is an invalid domain identifier (rc=-6)\n");
  }

  @Test
  void handsOutFilesThatCommandsLeave(@TempDir Path directory) throws IOException {
    String made = client.output("mktemp -d /tmp/slicewise-XXXXXXXXXX").strip();
    client.run("sh -c 'exec \"$0\" \"$@\" >" + made + "/list' xl info");
    client.shell().fetch(made + "/list", directory.resolve("list"));
    assertThat(Files.readString(directory.resolve("list")))
        .contains("xen_scheduler          : credit");
    assertThat(client.output("ls -1 " + made)).isEqualTo("list\n");
    assertThat(client.run("rm -rf " + made).exitStatus()).isZero();
    assertThat(client.run("ls -1 " + made).exitStatus()).isEqualTo(2);
  }

  @Test
  void rebootsIntoAnotherSchedulerWithDefaultsAndNewDomids() {
    try (LabClient other = LabClient.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT))) {
      other.run("xl sched-credit -d Apache_Server -w 512");
      other.lab().reboot(Scheduler.CREDIT);
      assertThat(
              other
                  .shell()
                  .run(Command.reading("xl", "sched-credit").within(Duration.ofSeconds(5)))
                  .standardOutput())
          .isEqualTo(
              """
              Cpupool Pool-0: tslice=30ms ratelimit=1000us migration-delay=0us
              Name                                ID Weight  Cap
              Domain-0                             0    256    0
              Apache_Server                        2    256    0
              NFS_Server                           3    256    0
              MySQL_Server                         4    256    0
              """);
    }
  }

  @Test
  void logsEveryCommand() {
    client.run("uname -r");
    assertThat(client.lab().commands())
        .anySatisfy(
            entry -> {
              assertThat(entry.line()).isEqualTo("uname -r");
              assertThat(entry.status()).hasValue(0);
            });
  }

  @Test
  void commandOutlivesItsConnectionAsUnderOpenSsh() {
    String script =
        "echo began > /tmp/began; until test -e /tmp/go; do sleep 0.02; done; echo on > /tmp/on";
    try (RemoteShell visitor =
        Shells.open(LabClient.connection(client.lab(), client.lab().privateKey()))) {
      visitor.start(Command.changing("sh", "-c", script));
      client.await("cat /tmp/began", "began");
    }
    client.runScript("echo > /tmp/go");
    client.await("cat /tmp/on", "on");
  }
}
