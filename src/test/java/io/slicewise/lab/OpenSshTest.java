package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds that a client nobody here wrote reaches the lab: OpenSSH's, where it is installed. */
@Tag("lab")
class OpenSshTest {
  private static boolean installed() {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "ssh")));
  }

  @Test
  void listsCreditSettings() throws IOException, InterruptedException {
    assumeTrue(installed(), "OpenSSH's client is not installed here");
    try (Lab lab = Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT))) {
      List<String> words = new ArrayList<>(List.of("ssh", "-F", "none", "-p"));
      words.add(String.valueOf(lab.sshPort()));
      words.addAll(List.of("-i", lab.privateKey().toString(), "-o", "BatchMode=yes", "-o"));
      words.add("UserKnownHostsFile=" + lab.knownHosts());
      words.addAll(List.of("root@127.0.0.1", "xl", "sched-credit"));
      Process ssh =
          new ProcessBuilder(words)
              .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
              .start();
      String output = new String(ssh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String errors = new String(ssh.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(ssh.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(output)
          .as(errors)
          .startsWith("Cpupool Pool-0: tslice=30ms ratelimit=1000us migration-delay=0us\nName");
      assertThat(ssh.exitValue()).isZero();
    }
  }

  @Test
  void copiesInBothDirections(@TempDir Path here) throws IOException, InterruptedException {
    assumeTrue(installed(), "OpenSSH's client is not installed here");
    Path tree = Files.createDirectories(here.resolve("sent/inner"));
    Files.writeString(tree.resolve("a file.txt"), "one\ntwo\n");
    try (Lab lab = Lab.start(LabOptions.sshOnly())) {
      assertThat(scp(lab, "-r", here.resolve("sent").toString(), "root@127.0.0.1:/tmp/")).isZero();
      assertThat(scp(lab, "-r", "root@127.0.0.1:/tmp/sent", here.resolve("back").toString()))
          .isZero();
      assertThat(scp(lab, "root@127.0.0.1:/tmp/absent", here.toString())).isEqualTo(1);
    }
    assertThat(here.resolve("back/inner/a file.txt")).hasContent("one\ntwo\n");
  }

  private static int scp(Lab lab, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("scp", "-s", "-q", "-F", "none", "-P"));
    command.add(String.valueOf(lab.sshPort()));
    command.addAll(List.of("-i", lab.privateKey().toString(), "-o", "BatchMode=yes", "-o"));
    command.add("UserKnownHostsFile=" + lab.knownHosts());
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
