package io.slicewise.sweep.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.sweep.policy.Policy.Band;
import io.slicewise.sweep.policy.Policy.Basis;
import io.slicewise.sweep.policy.Policy.Pace;
import io.slicewise.sweep.policy.Policy.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policy files are read as they are written, and a faulty one is refused with one sentence. */
class PolicyFileTest {
  @TempDir Path directory;

  private static Policy policy() {
    return new Policy(
        "web",
        LoadMetric.REQUESTS,
        new Basis(Optional.of("dom0.example"), List.of("web-2026")),
        Pace.DEFAULT,
        List.of(
            new Band(0, 40, 10, 30, "as-found", Optional.empty()),
            new Band(40, Double.POSITIVE_INFINITY, 50, 90, "heavy", Optional.of("p95 better"))),
        List.of(
            new SchedulerProfile(
                "heavy",
                Optional.of(Scheduler.CREDIT),
                Map.of(Role.MAIN, SchedulerParameters.defaults(Scheduler.CREDIT)),
                Map.of())),
        "heavy",
        Optional.of(new Proof("follow-web", "heavy", 12, -8.5, -12, -4.5)));
  }

  private Path written() {
    Path file = directory.resolve("policy.yaml");
    PolicyFile.write(file, policy());
    return file;
  }

  @Test
  void readsWhatItWrites() {
    assertThat(PolicyFile.read(written())).isEqualTo(policy());
  }

  @Test
  void readsAPolicyBySharesOfTime() throws IOException {
    Path file = written();
    Files.writeString(
        file, Files.readString(file).replace("load: requests/s", "load: run share of my web"));
    assertThat(PolicyFile.read(file).load().domain()).contains("my web");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          - from: 40.0        | - from: 45.0       | bands leave a gap from 40.0 to 45.0 requests/s
          - from: 40.0        | - from: 35.0       | bands overlap from 35.0 to 40.0 requests/s
          to: 40.0            | to: 0.0            | ends at 0.00 requests/s, which is not above
          profile: heavy      | profile: light     | which 'profiles' does not have; it has heavy
          weight: 256         | weight: 512        | profiles are not those that were measured
          load: requests/s    | load: users        | must be requests/s or 'run share of DOMAIN'
          fixed: heavy        | fixed: light       | fixed is light, which 'profiles' does not have
          hysteresis: 10%     | hysteresis: wide   | hysteresis
          stay: 5m            | stays: 5m          | stay
          window: 1m          | window: 4s         | which has fewer than 5 readings of the requests/s
          """)
  void refusesAFaultyFile(String written, String instead, String sentence) throws IOException {
    Path file = written();
    String text = Files.readString(file);
    assertThat(text).contains(written);
    Files.writeString(file, text.replace(written, instead));
    assertThatThrownBy(() -> PolicyFile.read(file))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void refusesAWindowWithFewerThanFiveReadingsOfARunShare() throws IOException {
    Path file = written();
    Files.writeString(
        file,
        Files.readString(file)
            .replace("load: requests/s", "load: run share of web")
            .replace("window: 1m", "window: 50s"));
    assertThatThrownBy(() -> PolicyFile.read(file))
        .hasMessageContaining(
            "window is 50s, which has fewer than 5 readings of the run share of web; it is at least"
                + " 1m");
  }

  @Test
  void refusesALastBandThatEnds() throws IOException {
    Path file = written();
    Files.writeString(
        file, Files.readString(file).replace("- from: 40.0\n", "- from: 40.0\n  to: 100.0\n"));
    assertThatThrownBy(() -> PolicyFile.read(file))
        .hasMessageContaining("the last band ends at 100.0 requests/s; leave its 'to' out");
  }
}
