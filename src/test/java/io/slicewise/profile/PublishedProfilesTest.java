package io.slicewise.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shipped profiles are the 2010 study's, number by number. */
class PublishedProfilesTest {
  private static final Path HOME = Path.of(System.getProperty("slicewise.home", "."));

  @ParameterizedTest
  @CsvSource({"web-app, web-app.yaml, 10", "moss, windows.yaml, 9"})
  void haveThePublishedNumbers(String workload, String file, int count) throws IOException {
    List<Map<String, String>> rows = published(workload);
    List<SchedulerProfile> profiles =
        ProfileFiles.read(HOME.resolve("scheduler-profiles").resolve(file));
    assertThat(rows).hasSize(count);
    assertThat(profiles)
        .extracting(SchedulerProfile::name)
        .isEqualTo(rows.stream().map(row -> row.get("profile")).toList());
    for (int i = 0; i < rows.size(); i++) {
      assertThat(profiles.get(i).byRole()).isEqualTo(expected(rows.get(i)));
      assertThat(profiles.get(i).byDomain()).isEmpty();
    }
  }

  private static Map<Role, SchedulerParameters> expected(Map<String, String> row) {
    if (row.get("scheduler").equals("credit")) {
      return Map.of(Role.MAIN, Credit.of(Integer.parseInt(row.get("credit_weight")), 0));
    }
    Map<Role, SchedulerParameters> expected = new HashMap<>();
    expected.put(Role.DOM0, sedf(row.get("dom0_period_ms"), row.get("dom0_slice_ms")));
    expected.put(Role.MAIN, sedf(row.get("vm_period_ms"), row.get("main_vm_slice_ms")));
    if (!row.get("other_vm_slice_ms").isEmpty()) {
      expected.put(Role.OTHER, sedf(row.get("vm_period_ms"), row.get("other_vm_slice_ms")));
    }
    return expected;
  }

  private static SchedulerParameters sedf(String periodMillis, String sliceMillis) {
    return Sedf.of(millis(periodMillis), millis(sliceMillis), Duration.ZERO, true, 0);
  }

  private static Duration millis(String text) {
    return Duration.ofNanos(new BigDecimal(text).movePointRight(6).longValueExact());
  }

  private static List<Map<String, String>> published(String workload) throws IOException {
    List<String> lines =
        Files.readAllLines(HOME.resolve("src/test/resources/published/devine-2010-profiles.csv"));
    String[] header = lines.get(0).split(",", -1);
    return lines.stream()
        .skip(1)
        .map(line -> row(header, line.split(",", -1)))
        .filter(row -> row.get("workload").equals(workload))
        .toList();
  }

  private static Map<String, String> row(String[] header, String[] cells) {
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < header.length; i++) {
      row.put(header[i], cells[i]);
    }
    return row;
  }
}
