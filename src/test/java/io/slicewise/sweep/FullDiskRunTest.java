package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects, on a real file system of 400 KB: a run whose disk fills up restores the host, says in
 * exit code and status what happened, and a run that cannot begin leaves no directory.
 */
@KeepsTheMachineBusy
@Tag("thorough")
class FullDiskRunTest {
  /** Fills the disk when the first change of the host's settings is in the journal. */
  private static final String SCRIPT =
      """
      mount -t tmpfs -o size=400k slicewise "$MOUNT" || exit 99
      slicewise() { "$JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$CLASSES" io.slicewise.cli.Main "$@"; }
      (
        until grep -qs '"event":"applying"' "$MOUNT"/*/journal.jsonl; do sleep 0.01; done
        cat /dev/zero > "$MOUNT/fill" 2>/dev/null
      ) &
      filler=$!
      slicewise run "$EXPERIMENT" --results "$MOUNT" --plain
      echo "run ended with $?"
      wait $filler
      slicewise status "$MOUNT"/watched-*
      cat /dev/zero >> "$MOUNT/fill" 2>/dev/null
      slicewise run "$EXPERIMENT" --results "$MOUNT" --plain
      echo "start ended with $?"
      echo "directories: $(ls -d "$MOUNT"/watched-* | wc -l)"
      """;

  @TempDir Path directory;

  @Test
  void aFullDiskIsSaidAndTheHostIsRestored() throws Exception {
    assumeTrue(mayMount(), "this system lets no user mount a file system of its own");
    try (Lab lab = Lab.start(SweepsOnLab.burning())) {
      LabSettings asFound = lab.settings();
      String said = run(LabExperiment.pair(lab, directory));
      assertThat(lab.settings()).as(said).isEqualTo(asFound);
      assertThat(said)
          .contains("run ended with " + ExitCode.STORAGE.code())
          .contains("state     stopped: the run directory cannot be written")
          .contains("host has  nothing left of this run")
          .contains("start ended with " + ExitCode.STORAGE.code())
          .contains("directories: 1");
    }
  }

  private boolean mayMount() throws IOException, InterruptedException {
    try {
      String mount = Files.createDirectory(directory.resolve("try")).toString();
      return shell(List.of("mount -t tmpfs -o size=100k slicewise " + mount)).start().waitFor()
          == 0;
    } catch (IOException noUnshare) {
      return false;
    }
  }

  /** A shell in a mount namespace of its own, as root of a user namespace. */
  private ProcessBuilder shell(List<String> script) {
    List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c"));
    command.addAll(script);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("said.txt").toFile());
  }

  private String run(Path experiment) throws IOException, InterruptedException {
    ProcessBuilder shell = shell(List.of(SCRIPT));
    shell.environment().put("MOUNT", Files.createDirectory(directory.resolve("disk")).toString());
    shell.environment().put("EXPERIMENT", experiment.toString());
    shell.environment().put("CLASSES", System.getProperty("java.class.path"));
    shell
        .environment()
        .put("JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Process process = shell.start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(directory.resolve("said.txt"), StandardCharsets.UTF_8);
  }
}
