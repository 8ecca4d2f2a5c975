package io.slicewise.host.libvirt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.libvirt.Libvirt.NamedSettings;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The words that virsh is told, and the order in which cgroup v1 takes them. */
class SettingWordsTest {
  private static final SchedulerParameters FREE = Cfs.of(1024);
  private static final List<String> GUEST = List.of("--domain", "u-u");

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static List<String> lines(
      CgroupVersion version, SchedulerParameters current, SchedulerParameters wanted) {
    return new SettingWords(version)
        .of(GUEST, 2, current, wanted).stream().map(words -> String.join(" ", words)).toList();
  }

  @Example
  void setsWhatDiffersAndAQuotaWithItsPeriod() {
    assertThat(lines(CgroupVersion.V1, FREE, Cfs.of(512)))
        .containsExactly("schedinfo --live --domain u-u cpu_shares=512");
    assertThat(lines(CgroupVersion.V1, FREE, FREE.with(Cfs.VCPU_QUOTA, millis(25))))
        .containsExactly("schedinfo --live --domain u-u vcpu_period=100000 vcpu_quota=25000");
    assertThat(lines(CgroupVersion.V1, FREE.with(Cfs.EMULATOR_QUOTA, millis(25)), FREE))
        .containsExactly("schedinfo --live --domain u-u emulator_period=100000 emulator_quota=-1");
    assertThat(lines(CgroupVersion.V1, FREE, FREE)).isEmpty();
  }

  @Example
  void writesTheHostsDefaultAsItsNumber() {
    assertThat(lines(CgroupVersion.V1, Cfs.of(512), Cfs.of(0)))
        .containsExactly("schedinfo --live --domain u-u cpu_shares=1024");
    assertThat(lines(CgroupVersion.V2, Cfs.of(512), Cfs.of(0)))
        .containsExactly("schedinfo --live --domain u-u cpu_shares=100");
    assertThat(lines(CgroupVersion.V2, Cfs.of(100), Cfs.of(0))).isEmpty();
  }

  @Example
  void changesThePinningOfThoseVcpusThatDifferAndOnlyIfAskedTo() {
    SchedulerParameters pinned = FREE.with(Cfs.PINNING, "1");
    assertThat(lines(CgroupVersion.V1, pinned, pinned.with(Cfs.PINNING, "1/0-1")))
        .containsExactly("vcpupin --live --domain u-u --vcpu 1 --cpulist 0-1");
    assertThat(lines(CgroupVersion.V1, pinned, FREE)).isEmpty();
    assertThat(lines(CgroupVersion.V1, FREE, pinned))
        .as("never changed, so nothing to undo")
        .isEmpty();
  }

  @Example
  void pinsTheEmulatorAndEveryThreadForInputAndOutput() {
    SchedulerParameters found =
        FREE.with(Cfs.EMULATOR_PINNING, "0-1").with(Cfs.IOTHREAD_PINNING, "0-1/1");
    assertThat(lines(CgroupVersion.V1, found, FREE.with(Cfs.EMULATOR_PINNING, "1")))
        .containsExactly("emulatorpin --live --domain u-u --cpulist 1");
    assertThat(lines(CgroupVersion.V1, found, FREE.with(Cfs.IOTHREAD_PINNING, "0")))
        .containsExactly(
            "iothreadpin --live --domain u-u --iothread 1 --cpulist 0",
            "iothreadpin --live --domain u-u --iothread 2 --cpulist 0");
    SchedulerParameters set = found.with(Cfs.IOTHREAD_PINNING, "0/0");
    assertThat(lines(CgroupVersion.V1, set, found))
        .as("as found, thread by thread")
        .containsExactly(
            "iothreadpin --live --domain u-u --iothread 1 --cpulist 0-1",
            "iothreadpin --live --domain u-u --iothread 2 --cpulist 1");
    assertThatThrownBy(() -> lines(CgroupVersion.V1, FREE, FREE.with(Cfs.IOTHREAD_PINNING, "0")))
        .hasMessageContaining("iothread-pinning 0: this guest has no such threads");
  }

  /**
   * Follows the writes as the kernel does: a group inside must not have a larger part of the time
   * than the one around it, and a write that would give it one is refused.
   */
  @Property(tries = 2000)
  void isTakenByTheKernelInEveryOrderOfQuotas(
      @ForAll("settings") SchedulerParameters current,
      @ForAll("settings") SchedulerParameters wanted) {
    Map<String, Long> kernel = new HashMap<>(written(current));
    for (List<String> command : new SettingWords(CgroupVersion.V1).of(GUEST, 1, current, wanted)) {
      for (String word : command.subList(4, command.size())) {
        String[] assignment = word.split("=", -1);
        kernel.put(assignment[0], Long.parseLong(assignment[1]));
        assertThat(part(kernel, "vcpu"))
            .as("%s after %s", kernel, word)
            .isLessThanOrEqualTo(limit(kernel));
        assertThat(part(kernel, "emulator"))
            .as("%s after %s", kernel, word)
            .isLessThanOrEqualTo(limit(kernel));
      }
    }
    assertThat(kernel).isEqualTo(written(wanted));
  }

