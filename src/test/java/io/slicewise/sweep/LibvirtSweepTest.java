package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunState;
import io.slicewise.run.TrialResult;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Protects the promise to whoever owns a host with libvirt: shares and caps are applied through
 * virsh, measured from the kernel's counters and put back, also after a SIGKILL. The settings are
 * read from the host's control groups, not through virsh.
 */
@MeasuresInRealTime
class LibvirtSweepTest extends SweepsOnLab {
  private static final String EXPERIMENT =
      """
      name: shared
      host:
        address: 127.0.0.1
        user: root
        port: %d
        identity: %s
        known-hosts: %s
      domains: {main: [Apache_Server], other: [NFS_Server]}
      workload: observe
      repetitions: 1
      warm-up: 0s
      ramp: 0s
      measure: 2s
      cool-down: 0s
      seed: 7
      limits: {lab-lateness: 9s}
      profiles:
        - as-found
        - name: one-to-four
          scheduler: cfs
          domains: {Apache_Server: {shares: 100}, NFS_Server: {shares: 400}}
        - name: capped
          scheduler: cfs
          domains: {Apache_Server: {cap: 25%%}}
      """;

  @ParameterizedTest
  @EnumSource(GroupVersion.class)
  void sweepsSharesAndACapAndLeavesTheHostAsFound(GroupVersion version) throws IOException {
    try (Lab lab = Lab.start(sharingOnePcpu(version))) {
      LabSettings asFound = lab.settings();
      Sweep sweep = sweep(LabExperiment.read(experiment(lab)));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(sweep.run().results()).filteredOn(TrialResult::valid).hasSize(3);
      assertThat(partOfBoth(sweep, "as-found")).isCloseTo(0.5, within(0.05));
      assertThat(partOfBoth(sweep, "one-to-four")).isCloseTo(0.2, within(0.05));
      assertThat(run(sweep, "capped", "Apache_Server")).isCloseTo(0.25, within(0.05));
    }
  }

  @Test
  void aRunKilledWhileItsSettingsAreInForceIsRestored() throws Exception {
    try (Lab lab = Lab.start(sharingOnePcpu(GroupVersion.V1))) {
      LabSettings asFound = lab.settings();
      Path file = experiment(lab);
      Path results = directory.resolve("results");
      Process process = start("run", file.toString(), "--results", results.toString());
      try {
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(5))
            .until(() -> !process.isAlive() || !lab.settings().equals(asFound));
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(lab.settings()).isNotEqualTo(asFound);
      RunDirectory run = RunDirectory.newest(results).orElseThrow();
      Experiment experiment = LabExperiment.read(file);
      HostRestore.restore(run, experiment, SweepOptions.DEFAULT, Clock.systemUTC());
      assertThat(lab.settings()).isEqualTo(asFound);
    }
  }

  private static LabOptions sharingOnePcpu(GroupVersion version) {
    return LabOptions.sshOnly()
        .withLibvirt(version)
        .withCpus(1, 1)
        .withGuests(LabGuest.burning("Apache_Server", 1), LabGuest.burning("NFS_Server", 1));
  }

  private Path experiment(Lab lab) throws IOException {
    return Files.writeString(
        directory.resolve("experiment.yaml"),
        EXPERIMENT.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts()));
  }

  /** Apache_Server's run time in a trial, as a part of the window. */
  /** The part of Apache_Server in the time that both guests ran. */
  private static double partOfBoth(Sweep sweep, String profile) {
    double own = run(sweep, profile, "Apache_Server");
    return own / (own + run(sweep, profile, "NFS_Server"));
  }

  private static double run(Sweep sweep, String profile, String domain) {
    return sweep.run().results().stream()
        .filter(TrialResult::valid)
        .filter(one -> one.trial().profile().equals(profile))
        .flatMap(one -> one.monitor().shares().stream())
        .filter(shares -> shares.domain().equals(domain))
        .mapToDouble(DomainShares::run)
        .findFirst()
        .orElseThrow();
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("io.slicewise.cli.Main");
    command.addAll(List.of(arguments));
    File log = directory.resolve("run.log").toFile();
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }
}
