package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules that hold for commands on this machine as well as on another. */
abstract class ShellRules {
  @TempDir Path directory;
  RemoteShell shell;

  @Test
  void bringsBackOutputErrorsAndStatus() {
    CommandResult result =
        shell.run(Command.reading("sh", "-c", "echo \"$1\"; echo err >&2; exit 3", "sh", "a b;'"));
    assertThat(result.standardOutput()).isEqualTo("a b;'\n");
    assertThat(result.standardError()).isEqualTo("err\n");
    assertThat(result.exitStatus()).isEqualTo(3);
  }

  @Test
  void givesCommandNoInput() {
    assertThat(shell.run(Command.reading("cat")).standardOutput()).isEmpty();
  }

  @Test
  void refusesTooMuchOutput() {
    assertThatThrownBy(() -> shell.run(Command.reading("head", "-c", "20000000", "/dev/zero")))
        .isInstanceOfSatisfying(
            RemoteShellException.class, e -> assertThat(e.kind()).isEqualTo(Kind.OUTPUT_TOO_LARGE));
    assertThat(shell.run(Command.reading("true")).succeeded()).isTrue();
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
  void startedCommandCanEndByItself() {
    try (RunningCommand running = shell.start(Command.reading("sh", "-c", "echo done; exit 5"))) {
      CommandResult result = running.await(Duration.ofSeconds(10)).orElseThrow();
      assertThat(result.exitStatus()).isEqualTo(5);
      assertThat(result.standardOutput()).isEqualTo("done\n");
    }
  }

  @Test
  void tellsTheSignalThatEndedACommand() {
    assertThat(shell.run(Command.reading("sh", "-c", "kill -9 $$")).exitStatus()).isEqualTo(137);
  }

  @Test
  void fetchesFileButNeverOverwrites() throws Exception {
    Path remote = Files.writeString(directory.resolve("a [b]*?.log"), "content\n");
    Path local = directory.resolve("copy");
    shell.fetch(remote.toString(), local);
    assertThat(local).hasContent("content\n");
    assertThatThrownBy(() -> shell.fetch(remote.toString(), local))
        .isInstanceOf(RemoteShellException.class)
        .hasMessageContaining("the local file exists");
    assertThatThrownBy(() -> shell.fetch("/nowhere", directory.resolve("none")))
        .isInstanceOf(RemoteShellException.class);
    assertThat(directory.resolve("none")).doesNotExist();
  }
}
