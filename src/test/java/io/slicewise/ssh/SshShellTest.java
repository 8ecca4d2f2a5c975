package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Protects the rules of a remote command: its words arrive as they are, its outcome comes back as
 * it is, a reading command survives one lost connection and a changing one is never sent twice.
 */
class SshShellTest extends ShellRules {
  private SshTestServer server;

  @BeforeEach
  void connect() throws Exception {
    server = SshTestServer.start(directory);
    shell = Shells.open(server.connection());
  }

  @AfterEach
  void disconnect() throws Exception {
    shell.close();
    server.close();
  }

  @Test
  void runsManyCommandsOverOneLogin() {
    for (int i = 0; i < 50; i++) {
      assertThat(shell.run(Command.reading("echo", "" + i)).standardOutput()).isEqualTo(i + "\n");
    }
    assertThat(server.logins()).isEqualTo(1);
  }

  @Test
  void runsCommandsOfSeveralThreadsAtOnce() {
    List<Integer> numbers = IntStream.range(0, 60).boxed().toList();
    assertThat(numbers.parallelStream().map(n -> echo(n)).toList())
        .isEqualTo(numbers.stream().map(n -> n + "\n").toList());
    assertThat(server.logins()).isEqualTo(1);
  }

  private String echo(int n) {
    return shell.run(Command.reading("echo", "" + n)).standardOutput();
  }

  @Test
  void repeatsReadingCommandOnceAfterLostConnection() {
    server.dropNext(1);
    assertThat(shell.run(Command.reading("echo", "again")).standardOutput()).isEqualTo("again\n");
    assertThat(server.received()).containsExactly("echo again", "echo again");
  }

  @Test
  void givesUpReadingWhenConnectionIsLostTwice() {
    server.dropNext(2);
    assertThatThrownBy(() -> shell.run(Command.reading("echo", "again")))
        .isInstanceOfSatisfying(
            RemoteShellException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST));
    assertThat(server.received()).hasSize(2);
  }

  @Test
  void neverRepeatsChangingCommand() {
    server.dropNext(1);
    assertThatThrownBy(() -> shell.run(Command.changing("echo", "once")))
        .isInstanceOfSatisfying(
            RemoteShellException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST);
              assertThat(e.hint()).contains("may have taken effect");
            });
    assertThat(server.received()).containsExactly("echo once");
    assertThat(shell.run(Command.changing("echo", "next")).succeeded()).isTrue();
  }

  @Test
  void reconnectsAfterIdleLoss() {
    shell.run(Command.reading("true"));
    server.dropConnections();
    assertThat(shell.run(Command.reading("echo", "back")).standardOutput()).isEqualTo("back\n");
    assertThat(server.logins()).isEqualTo(2);
  }

  @Test
  void endsCommandThatTakesTooLong() {
    Command command = Command.changing("sleep", "60").within(Duration.ofMillis(100));
    assertThatThrownBy(() -> shell.run(command))
        .isInstanceOfSatisfying(
            RemoteShellException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT))
        .hasMessageContaining("sleep 60");
    assertThat(shell.run(Command.reading("true")).succeeded()).isTrue();
    assertThat(server.logins()).isEqualTo(1);
  }

  @Test
  void closingEndsStartedCommand() throws Exception {
    Path mark = directory.resolve("ended");
    Path on = directory.resolve("on");
    String script =
        "trap 'echo > \"$1\"; exit 0' TERM; echo > \"$2\"; i=0; while [ $i -lt 600 ]; do sleep 0.1;"
            + " i=$((i + 1)); done";
    RunningCommand running =
        shell.start(Command.reading("sh", "-c", script, "sh", mark.toString(), on.toString()));
    Awaitility.await().until(() -> Files.exists(on));
    assertThat(running.poll()).isEmpty();
    running.close();
    assertThat(running.poll()).isPresent();
    Awaitility.await().until(() -> Files.exists(mark));
    assertThat(shell.run(Command.reading("true")).succeeded()).isTrue();
  }
}
