package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabOptions;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.Preflight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A machine without a hypervisor is measured as it is: this one, by its real kernel. */
@ResourceLock("/var/run/slicewise.lock")
@Tag("lab")
class BareMachineTest {
  private static final String EXPERIMENT =
      """
      name: bare
      host: {local: true, hypervisor: none}
      domains: {main: [base]}
      profiles: [as-found]
      workload: observe
      repetitions: 1
      warm-up: 0s
      ramp: 0s
      measure: 2s
      cool-down: 0s
      watch: {series: 500ms, needed: [base]}
      """;

  @TempDir private Path directory;

  private Experiment read(String text) throws IOException {
    return ExperimentFiles.read(Files.writeString(directory.resolve("bare.yaml"), text));
  }

  private static void assumeNoXen() {
    assumeThat(Path.of("/sys/hypervisor/type")).doesNotExist();
    assumeThat(Files.isWritable(Path.of("/var/run"))).isTrue();
  }

  @Test
  @Tag("thorough")
  void isMeasuredByItsOwnKernel() throws IOException {
    assumeNoXen();
    Sweep sweep =
        LocalSweep.of(read(EXPERIMENT))
            .with(new SweepOptions(true, Duration.ofSeconds(5)))
            .begin(directory.resolve("results"));

    assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);

    TrialResult result = sweep.run().results().get(0);
    assertThat(result.reasons()).isEmpty();
    MachineCounters base = result.machines().get("base");
    assertThat(base.tier()).isEqualTo(Tier.BASE);
    assertThat(base.seconds()).isCloseTo(result.window().seconds(), within(1.0));
    assertThat(base.count(MachineCounters.FAULTS)).isPositive();
    assertThat(base.allCpuSeconds()).isCloseTo(base.cpus() * base.seconds(), within(1.0));
    assertThat(base.timing().cpuSeconds()).isNotNegative();
    assertThat(sweep.run().environments().get(0).fingerprint())
        .containsKeys("kernel", "memory", "CPUs online");
    assertThat(sweep.run().environments().get(0).host().hypervisor())
        .startsWith("no hypervisor, kernel ");
  }

  @Test
  void doctorSaysWhatItIsAndReadsIt() throws IOException {
    assumeNoXen();
    List<CheckResult> findings = Preflight.examine(read(EXPERIMENT), directory);
    assertThat(Preflight.blocks(findings)).as("%s", findings).isFalse();
    assertThat(findings)
        .extracting(CheckResult::sentence)
        .anyMatch(said -> said.startsWith("no hypervisor, kernel "))
        .anyMatch(said -> said.startsWith("base answers in "));
  }

  @Test
  void isNeverFoundUnlessAskedFor() {
    assertThatThrownBy(
            () -> Hypervisors.probe(Shells.local(), false, Optional.empty(), Optional.empty()))
        .isInstanceOf(HypervisorException.class)
        .hasMessageNotContaining("none");
  }

  @Test
  void refusesWhatABareMachineDoesNotHave() {
    String bad =
        EXPERIMENT
            .replace(
                "[base]}\nprofiles: [as-found]", "[db]}\nprofiles: [{name: h, scheduler: credit}]")
            .replace("watch:", "logins: {db: {address: db}}\nwatch:");
    assertThatThrownBy(() -> read(bad))
        .isInstanceOf(SlicewiseException.class)
        .message()
        .contains(
            "domains must be {main: [base]} with 'hypervisor: none'",
            "profiles must be [as-found] with 'hypervisor: none'",
            "logins have no meaning with 'hypervisor: none'");
  }

  @Test
  void aHostOfXensIsRefused() throws IOException {
    try (Lab lab = Lab.start(LabOptions.sshOnly())) {
      Path type = lab.fileSystem().resolve("sys/hypervisor/type");
      Files.createDirectories(type.getParent());
      Files.writeString(type, "xen\n");
      try (RemoteShell shell = LabClient.open(lab)) {
        assertThatThrownBy(
                () -> Hypervisors.probe(shell, false, Optional.of("none"), Optional.empty()))
            .isInstanceOf(HypervisorException.class)
            .hasMessageContaining("runs under Xen, as its /sys/hypervisor/type says");
      }
    }
  }
}
