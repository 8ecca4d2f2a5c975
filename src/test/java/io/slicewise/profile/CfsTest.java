package io.slicewise.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.yaml.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scheduler of libvirt's guests: shares, quotas in their periods, and pinning. */
class CfsTest {
  private static final SchedulerParameters DEFAULTS = SchedulerParameters.defaults(Scheduler.CFS);

  @TempDir private Path directory;

  private List<SchedulerProfile> read(Faults faults, String main) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("p.yaml"),
            "profiles:\n  a:\n    scheduler: cfs\n    main: {%s}\n".formatted(main));
    return ProfileFiles.read(file, faults, Schedulers.KNOWN);
  }

  private SchedulerParameters main(String main) throws IOException {
    Faults faults = new Faults();
    List<SchedulerProfile> profiles = read(faults, main);
    faults.throwIfAny("");
    return profiles.get(0).byRole().get(Role.MAIN);
  }

  @Test
  void takesACapForAQuotaOfItsPeriod() throws IOException {
    SchedulerParameters quarter = DEFAULTS.with(Cfs.VCPU_QUOTA, Duration.ofMillis(25));
    assertThat(main("cap: 25%")).isEqualTo(quarter);
    assertThat(main("vcpu-quota: 25ms")).isEqualTo(quarter);
    assertThat(main("cap: 12.5%, vcpu-period: 20ms").get(Cfs.VCPU_QUOTA))
        .isEqualTo(Duration.ofNanos(2_500_000));
    assertThat(main("cap: none")).isEqualTo(DEFAULTS);
    assertThat(main("")).isEqualTo(DEFAULTS);
  }

  @Test
  void namesWhatItSetsAndNothingElse() throws IOException {
    assertThat(ParametersText.of(DEFAULTS)).isEqualTo("shares default");
    assertThat(ParametersText.of(main("shares: 512, cap: 25%, pinning: [0, '1,0']")))
        .isEqualTo("shares 512 pinning 0/0-1 vcpu-quota 25 ms of 100 ms");
    assertThat(ParametersText.toYaml(main("pinning: [0, 1], global-quota: 60ms")))
        .containsEntry("shares", "default")
        .containsEntry("vcpu-quota", "none")
        .containsEntry("global-quota", "60ms")
        .containsEntry("pinning", List.of("0", "1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shares: 0              | shares 0 of main is out of range 1..262144
          shares: 262145         | shares 262145 of main is out of range 1..262144
          shares: many           | shares many of main must be a whole number
          weight: 256            | unknown key 'weight'
          vcpu-quota: 999us      | vcpu-quota 999us of main is out of range 1ms..
          vcpu-quota: 0s         | vcpu-quota 0s of main is out of range 1ms..
          vcpu-quota: 50         | vcpu-quota 50 of main needs a unit
          vcpu-period: 2s        | vcpu-period 2s of main is out of range 1ms..1s
          cap: 25                | cap 25 of main must be 0% to 100%, with the sign
          cap: 0.5%              | cap 0.5% of main is 500us of vcpu-period's 100ms, which is out of range 1000us..
          cap: 0%                | cap 0% of main is 0us of vcpu-period's 100ms, which is not a quota
          'cap: 5%, vcpu-quota: 5ms' | cap 5% of main cannot be combined with vcpu-quota; write one of them
          pinning: zero          | pinning zero of main must be pCPUs as in 0-3,^2
          'pinning: "0,^0"'      | pinning 0,^0 of main leaves no pCPU
          'pinning: []'          | pinning of main contains no pCPU
          """)
  void refusesWhatNoHostTakes(String main, String rule) throws IOException {
    Faults faults = new Faults();
    read(faults, main);
    assertThat(faults.text()).contains("p.yaml:4: " + rule);
  }

  @Test
  void findsTheCeilingOfVcpusInTheTighterQuota() {
    SchedulerParameters quarter = DEFAULTS.with(Cfs.VCPU_QUOTA, Duration.ofMillis(25));
    assertThat(DEFAULTS.ceiling(2)).isEmpty();
    assertThat(quarter.ceiling(2)).hasValue(0.5);
    assertThat(quarter.with(Cfs.GLOBAL_QUOTA, Duration.ofMillis(30)).ceiling(2)).hasValue(0.3);
    assertThat(DEFAULTS.with(Cfs.EMULATOR_QUOTA, Duration.ofMillis(1)).ceiling(2)).isEmpty();
  }

  @Test
  void checksPinningAgainstTheVcpusOfADomain() throws IOException {
    SchedulerParameters two = main("pinning: [0, 1]");
    assertThat(SettingFaults.first(two, 2)).isEmpty();
    assertThat(SettingFaults.first(two, 3).orElseThrow().rule())
        .isEqualTo("names pCPUs for 2 vCPUs; the domain has 3");
    assertThat(Pinning.each(main("pinning: '0-2,^1'").get(Cfs.PINNING), 2))
        .containsExactly("0,2", "0,2");
  }

  @Test
  void returnsUnchangedFromAFile() throws IOException {
    SchedulerParameters all =
        main(
            "shares: 7, cap: 40%, emulator-quota: 5ms, emulator-period: 50ms, pinning: [1, '0-1']");
    SchedulerProfile profile =
        new SchedulerProfile(
            "a", java.util.Optional.of(Scheduler.CFS), Map.of(Role.MAIN, all), Map.of());
    assertThat(ProfileFiles.toYaml(profile).get("main")).isEqualTo(ParametersText.toYaml(all));
    assertThat(
            main(
                "shares: 7, vcpu-quota: 40ms, emulator-quota: 5ms, emulator-period: 50ms,"
                    + " pinning: ['1', '0-1']"))
        .isEqualTo(all);
  }
}