  private static double part(Map<String, Long> kernel, String group) {
    long quota = kernel.get(group + "_quota");
    return quota < 0 ? 0 : (double) quota / kernel.get(group + "_period");
  }

  private static double limit(Map<String, Long> kernel) {
    return kernel.get("global_quota") < 0 ? Double.POSITIVE_INFINITY : part(kernel, "global");
  }

  private static Map<String, Long> written(SchedulerParameters parameters) {
    Map<String, Long> values = new HashMap<>();
    values.put("cpu_shares", (long) parameters.get(Cfs.SHARES));
    SchedInfo.TIMES.forEach(
        (parameter, name) -> {
          long micros = parameters.get(parameter).toNanos() / 1_000;
          values.put(name, micros == 0 ? -1 : micros);
        });
    return values;
  }

  /** Settings that cgroup v1 takes. */
  @Provide
  Arbitrary<SchedulerParameters> settings() {
    Arbitrary<Duration> quota = Arbitraries.of(0, 1, 10, 20, 50, 100, 250).map(Duration::ofMillis);
    Arbitrary<Duration> period = Arbitraries.of(10, 50, 100, 200, 1000).map(Duration::ofMillis);
    return Combinators.combine(quota, period, quota, period, quota, period)
        .as(
            (vcpu, vcpuPeriod, emulator, emulatorPeriod, all, allPeriod) ->
                FREE.with(Cfs.VCPU_QUOTA, vcpu)
                    .with(Cfs.VCPU_PERIOD, vcpuPeriod)
                    .with(Cfs.EMULATOR_QUOTA, emulator)
                    .with(Cfs.EMULATOR_PERIOD, emulatorPeriod)
                    .with(Cfs.GLOBAL_QUOTA, all)
                    .with(Cfs.GLOBAL_PERIOD, allPeriod))
        .filter(SettingWordsTest::isTaken);
  }

  private static boolean isTaken(SchedulerParameters settings) {
    try {
      new SettingLimits(CgroupVersion.V1).check("web", 1, settings);
      return true;
    } catch (HypervisorException refused) {
      return false;
    }
  }

  @Example
  void refusesWhatTheHostWouldNotTake() {
    refused(
        CgroupVersion.V1,
        Cfs.of(1),
        "shares 1 of web is out of range 2..262144 of cgroup v1, with 1024 by default.");
    refused(
        CgroupVersion.V2,
        Cfs.of(10_001),
        "shares 10001 of web is out of range 1..10000 of cgroup v2, with 100 by default.");
    refused(
        CgroupVersion.V2,
        FREE.with(Cfs.VCPU_QUOTA, Duration.ofNanos(999_000)),
        "vcpu-quota 999us of web is out of range 1000us..17592186044414us.");
    SchedulerParameters conflict =
        FREE.with(Cfs.VCPU_QUOTA, millis(70)).with(Cfs.GLOBAL_QUOTA, millis(40));
    refused(
        CgroupVersion.V1,
        conflict,
        "vcpu-quota 70 ms of 100 ms of web is above its global-quota 40 ms of 100 ms, which cgroup"
            + " v1 does not take.");
    new SettingLimits(CgroupVersion.V2).check("web", 1, conflict);
    refused(
        CgroupVersion.V1,
        FREE.with(Cfs.PINNING, "0/1"),
        "pinning [0, 1] of web names pCPUs for 2 vCPUs; the domain has 1.");
  }

  private static void refused(CgroupVersion version, SchedulerParameters wanted, String sentence) {
    assertThatThrownBy(() -> new SettingLimits(version).check("web", 1, wanted))
        .isInstanceOf(HypervisorException.class)
        .hasMessage(sentence);
  }

  @Example
  void namesGuestsInCommandsForPeopleAndRefusesNamesLikeIds() {
    NamedSettings named = new NamedSettings(Virsh.prefix(true), CgroupVersion.V2);
    assertThat(named.set("-web 1", Cfs.of(0)))
        .extracting(Command::quoted)
        .containsExactly(
            "env 'LC_ALL=C' sudo -n virsh -c qemu:///system schedinfo --live --domain '-web 1'"
                + " 'cpu_shares=100' 'vcpu_period=100000' 'vcpu_quota=-1'"
                + " 'emulator_period=100000' 'emulator_quota=-1' 'iothread_period=100000' 'iothread_quota=-1' 'global_quota=-1'"
                + " 'global_period=100000'");
    assertThatThrownBy(() -> named.set("3", Cfs.of(0))).hasMessageContaining("The guest called 3");
    assertThatThrownBy(() -> named.set("web", Credit.of(256, 0)))
        .hasMessage("virsh has no settings for the credit scheduler.");
  }
}
