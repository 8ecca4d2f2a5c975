package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slicewise.ListeningPrograms;
import io.slicewise.host.monitor.Host.Leash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects a production host from recordings nobody waits for any more. A real shell runs the
 * script, and the end of its input is all that is done to it: that is what an SSH server does when
 * a connection breaks or the harness is killed.
 */
class LeashTest {
  @TempDir Path directory;
  private Path logs;
  private Path signalled;
  private Process process;

  @BeforeEach
  void makeTheDirectoryOfLogs() throws IOException {
    logs = Files.createDirectory(directory.resolve("it's $HOME; logs"));
    signalled = directory.resolve("signalled");
    program("pkill", "echo \"$@\" >> '" + signalled + "'");
  }

  @AfterEach
  void endTheProgram() throws IOException {
    process.getOutputStream().close();
    process.destroyForcibly();
  }

  private String program(String name, String script) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private void start(String... program) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            ListeningPrograms.words(Leash.around(logs.toString(), List.of(program))));
    builder.environment().merge("PATH", directory.toString(), (old, own) -> own + ":" + old);
    process = builder.start();
  }

  /** Records until it is interrupted, which it notes. */
  private String recorder(String name) throws IOException {
    return program(
        name,
        "trap 'echo interrupted >> \"%s\"; exit 0' INT\n".formatted(signalled)
            + "echo row > \"$1/log\"\nwhile :; do sleep 0.02; done");
  }

  private void startRecording(String name) throws IOException {
    start(recorder(name), logs.toString());
    await().until(() -> Files.exists(logs.resolve("log")));
  }

  @Test
  void theEndOfInputInterruptsTheProgramAndRemovesTheDirectory() throws Exception {
    startRecording("xentrace");
    assertThat(process.isAlive()).isTrue();

    process.getOutputStream().close();

    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    await().until(() -> !Files.exists(logs));
    assertThat(signalled).hasContent("interrupted");
  }

  @Test
  void endsTheCollectorThatAXenmonLeavesBehind() throws Exception {
    startRecording("xenmon.py");

    process.getOutputStream().close();

    await().until(() -> !Files.exists(logs));
    assertThat(signalled).hasContent("interrupted\n-INT -x xenbaked");
  }

  @Test
  void aProgramThatEndsByItselfLeavesItsLogsToBeFetched() throws Exception {
    start(
        program("xentrace", "echo seen; echo no disk >&2; echo \"$2\" > \"$1/log\"; exit 3"),
        logs.toString(),
        "a  'b' $c");

    assertThat(process.waitFor()).isEqualTo(3);
    assertThat(process.getInputStream().readAllBytes()).isEmpty();
    assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("no disk\n");
    assertThat(logs.resolve("log")).hasContent("a  'b' $c");
    assertThat(signalled).doesNotExist();
  }
}
