package io.slicewise.run.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON is byte for byte what versions wrote whose schedulers were records. */
class SweepJsonTest {
  private static final SchedulerParameters RTDS =
      Rtds.of(Duration.ofMillis(10), Duration.ofNanos(4_500_000), true);

  static Stream<Arguments> forms() {
    return Stream.of(
        Arguments.of(Credit.of(512, 40), "{'scheduler':'credit','weight':512,'cap':40}"),
        Arguments.of(Credit2.of(256, 0), "{'scheduler':'credit2','weight':256,'cap':0}"),
        Arguments.of(
            Sedf.of(Duration.ofMillis(100), Duration.ZERO, Duration.ZERO, true, 3),
            "{'scheduler':'sedf','period':'PT0.1S','slice':'PT0S','latency':'PT0S',"
                + "'extratime':true,'weight':3}"),
        Arguments.of(
            RTDS, "{'scheduler':'rtds','period':'PT0.01S','budget':'PT0.0045S','extratime':true}"),
        Arguments.of(
            SchedulerParameters.byVcpu(
                List.of(RTDS, Rtds.of(Duration.ofMillis(20), Duration.ofMillis(5), false))),
            "{'scheduler':'rtds-by-vcpu','vcpus':[{'scheduler':'rtds','period':'PT0.01S',"
                + "'budget':'PT0.0045S','extratime':true},{'scheduler':'rtds','period':'PT0.02S',"
                + "'budget':'PT0.005S','extratime':false}]}"));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void writesAndReadsTheFormsOfBefore(SchedulerParameters parameters, String form)
      throws JsonProcessingException {
    String json = form.replace('\'', '"');
    assertThat(SweepJson.MAPPER.writeValueAsString(parameters)).isEqualTo(json);
    assertThat(SweepJson.MAPPER.readValue(json, SchedulerParameters.class)).isEqualTo(parameters);
  }

  /** A run that an earlier version began is read and restored by a later one with more knobs. */
  @Test
  void leavesAsFoundWhatAnEarlierVersionDidNotKnow() throws JsonProcessingException {
    String json = SweepJson.MAPPER.writeValueAsString(Cfs.of(300));
    String earlier = json.replace(",\"online-vcpus\":\"\"", "");
    assertThat(earlier).isNotEqualTo(json);
    assertThat(SweepJson.MAPPER.readValue(earlier, SchedulerParameters.class))
        .isEqualTo(Cfs.of(300));
    assertThatThrownBy(
            () ->
                SweepJson.MAPPER.readValue(
                    json.replace("\"shares\":300,", ""), SchedulerParameters.class))
        .hasMessageContaining("cfs has no shares");
  }

  /** A checksum that is right is not called a wrong one. */
  @Test
  void saysThatALineIsOfAnotherVersion() {
    String line =
        Seal.line("{\"event\":\"later\",\"line\":1,\"after\":\"%s\"}".formatted(Seal.NONE));
    assertThat(JournalLines.of((line + "\n").getBytes(StandardCharsets.UTF_8)).damages())
        .extracting(RunDamage::toString)
        .anyMatch(it -> it.contains("by a version that this one cannot read; not used"));
  }

  @Test
  void writesASchedulerByItselfInCapitals() throws JsonProcessingException {
    assertThat(SweepJson.MAPPER.writeValueAsString(List.of(Optional.of(Scheduler.CREDIT2))))
        .isEqualTo("[\"CREDIT2\"]");
  }

  @Test
  void refusesASchedulerThatItDoesNotKnow() {
    assertThatThrownBy(
            () ->
                SweepJson.MAPPER.readValue(
                    "{\"scheduler\":\"bvt\",\"weight\":1}", SchedulerParameters.class))
        .hasMessageContaining("'bvt' is not a known scheduler");
  }
}
