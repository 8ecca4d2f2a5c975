package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.base.yaml.Faults;
import io.slicewise.evidence.facts.Knob;
import io.slicewise.profile.CfsLike;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.SettingDifference;
import io.slicewise.profile.SettingFaults;
import io.slicewise.run.journal.SweepJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scheduler that is described, and known nowhere else, works wherever settings are handled. */
class DescribedSchedulerTest {
  private static final SchedulerParameters DEFAULTS =
      SchedulerParameters.defaults(CfsLike.SCHEDULER);
  private static final SchedulerParameters CAPPED = CfsLike.of(512, 50_000);

  @TempDir private Path directory;

  private List<SchedulerProfile> read(Faults faults, String main) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("p.yaml"),
            "profiles:\n  a:\n    scheduler: cfs-like\n    main: {%s}\n    other: {}\n"
                .formatted(main));
    return ProfileFiles.read(file, faults, CfsLike.KNOWN);
  }

  @Test
  void isReadAndWrittenInFiles() throws IOException {
    Faults faults = new Faults();
    SchedulerProfile profile = read(faults, "shares: 512, quota: 50ms").get(0);
    faults.throwIfAny("");
    assertThat(profile.byRole()).isEqualTo(Map.of(Role.MAIN, CAPPED, Role.OTHER, DEFAULTS));
    assertThat(ProfileFiles.toYaml(profile))
        .containsEntry("main", Map.of("shares", 512, "quota", "50ms"))
        .containsEntry("other", Map.of("shares", 1024, "quota", "none"));
  }

  @Test
  void isCheckedInFilesWithTheLineOfEachFault() throws IOException {
    Faults faults = new Faults();
    read(faults, "shares: 1, quota: 5, weight: 3");
    assertThat(faults.text().lines())
        .hasSize(3)
        .anyMatch(line -> line.contains("shares 1 of main is out of range 2..262144"))
        .anyMatch(line -> line.contains("quota 5 of main needs a unit"))
        .anyMatch(line -> line.contains("unknown key 'weight'"))
        .allMatch(line -> line.contains("p.yaml:4: "));
  }

  @Test
  void isPrinted() {
    assertThat(ParametersText.of(CAPPED)).isEqualTo("shares 512 quota 50000 us");
    assertThat(ParametersText.of(DEFAULTS)).isEqualTo("shares 1024 quota none");
  }

  @Test
  void isWrittenToAndReadFromJournals() throws JsonProcessingException {
    ObjectMapper mapper = SweepJson.mapper(CfsLike.KNOWN);
    String json = mapper.writeValueAsString(Map.of("web", CAPPED));
    assertThat(json)
        .isEqualTo("{\"web\":{\"scheduler\":\"cfs-like\",\"shares\":512,\"quota\":50000}}");
    assertThat(mapper.treeToValue(mapper.readTree(json).get("web"), SchedulerParameters.class))
        .isEqualTo(CAPPED);
    assertThatThrownBy(
            () -> mapper.readValue("{\"scheduler\":\"cfs-like\"}", SchedulerParameters.class))
        .hasMessageContaining("cfs-like has no shares");
  }

  @Test
  void isComparedAsAWholeAndParameterByParameter() {
    Map<String, SchedulerParameters> now = Map.of("web", DEFAULTS, "db", DEFAULTS);
    Map<String, SchedulerParameters> wanted = Map.of("web", CAPPED, "db", DEFAULTS);
    assertThat(SettingDifference.between(now, wanted))
        .singleElement()
        .satisfies(
            differing -> {
              assertThat(differing.domain()).isEqualTo("web");
              assertThat(differing.current()).contains(DEFAULTS);
              assertThat(differing.wanted()).isEqualTo(CAPPED);
              assertThat(differing.isOtherScheduler()).isFalse();
            });
    assertThat(Knob.between(now, wanted))
        .containsExactly(
            new Knob("web", "quota", "none", "50ms"), new Knob("web", "shares", "1024", "512"));
  }

  @Test
  void isCheckedBeforeItIsSent() {
    assertThat(SettingFaults.first(CAPPED, 1)).isEmpty();
    assertThat(SettingFaults.first(CfsLike.of(1, -1), 1))
        .contains(new SettingFaults.Fault("shares 1", "is out of range 2..262144"));
    assertThat(SettingFaults.first(CfsLike.of(2, 10), 1))
        .contains(new SettingFaults.Fault("quota 10us", "is below 1000us"));
  }

  @Test
  void hasNoCeilingAndTwoAxes() {
    assertThat(CAPPED.ceiling(2)).isEmpty();
    assertThat(CAPPED.leastVcpus()).isEqualTo(1);
    assertThat(CfsLike.SCHEDULER.axes()).isEqualTo(List.of(CfsLike.SHARES, CfsLike.QUOTA));
  }
}
