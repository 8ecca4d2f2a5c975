package io.slicewise.sweep.deadman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.host.Undo.Value;
import io.slicewise.ssh.Command;
import io.slicewise.sweep.deadman.HostSwitch.SwitchReport;
import io.slicewise.sweep.deadman.HostSwitch.SwitchReport.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects the program of the switch in every shell that a host may have as {@code sh}, in all of
 * them at once: it mostly waits.
 */
@Execution(ExecutionMode.CONCURRENT)
class SwitchProgramTest {
  private static final String NASTY = "a b'; touch \"$HOME\" `id` $(id)\n-e \\";

  @TempDir Path directory;

  private Path program(String text) throws IOException {
    Path home = Files.createDirectories(directory.resolve("0123456789abcdef-1"));
    Files.createFile(home.resolve("armed"));
    Files.createFile(home.resolve("beat"));
    return Files.writeString(home.resolve("program"), text);
  }

  /** Restoring copies a file of found settings over the current ones. */
  private Undo copying() throws IOException {
    Path found = Files.writeString(directory.resolve("found " + "'$(id)'"), "weight 256\n");
    Path current = Files.writeString(directory.resolve("current"), "weight 512\n");
    return new Undo(
        NASTY,
        new Reading(Command.reading("echo", "5"), List.of("^5$")),
        List.of(
            new Part(
                "weight",
                List.of(Command.changing("cp", found.toString(), current.toString())),
                Command.reading("cat", current.toString()),
                List.of(new Value("^weight +", "256", Set.of("256", "512"), "$")))));
  }

  private Undo failing() {
    return new Undo(
        "broken",
        new Reading(Command.reading("echo", "6"), List.of("^6$")),
        List.of(
            new Part(
                "weight",
                List.of(Command.changing("sh", "-c", "echo 'cannot set it' >&2; exit 1")),
                Command.reading("echo", "512"),
                List.of(new Value("^", "256", Set.of("256", "512"), "$")))));
  }

  /** The run set one of two values; someone else has changed both since. */
  private Undo foreign(Path weight, Path cap) {
    return new Undo(
        "shared",
        new Reading(Command.reading("echo", "7"), List.of("^7$")),
        List.of(
            new Part(
                "weight",
                List.of(Command.changing("sh", "-c", "echo 256 >'" + weight + "'")),
                Command.reading("sed", "s/^/weight /", weight.toString()),
                List.of(new Value("^weight +", "256", Set.of("256", "512"), "$"))),
            new Part(
                "cap",
                List.of(Command.changing("sh", "-c", "echo 0 >'" + cap + "'")),
                Command.reading("sed", "s/^/cap   /", cap.toString()),
                List.of(new Value("^cap +", "0", Set.of("0", "40"), "$")))));
  }

