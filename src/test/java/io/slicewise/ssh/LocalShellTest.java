package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Protects the rule that commands of this machine behave as those of another. */
class LocalShellTest extends ShellRules {
  private static final Duration SHORT = Duration.ofMillis(50);

  @BeforeEach
  void open() {
    shell = Shells.local();
  }

  @Test
  void answersAsShellsDoForProgramsThatAreNotThere() {
    assertThat(shell.run(Command.reading("no-such-program")).exitStatus()).isEqualTo(127);
  }

  @Test
  void endsCommandThatTakesTooLong() {
    Command command = Command.reading("sleep", "60").within(Duration.ofMillis(50));
    assertThatThrownBy(() -> shell.run(command))
        .isInstanceOfSatisfying(
            RemoteShellException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
  }

  @Test
  void namesACommandWithoutItsScriptAndItsLimitAsFilesWriteIt() {
    Command command = Command.reading("sh", "-c", "sleep 60\necho done", "a b").within(SHORT);
    assertThatThrownBy(() -> shell.run(command))
        .hasMessage("'sh -c '…' 'a b'' did not end within 50ms.");
  }

  @Test
  void aShellsLimitIsThatOfCommandsWithoutOneAndTheWayOutNamesIt() {
    RemoteShell limited = Shells.limited(shell, SHORT, "Raise the limit.");
    assertThatThrownBy(() -> limited.run(Command.reading("sleep", "60")))
        .isInstanceOfSatisfying(
            RemoteShellException.class,
            e -> {
              assertThat(e).hasMessage("'sleep 60' did not end within 50ms.");
              assertThat(e.hint()).endsWith("Raise the limit.");
            });
    Command patient = Command.reading("sleep", "0.2").within(Duration.ofSeconds(30));
    assertThat(limited.run(patient).succeeded()).isTrue();
  }

  @Test
  void stopsStartedCommandAndItsChildren() {
    RunningCommand running = shell.start(Command.reading("sh", "-c", "sleep 60; echo done"));
    assertThat(running.poll()).isEmpty();
    running.close();
    Awaitility.await().until(() -> running.poll().isPresent());
    assertThat(running.poll().orElseThrow().standardOutput()).isEmpty();
  }
}
