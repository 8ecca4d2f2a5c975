package io.slicewise.cli.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects settings as people write them: also in a platform's words, and one sentence else. */
class TriedSettingTest {
  private static Map<String, Object> parameters(String where, String text) {
    SchedulerParameters now =
        switch (where) {
          case "xen" -> Credit.of(512, 40);
          case "libvirt" -> SchedulerParameters.defaults(Scheduler.CFS);
          default -> SchedulerParameters.defaults(Scheduler.ofXenName("fair").orElseThrow());
        };
    String groups = where.endsWith("1") ? "cgroup v1" : "cgroup v2";
    HostDescription host =
        new HostDescription(
            "any",
            new HypervisorVersion(6, 1, " (" + groups + ")"),
            "",
            4,
            Double.NaN,
            now.scheduler().xenName(),
            List.of());
    return TriedSetting.of(List.of(text.split(" ", -1)))
        .get(0)
        .parameters(host, List.of(new Setting(new Domain("web", 1, 2, 0, "all"), now)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "xen | web: weight 1024 | weight=1024 cap=40",
        "xen | web: weight=1024, cap none | weight=1024 cap=0",
        "xen | web: cap 50% | weight=512 cap=50",
        "v1 | web: shares 4096 | shares=4096",
        "v1 | web: cpu-shares 4096 | shares=4096",
        "v2 | web: CPUWeight 200 | shares=200",
        "v2 | web: cpuunits 200 | shares=200",
        "v2 | web: weight 200 | shares=200",
        "v2 | web: CPUQuota 50% | cap=50%",
        "v2 | web: --cpus 1.5 | cap=150%",
        "v2 | web: cpulimit 2 | cap=200%",
        "v2 | web: quota 20ms | quota=20ms",
        "v2 | web: cap none | quota=none",
        "v2 | web: idle | idle=true",
        "v2 | web: idle, burst none | idle=true burst=none",
        "libvirt | web: cpu.weight 300 | shares=300",
        "libvirt | web: cap 25% | cap=25%",
      })
  void understandsTheWordsOfThePlatform(String where, String text, String expected) {
    Map<String, Object> values = parameters(where, text);
    for (String one : expected.split(" ", -1)) {
      assertThat(String.valueOf(values.get(one.split("=", -1)[0])))
          .isEqualTo(one.split("=", -1)[1]);
    }
    assertThat(values).doesNotContainKeys("cpus", "pinning");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "xen | web: wieght 3 | did you mean 'weight'?",
        "xen | web: weight | weight of web has no value",
        "xen | wbe: weight 3 | there is no guest 'wbe'; did you mean 'web'?",
        "xen | web | 'web' is not a guest with a setting",
        "v2 | web: cpu-shares 1024 | not in the unit of this host, whose cgroup v2 has shares 1 to",
        "v1 | web: CPUWeight 100 | not in the unit of this host, whose cgroup v1 has shares 2 to",
      })
  void refusesTheRestInOneSentence(String where, String text, String sentence) {
    assertThatThrownBy(() -> parameters(where, text))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void blanksMaySeparateTheWordsOfSeveralSettings() {
    assertThat(TriedSetting.of(List.of("web 1:", "weight", "9", "batch: idle")))
        .containsExactly(
            new TriedSetting("web 1", List.of("weight", "9")),
            new TriedSetting("batch", List.of("idle")));
  }
}
