package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.RunState;
import io.slicewise.run.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Protects whole sweeps of a host of libvirt's, reached over real SSH by its address. */
@KeepsTheMachineBusy
class SweptLibvirtTest extends SweepsOnLab {
  private static final String HEAD =
      """
      name: kvm
      host:
        address: 127.0.0.1
        user: root
        port: %d
        identity: %s
        known-hosts: %s
        hypervisor: libvirt
      domains: {main: [web 1], other: [db%s]}
      workload: observe
      baseline: as-found
      repetitions: 1
      warm-up: 0s
      ramp: 0s
      measure: 1s
      limits: {lab-lateness: 9s}
      profiles:
        - as-found
      """;

  private static final String PROFILES =
      """
        - {name: heavy, scheduler: cfs, main: {shares: 4000}}
        - {name: capped, scheduler: cfs, main: {cap: 25%%}, domains: {db: {global-quota: 60ms}}}
      """;

  private static Lab lab(GroupVersion version) {
    return Lab.start(
        LabOptions.sshOnly()
            .withLibvirt(version)
            .withGuests(
                LabGuest.burning("web 1", 1), LabGuest.burning("db", 2), LabGuest.off("old", 1)));
  }

  private Experiment experiment(Lab lab, String profiles) throws IOException {
    String text =
        (HEAD + profiles)
            .formatted(
                lab.sshPort(),
                lab.privateKey(),
                lab.knownHosts(),
                profiles.contains("old") ? ", old" : "");
    return LabExperiment.read(Files.writeString(directory.resolve("kvm.yaml"), text));
  }

  @ParameterizedTest
  @EnumSource(GroupVersion.class)
  void setsEachTrialAndLeavesTheHostAsFound(GroupVersion version) throws IOException {
    try (Lab lab = lab(version)) {
      LabSettings found = lab.settings();
      Map<String, Map<String, String>> seen = new HashMap<>();
      Sweep sweep =
          sweep(
              experiment(lab, PROFILES),
              measuring(trial -> seen.put(trial.profile(), lab.settings().files())));
      assertThat(sweep.execute().state()).as("%s", sweep.run().events()).isEqualTo(RunState.DONE);
      assertThat(seen.get("as-found")).isEqualTo(found.files());
      assertThat(seen.get("heavy").get("web 1")).startsWith("4000 ");
      assertThat(seen.get("capped").get("web 1/vcpu0")).endsWith(" 25000 100000");
      assertThat(seen.get("capped").get("db")).endsWith(" 60000 100000");
      assertThat(lab.settings()).isEqualTo(found);
      List<TrialResult> valid = sweep.run().results().stream().filter(TrialResult::valid).toList();
      assertThat(valid)
          .extracting(result -> result.trial().profile())
          .containsExactlyInAnyOrder("as-found", "heavy", "capped");
      assertThat(valid)
          .allSatisfy(result -> assertThat(result.monitor().source()).isEqualTo("schedstat"));
    }
  }

  /** It has lost its settings: that trial does not count, and the next attempt sets them anew. */
  @Test
  void excludesATrialInWhichAGuestRestarts() throws IOException {
    try (Lab lab = lab(GroupVersion.V1)) {
      Experiment experiment =
          experiment(lab, "  - {name: heavy, scheduler: cfs, main: {shares: 4000}}\n");
      AtomicBoolean done = new AtomicBoolean();
      Sweep sweep =
          sweep(
              experiment,
              measuring(
                  trial -> {
                    if (trial.profile().equals("heavy") && done.compareAndSet(false, true)) {
                      atTheHost(experiment, "virsh", "destroy", "web 1");
                      atTheHost(experiment, "virsh", "start", "web 1");
                    }
                  }));
      assertThat(sweep.execute().state()).isEqualTo(RunState.DONE);
      List<TrialResult> results = sweep.run().results();
      assertThat(results.stream().filter(result -> !result.valid()))
          .anySatisfy(
              result -> assertThat(result.reasons().toString()).contains("web 1", "restarted"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scheduler: credit, main: {weight: 512}  | settings of the credit scheduler of Xen, and this is a host of libvirt
          scheduler: cfs, main: {shares: 20000}   | shares 20000 of web 1 is out of range 1..10000 of cgroup v2
          scheduler: cfs, domains: {old: {}}      | old is shut off
          """)
  void refusesWhatTheHostCanNeverTakeBeforeAnythingIsChanged(String profile, String sentence)
      throws IOException {
    try (Lab lab = lab(GroupVersion.V2)) {
      LabSettings found = lab.settings();
      Sweep sweep =
          sweep(experiment(lab, "  - {name: wrong, %s}\n".formatted(profile.replace("%", "%%"))));
      assertThatThrownBy(sweep::execute)
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("profile wrong: ")
          .hasMessageContaining(sentence);
      assertThat(lab.settings()).isEqualTo(found);
      assertThat(directory.resolve("results")).isEmptyDirectory();
    }
  }
}
