package io.slicewise.sweep;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.journal.RunState;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the promise to whoever owns a host with libvirt: shares, caps and quotas are applied
 * through virsh, measured from the kernel's counters and put back. The settings are read from the
 * host's control groups, not through virsh.
 */
@MeasuresInRealTime
class LibvirtSweepTest extends SweepsOnLibvirt {
  /** Each needs another order of the values in one command, on version 1 of control groups. */
  private static final String PROFILES =
      """
        - {name: one-to-four, scheduler: cfs, main: {shares: 100}, other: {shares: 400}}
        - name: limited
          scheduler: cfs
          main: {cap: 25%, emulator-quota: 20ms}
          other: {global-quota: 60ms}
        - {name: both, scheduler: cfs, main: {cap: 20%, global-quota: 30ms}}
        - {name: looser, scheduler: cfs, main: {cap: 50%, global-quota: 60ms}}
      """;

  @Test
  void setsMeasuresAndRestores() {
    onBothAtOnce(this::setsMeasuresAndRestores);
  }

  /** Each on a lab of its own: they mostly wait. */
  private static void onBothAtOnce(Consumer<GroupVersion> test) {
    Stream.of(GroupVersion.values())
        .map(one -> runAsync(() -> test.accept(one), task -> new Thread(task).start()))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private void setsMeasuresAndRestores(GroupVersion version) {
    try (Lab lab = Lab.start(options(version))) {
      LabSettings found = lab.settings();
      Map<String, Map<String, String>> seen = new HashMap<>();
      Sweep sweep =
          sweep(
              experiment(lab, PROFILES),
              measuring(trial -> seen.put(trial.profile(), lab.settings().files())));
      assertThat(sweep.execute().state()).as("%s", sweep.run().events()).isEqualTo(RunState.DONE);
      assertThat(lab.settings()).isEqualTo(found);
      assertThat(valid(sweep))
          .extracting(result -> result.trial().profile())
          .containsExactlyInAnyOrder("as-found", "one-to-four", "limited", "both", "looser");
      assertThat(valid(sweep))
          .allSatisfy(result -> assertThat(result.monitor().source()).isEqualTo("schedstat"));
      assertThat(seen.get("as-found")).isEqualTo(found.files());
      assertThat(seen.get("one-to-four").get(WEB)).startsWith("100 ");
      assertThat(seen.get("limited").get(WEB + "/vcpu0")).endsWith(" 25000 100000");
      assertThat(seen.get("limited").get(WEB + "/emulator")).endsWith(" 20000 100000");
      assertThat(seen.get("limited").get(DB)).endsWith(" 60000 100000");
      assertThat(seen.get("both").get(WEB)).endsWith(" 30000 100000");
      assertThat(seen.get("looser").get(WEB)).endsWith(" 60000 100000");
      assertThat(seen.get("looser").get(WEB + "/vcpu0")).endsWith(" 50000 100000");
      assertThat(seen.get("looser").get(WEB + "/emulator")).endsWith(" -1 100000");
      assertShares(sweep);
    }
  }

  /** The guests burn, so what neither of them uses went to something else on the host. */
  private static void assertShares(Sweep sweep) {
    assertThat(run(sweep, "as-found", WEB)).isCloseTo(0.5, within(0.03));
    assertThat(run(sweep, "as-found", DB)).isCloseTo(0.5, within(0.03));
    assertThat(run(sweep, "one-to-four", WEB)).isCloseTo(0.2, within(0.03));
    assertThat(run(sweep, "one-to-four", DB)).isCloseTo(0.8, within(0.03));
    assertThat(run(sweep, "limited", WEB)).isCloseTo(0.25, within(0.03));
    assertThat(run(sweep, "limited", DB)).isCloseTo(0.6, within(0.04));
    DomainShares capped = shares(sweep, "both", WEB);
    assertThat(capped.run()).isCloseTo(0.2, within(0.03));
    assertThat(other(capped, "throttled")).isBetween(0.3, capped.waiting());
    assertThat(other(shares(sweep, "as-found", WEB), "throttled")).isZero();
  }

  /** Each switch is a change between two profiles, without the settings found in between. */
  @Test
  void switchesSettingsInsideOneSession() {
    onBothAtOnce(this::switchesSettingsInsideOneSession);
  }

  private void switchesSettingsInsideOneSession(GroupVersion version) {
    try (Lab lab = Lab.start(options(version))) {
      LabSettings found = lab.settings();
      Map<String, Set<String>> seen = new HashMap<>();
      Sweep sweep =
          sweep(
              switchback(lab, PROFILES),
              measuring(
                  trial ->
                      seen.computeIfAbsent(trial.profile(), any -> new HashSet<>())
                          .add(lab.settings().files().toString())));
      assertThat(sweep.execute().state()).as("%s", sweep.run().events()).isEqualTo(RunState.DONE);
      assertThat(sweep.run().results()).hasSize(10);
      assertThat(sweep.run().results())
          .allSatisfy(result -> assertThat(result.reasons().toString()).doesNotContain("asked"));
      assertThat(seen).hasSize(5).allSatisfy((profile, files) -> assertThat(files).hasSize(1));
      assertThat(Set.copyOf(seen.values())).hasSize(5);
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  /** Each trial and window has pCPUs of its own; nobody else has moved a guest. */
  @Test
  void pinsAGuestElsewhereInEachProfile() {
    String pinnings =
        """
          - {name: first, scheduler: cfs, main: {pinning: "0"}}
          - {name: second, scheduler: cfs, main: {pinning: "1"}}
        """;
    LabOptions options = options(GroupVersion.V1).withCpus(2, 1);
    try (Lab lab = Lab.start(options)) {
      LabSettings found = lab.settings();
      for (Experiment experiment : List.of(experiment(lab, pinnings), switchback(lab, pinnings))) {
        Sweep sweep = sweep(experiment, measuring(trial -> {}));
        assertThat(sweep.execute().state()).as("%s", sweep.run().events()).isEqualTo(RunState.DONE);
        assertThat(sweep.run().results())
            .hasSizeGreaterThan(2)
            .allSatisfy(result -> assertThat(result.reasons()).isEmpty());
      }
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  private static double run(Sweep sweep, String profile, String domain) {
    return shares(sweep, profile, domain).run();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          scheduler: credit, main: {weight: 512}  | settings of the credit scheduler of Xen, and this is a host of libvirt
          scheduler: cfs, main: {shares: 20000}   | shares 20000 of web 1 is out of range 1..10000 of cgroup v2
          scheduler: cfs, domains: {old: {}}      | old is shut off
          scheduler: cfs, main: {emulator-pinning: 7} | emulator-pinning 7 of web 1 names pCPU 7, and the host has 0
          scheduler: cfs, main: {online-vcpus: 2} | online-vcpus 2 of web 1 is more than the 1 that it has
          scheduler: cfs, main: {iothread-quota: 5ms} | iothread-quota 5 ms: this guest has no I/O threads
          """)
  void refusesWhatTheHostCanNeverTakeBeforeAnythingIsChanged(String profile, String sentence) {
    try (Lab lab = Lab.start(options(GroupVersion.V2))) {
      LabSettings found = lab.settings();
      Path file = file(lab, "  - {name: wrong, %s}\n".formatted(profile));
      Sweep sweep = sweep(LabExperiment.read(file));
      assertThatThrownBy(sweep::execute)
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("profile wrong: ")
          .hasMessageContaining(sentence);
      assertThat(lab.settings()).isEqualTo(found);
      assertThat(directory.resolve("results")).isEmptyDirectory();
    }
  }
}
