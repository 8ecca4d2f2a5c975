package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the rule that commands of this machine behave as those of another. */
class LocalShellTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir Path directory;
  private final RemoteShell shell = Shells.local();

  @Test
  void bringsBackOutputErrorsAndStatus() {
    CommandResult result =
        shell.run(Command.reading("sh", "-c", "echo \"$1\"; echo err >&2; exit 3", "sh", "a b;'"));
    assertThat(result.standardOutput()).isEqualTo("a b;'\n");
    assertThat(result.standardError()).isEqualTo("err\n");
    assertThat(result.exitStatus()).isEqualTo(3);
  }

  @Test
  void answersAsShellsDoForProgramsThatAreNotThere() {
    assertThat(shell.run(Command.reading("no-such-program")).exitStatus()).isEqualTo(127);
  }

  @Test
  void givesCommandNoInput() {
    assertThat(shell.run(Command.reading("cat")).standardOutput()).isEmpty();
  }

  @Test
  void aStartedCommandReadsWhatItIsToldAndEndsWithItsInput() {
    String probe = "while read word; do echo \"read $word\"; done; echo end";
    try (RunningCommand running = shell.start(Command.reading("sh", "-c", probe))) {
      running.write("first\n");
      assertThat(running.poll()).isEmpty();
      running.write("ä second\n");
      running.endInput();
      running.endInput();
      CommandResult result = running.await(Duration.ofSeconds(20)).orElseThrow();
      assertThat(result.standardOutput()).isEqualTo("read first\nread ä second\nend\n");
      assertThat(result.exitStatus()).isZero();
    }
  }

  @Test
  void inputForACommandThatHasEndedIsAFault() {
    try (RunningCommand running = shell.start(Command.reading("true"))) {
      assertThat(running.await(Duration.ofSeconds(20))).isPresent();
      assertThatThrownBy(() -> running.write("read\n"))
          .isInstanceOfSatisfying(
              RemoteShellException.class, e -> assertThat(e.kind()).isEqualTo(Kind.COMMAND_ENDED))
          .hasMessageContaining("'true' on ")
          .hasMessageContaining(" ended before its input did.");
      running.endInput();
    }
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
  void refusesTooMuchOutput() {
    assertThatThrownBy(() -> shell.run(Command.reading("head", "-c", "20000000", "/dev/zero")))
        .isInstanceOfSatisfying(
            RemoteShellException.class, e -> assertThat(e.kind()).isEqualTo(Kind.OUTPUT_TOO_LARGE));
  }

  @Test
  void stopsStartedCommandAndItsChildren() {
    RunningCommand running = shell.start(Command.reading("sh", "-c", "sleep 60; echo done"));
    assertThat(running.poll()).isEmpty();
    running.close();
    Awaitility.await().until(() -> running.poll().isPresent());
    assertThat(running.poll().orElseThrow().standardOutput()).isEmpty();
  }

  @Test
  void fetchesFileButNeverOverwrites() throws Exception {
    Path remote = Files.writeString(directory.resolve("log"), "content\n");
    Path local = directory.resolve("copy");
    shell.fetch(remote.toString(), local);
    assertThat(local).hasContent("content\n");
    assertThatThrownBy(() -> shell.fetch(remote.toString(), local))
        .hasMessageContaining("the local file exists");
  }
}