  private Process start(String shell, Path program, String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(shell.split(" ")));
    line.add(program.toString());
    line.addAll(List.of(words));
    return new ProcessBuilder(line).redirectErrorStream(true).start();
  }

  private SwitchReport ask(String shell, Path program, String... words) throws Exception {
    return SwitchReport.parse(output(start(shell, program, words)));
  }

  private static String output(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return text;
  }

  private static void assumeThere(String shell) throws Exception {
    String name = shell.split(" ", 2)[0];
    assumeTrue(
        new ProcessBuilder("sh", "-c", "command -v " + name).start().waitFor() == 0,
        name + " is not installed");
  }

  /** The lock is not this run's in these tests, so that a switch without one would stand aside. */
  private String text(Duration limit, Path lock, Undo... undos) {
    return new SwitchProgram(limit, NASTY.replace("\n", ""), List.of(undos))
        .text()
        .replace("lock=" + SwitchProgram.LOCK, "lock='" + lock + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh", "bash", "sh"})
  void restoresReadsBackReportsAndReleasesTheLockOnce(String shell) throws Exception {
    assumeThere(shell);
    Path lock = directory.resolve("lock");
    Path program = program(text(Duration.ofSeconds(2), lock, copying(), failing()));
    Files.createSymbolicLink(lock, Path.of(NASTY.replace("\n", "")));
    assertThat(start(shell + " -n", program).waitFor()).isZero();

    Process watch = start(shell, program, "watch");
    Awaitility.await().until(() -> ask(shell, program, "state").state() == State.ARMED);
    assertThat(output(start(shell, program, "watch"))).contains("already been started");
    assertThat(output(watch)).isEmpty();

    SwitchReport report = ask(shell, program, "state");
    assertThat(report.state()).isEqualTo(State.FIRED);
    assertThat(Files.readString(directory.resolve("current"))).isEqualTo("weight 256\n");
    assertThat(report.receipt().orElseThrow().restored(List.of(NASTY, "broken")))
        .containsExactly(NASTY);
    assertThat(report.receipt().orElseThrow().failed(List.of(NASTY, "broken")))
        .containsEntry("broken", "failed: cannot set it");
    assertThat(Files.exists(lock, LinkOption.NOFOLLOW_LINKS)).isFalse();
    ask(shell, program, "clear");
    assertThat(program).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh", "bash"})
  void leavesWhatSomeoneElseSetAndSaysSo(String shell) throws Exception {
    assumeThere(shell);
    Path weight = Files.writeString(directory.resolve("weight"), "512\n");
    Path cap = Files.writeString(directory.resolve("cap"), "30\n");
    Path lock = directory.resolve("lock");
    Path program = program(text(Duration.ofSeconds(1), lock, foreign(weight, cap)));
    Files.createSymbolicLink(lock, Path.of(NASTY.replace("\n", "")));
    output(start(shell, program, "watch"));
    SwitchReceipt receipt = ask(shell, program, "state").receipt().orElseThrow();
    assertThat(Files.readString(weight)).isEqualTo("256\n");
    assertThat(Files.readString(cap)).isEqualTo("30\n");
    assertThat(receipt.left(List.of("shared"))).containsExactly(Map.entry("shared", "cap 30"));
    assertThat(receipt.restored(List.of("shared"))).isEmpty();
    assertThat(receipt.sentence(List.of("shared")))
        .endsWith(": restored nothing; left shared with what someone else set (cap 30)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh", "bash"})
  void changesNothingWhileAnotherHoldsTheLock(String shell) throws Exception {
    assumeThere(shell);
    Path lock = Files.createSymbolicLink(directory.resolve("lock"), Path.of("another run"));
    Path program = program(text(Duration.ofSeconds(1), lock, copying()));
    output(start(shell, program, "watch"));
    SwitchReceipt receipt = ask(shell, program, "state").receipt().orElseThrow();
    assertThat(receipt.aside()).contains("another run");
    assertThat(Files.readString(directory.resolve("current"))).isEqualTo("weight 512\n");
    assertThat(Files.readSymbolicLink(lock)).hasToString("another run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh", "bash"})
  void standsDownAtOnceAndLeavesNothing(String shell) throws Exception {
    assumeThere(shell);
    Path program = program(text(Duration.ofHours(1), directory.resolve("lock"), copying()));
    Process watch = start(shell, program, "watch");
    Awaitility.await().until(() -> ask(shell, program, "state").state() == State.ARMED);
    assertThat(ask(shell, program, "beat", "1").state()).isEqualTo(State.ARMED);
    assertThat(ask(shell, program, "stand-down").state()).isEqualTo(State.OFF);
    assertThat(watch.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(ask(shell, program, "beat", "2").state()).isEqualTo(State.OFF);
    ask(shell, program, "clear");
    assertThat(directory.resolve("0123456789abcdef-1")).doesNotExist();
    assertThat(Files.readString(directory.resolve("current"))).isEqualTo("weight 512\n");
  }

  /** As after a reboot of the host. */
  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh", "bash"})
  void isDeadWithoutItsProcess(String shell) throws Exception {
    assumeThere(shell);
    Path program = program(text(Duration.ofHours(1), directory.resolve("lock"), copying()));
    Process watch = start(shell, program, "watch");
    Awaitility.await().until(() -> ask(shell, program, "state").state() == State.ARMED);
    watch.destroyForcibly().waitFor();
    assertThat(ask(shell, program, "state").state()).isEqualTo(State.DEAD);
  }

  /** The date of a host can be set; the switch must neither fire nor wait because of that. */
  @Test
  void readsTheDateForItsReceiptOnly() throws IOException {
    assertThat(text(Duration.ofMinutes(5), directory, copying()).lines())
        .filteredOn(line -> line.contains("date -u"))
        .containsExactly("  echo \"date $(date -u +%Y-%m-%dT%H:%M:%SZ)\"");
  }
}
