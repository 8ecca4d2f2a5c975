package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Protects the shares of a trial on a host that answers late: what is read at the end of the window
 * is read before the load ends, so that no idle time counts. The guest's cap is its true share,
 * because the users keep it busy.
 */
@MeasuresInRealTime
class SharesUnderLoadTest extends SweepsOnLab {
  private static final double CAP = 0.20;
  private static final Duration LATE = Duration.ofSeconds(1);

  private static final String EXPERIMENT =
      """
      name: capped
      host:
        address: 127.0.0.1
        user: root
        port: %d
        identity: %s
        known-hosts: %s
      domains: {main: [Apache_Server]}
      workload: {name: web-app, target: '%s'}
      users: [4]
      baseline: cap
      repetitions: 1
      warm-up: 1s
      ramp: 0s
      measure: 3s
      cool-down: 0s
      seed: 7
      limits: {lab-lateness: 9s, other-work: 100%%, generator-lateness: 5s, generator-cpu: 100%%, littles-law: 50%%}
      profiles:
        - {name: cap, scheduler: %s}
      """;

  @Test
  void ofLibvirtsCountersAreThoseOfTheLoad() throws IOException {
    LabOptions host = LabOptions.defaults().withLibvirt(GroupVersion.V1);
    assertIsTheCap(trial(host, "/schedstat", "cfs, main: {cap: 20%}"));
  }

  @Test
  void ofATraceAreThoseOfTheLoad() throws IOException {
    LabOptions host = LabOptions.defaults().withScheduler(Scheduler.CREDIT).withXenmon(false);
    assertIsTheCap(trial(host, "mktemp", "credit, main: {cap: 20}"));
  }

  /** Measures a trial; from the command on, every command takes longer. */
  private TrialResult trial(LabOptions options, String command, String profile) throws IOException {
    LabFault slow = LabFault.at(FaultKind.SLOW_NETWORK, command).delayed(LATE);
    try (Lab lab = Lab.start(options.withFaults(slow))) {
      Path file = directory.resolve("capped.yaml");
      Files.writeString(
          file,
          EXPERIMENT.formatted(
              lab.sshPort(),
              lab.privateKey(),
              lab.knownHosts(),
              lab.target().orElseThrow(),
              profile));
      Sweep sweep = sweep(LabExperiment.read(file));
      RunState end = sweep.execute().state();
      List<TrialResult> results = sweep.run().results();
      assertThat(end)
          .as("%s", results.stream().map(TrialResult::reasons).toList())
          .isEqualTo(RunState.DONE);
      return results.get(results.size() - 1);
    }
  }

  private static void assertIsTheCap(TrialResult result) {
    assertThat(result.shares())
        .filteredOn(shares -> shares.domain().equals("Apache_Server"))
        .extracting(DomainShares::run)
        .allSatisfy(run -> assertThat(run).isCloseTo(CAP, within(0.025)));
    assertThat(result.monitor().covered().seconds() / result.window().seconds())
        .as("%s", result.warnings())
        .isGreaterThan(0.7);
  }
}
