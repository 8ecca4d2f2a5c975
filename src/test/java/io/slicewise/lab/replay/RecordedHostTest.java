package io.slicewise.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.lab.shell.Invocation;
import io.slicewise.run.recording.HostAnswer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects replays: the n-th time the n-th answer, and nothing that was never answered. */
class RecordedHostTest {
  private static final String LOCK =
      "shop-1 (run %s of machine 00112233445566ff, process %s on vm)";

  private final List<HostAnswer> recorded = new ArrayList<>();

  private void answer(int exit, String out, String... words) {
    recorded.add(HostAnswer.of(Instant.EPOCH, List.of(words), false, exit, out, ""));
  }

  private record Heard(int exit, String out, String err) {}

  private static Heard ask(ReplayLab.RecordedHost host, String connection, String line)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        host.run(
            new Invocation(
                List.of(line),
                new ByteArrayInputStream(new byte[] {1, 2, 3}),
                out,
                err,
                Map.of(Invocation.CONNECTION, connection)));
    return new Heard(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void theNthTimeIsAnsweredByTheNthAnswerAndThenByTheLast() throws IOException {
    answer(0, "one", "xl", "list");
    answer(0, "other", "xl", "info");
    answer(3, "two", "xl", "list");
    ReplayLab.RecordedHost host = new ReplayLab.RecordedHost(recorded);
    assertThat(ask(host, "a", "xl list")).isEqualTo(new Heard(0, "one", ""));
    assertThat(ask(host, "a", "xl list")).isEqualTo(new Heard(3, "two", ""));
    assertThat(ask(host, "a", "xl list")).isEqualTo(new Heard(3, "two", ""));
    assertThat(ask(host, "b", "xl list"))
        .as("another connection")
        .isEqualTo(new Heard(0, "one", ""));
  }

  @Test
  void aCommandThatWasNeverRecordedIsAnsweredByOneSentence() throws IOException {
    answer(0, "", "xl", "sched-credit", "-d", "1", "-w", "512");
    assertThat(ask(new ReplayLab.RecordedHost(recorded), "a", "xl sched-credit -d 1 -w 513"))
        .isEqualTo(
            new Heard(127, "", "the recording has no answer to: xl sched-credit -d 1 -w 513\n"));
  }

  @Test
  void anotherRunFindsItsOwnLockAndItsOwnSwitch() throws IOException {
    String theirs = LOCK.formatted("0123456789abcdef", "11");
    String ours = LOCK.formatted("fedcba9876543210", "22").replace("shop-1", "shop-2");
    answer(0, "", "ln", "-s", theirs, "/run/lock");
    answer(0, theirs + "\n", "readlink", "/run/lock");
    answer(0, "", "sh", "/var/lib/slicewise/0123456789abcdef-1/program", "beat", "1");
    answer(0, "0123456789abcdef-1\n", "ls", "-1", "/var/lib/slicewise");
    answer(
        0,
        "/tmp/slicewise-0123456789abcdef-Ab1\n",
        "mktemp",
        "/tmp/slicewise-0123456789abcdef-XXX");
    ReplayLab.RecordedHost host = new ReplayLab.RecordedHost(recorded);
    assertThat(ask(host, "a", "ln -s '" + ours + "' /run/lock").exit()).isZero();
    assertThat(ask(host, "a", "readlink /run/lock").out()).isEqualTo(ours + "\n");
    assertThat(ask(host, "a", "sh /var/lib/slicewise/fedcba9876543210-1/program beat 7").exit())
        .isZero();
    assertThat(ask(host, "a", "ls -1 /var/lib/slicewise").out()).isEqualTo("fedcba9876543210-1\n");
    assertThat(ask(host, "a", "mktemp /tmp/slicewise-fedcba9876543210-XXX").out())
        .as("the directory that the recorded commands name")
        .isEqualTo("/tmp/slicewise-0123456789abcdef-Ab1\n");
  }

  @Test
  void noRunAgainstARecordingPassesForARealOne() throws IOException {
    answer(0, "Dell Inc.\n", "cat", "/sys/class/dmi/id/sys_vendor");
    assertThat(
            ask(new ReplayLab.RecordedHost(recorded), "a", "cat /sys/class/dmi/id/sys_vendor")
                .out())
        .isEqualTo("Slicewise\n");
  }
}
