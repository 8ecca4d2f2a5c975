package io.slicewise.sweep.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Rival;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.sweep.preflight.CheckResult.Level;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects that doctor names a program that sets what the profiles set. The programs run on this
 * machine under the names of such ones, and are found as on any host.
 */
class RivalsCheckTest {
  @TempDir Path directory;

  private Experiment experiment(String profile) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("experiment.yaml"),
            """
            name: rivals
            lab: {pcpus: 2, guests: [{name: web, vcpus: 1}]}
            domains: {main: [web]}
            profiles: [as-found, {name: other, scheduler: credit, %s}]
            workload: observe
            design: {kind: switchback, sessions: 1, blocks: 1, window: 5s}
            """
                .formatted(profile)));
  }

  private Process program(String name) throws IOException {
    Path copy = directory.resolve(name);
    Files.copy(Path.of("/bin/sleep"), copy);
    return new ProcessBuilder(copy.toString(), "600").start();
  }

  @Test
  void namesProgramsThatRunAndWarnsOfThoseThatSetTheSame() throws IOException {
    List<Process> running = new ArrayList<>();
    try (RemoteShell shell = Shells.local()) {
      assertThat(Rival.on(shell)).extracting(Rival::name).doesNotContain("TuneD", "irqbalance");
      running.add(program("tuned"));
      running.add(program("irqbalance"));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> Rival.on(shell).size() >= running.size());
      Reached host = new Reached(shell, null, null, List.of(), false);
      List<CheckResult> kernel =
          Preflight.RivalsCheck.check(
              experiment("host: {huge-pages: never, swappiness: 10}"), host);
      assertThat(kernel).extracting(CheckResult::level).containsExactly(Level.WARNING, Level.OK);
      assertThat(kernel.get(0).sentence())
          .isEqualTo(
              "TuneD runs on the host and sets what its profile names when it starts or changes its"
                  + " profile; the profiles set huge-pages, swappiness as well");
      assertThat(kernel.get(0).toString()).contains("stop it for the run: tuned-adm off");
      List<CheckResult> pinned =
          Preflight.RivalsCheck.check(experiment("placement: {web: {affinity: 1}}"), host);
      assertThat(pinned).extracting(CheckResult::level).containsExactly(Level.OK, Level.WARNING);
      assertThat(pinned.get(1).sentence())
          .startsWith("irqbalance runs")
          .endsWith("affinity as well");
    } finally {
      running.forEach(Process::destroyForcibly);
    }
  }
}
