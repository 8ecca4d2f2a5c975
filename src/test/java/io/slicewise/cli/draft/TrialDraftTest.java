package io.slicewise.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.draft.TrialDraft.Judge;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Protects the experiments of trials: each is a study of pairs that a file could hold. */
class TrialDraftTest {
  private static final Path PLAN =
      Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans", "page.jmx")
          .toAbsolutePath();

  private static Experiment draw(
      String hypervisor, String scheduler, String setting, Judge judge, Duration most) {
    SchedulerParameters found =
        SchedulerParameters.defaults(Scheduler.ofXenName(scheduler).orElseThrow());
    HostDescription host =
        new HostDescription(
            "any",
            new HypervisorVersion(6, 1, " (cgroup v2)"),
            "",
            4,
            Double.NaN,
            scheduler,
            List.of());
    List<Setting> settings =
        Stream.of("web 1", "batch")
            .map(name -> new Setting(new Domain(name, 1, 2, 0, "all"), found))
            .toList();
    return TrialDraft.of(
        Optional.of(HostSpec.of("me@box", Optional.of(hypervisor), true)),
        host,
        settings,
        TriedSetting.of(List.of(setting)),
        List.of("web 1"),
        judge,
        Optional.empty(),
        most);
  }

  static Stream<Judge> judges() {
    return Stream.of(
        new Judge.Page("http://web.example:8080/shop?a=1", 10, PLAN),
        new Judge.Log("/var/log/nginx/access.log", "nginx"),
        new Judge.Run("./bench.sh 'a b' | tail -1", Duration.ofMillis(1500)),
        new Judge.Wait("web 1"));
  }

  @ParameterizedTest
  @MethodSource("judges")
  void everyJudgeDecidesAStudyOfPairs(Judge judge) {
    Experiment trial = draw("groups", "fair", "batch: idle", judge, Duration.ofMinutes(20));
    PairsDesign pairs = trial.pairs().orElseThrow();
    assertThat(pairs.most().time()).isEqualTo(Duration.ofMinutes(20));
    assertThat(pairs.most().pairs()).isBetween(TrialDraft.FEWEST_PAIRS, 240);
    assertThat(trial.namedHost().deadMan().isPresent()).isEqualTo(judge instanceof Judge.Log);
    assertThat(trial.domains().get(Role.MAIN)).containsExactly("web 1");
    assertThat(trial.profile("tried").byDomain()).containsOnlyKeys("batch");
    assertThat(ExperimentFiles.toYaml(trial)).contains("address: me@box", "sudo: true");
  }

  @ParameterizedTest
  @CsvSource({
    "xen, credit, web 1: weight 1024",
    "xen, credit2, web 1: weight 1024",
    "libvirt, cfs, web 1: shares 4096",
    "libvirt, cfs, web 1: cap 50%",
    "groups, fair, web 1: cap 50%",
  })
  void everyPlatformHasTrials(String hypervisor, String scheduler, String setting) {
    Experiment trial =
        draw(hypervisor, scheduler, setting, new Judge.Wait("web 1"), Duration.ofMinutes(10));
    assertThat(trial.profile("tried").byDomain()).containsOnlyKeys("web 1");
    assertThat(trial.namedHost().hypervisor()).contains(hypervisor);
  }

  @Test
  void aTimeInWhichNothingCouldBeDecidedIsRefused() {
    Judge slow = new Judge.Run("make", Duration.ofMinutes(1));
    assertThatThrownBy(() -> draw("groups", "fair", "batch: idle", slow, Duration.ofMinutes(10)))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("10 m are too short for 8 pairs of windows of 2 m 2 s");
  }
}
