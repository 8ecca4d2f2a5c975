package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.Benchmark.Printed;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command reads its window and target in its words, and its numbers are found in its output. */
class BenchmarkTest {
  private static Workload command(Optional<URI> target, String... words) {
    return Workloads.of(
        "command",
        Optional.empty(),
        target,
        Map.of(),
        Map.of("command", List.of(words), "measures", Map.of("rate", Map.of("unit", "/s"))));
  }

  private static Benchmark benchmark(String... words) {
    return command(Optional.of(URI.create("http://web/")), words).benchmark().orElseThrow();
  }

  @Test
  void hasOneSecondLessThanItsWindow() {
    assertThat(benchmark("wrk", "-d{seconds}", "{target}", "a b").command(Duration.ofSeconds(30)))
        .satisfies(
            command -> {
              assertThat(command.words()).containsExactly("wrk", "-d29", "http://web/", "a b");
              assertThat(command.timeout()).isEqualTo(Duration.ofSeconds(30));
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "12.5 | 12.5",
        "warming up\\n12.5\\n\\n | 12.5",
        "{\"rate\": 7, \"other\": 1} | 7",
        "noise\\n{\"rate\": 7e3} | 7000",
        "{\"other\": 1} | NaN",
        "{\"rate\": \"7\"} | NaN",
        "rate 7 | NaN",
        "`` | NaN"
      })
  void readsTheLastLineAsJsonOrANumber(String output, Double value) {
    Printed printed = new Printed("rate", "/s", true, Optional.empty());

    assertThat(printed.in(output.replace("\\n", "\n")).value()).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Requests/sec: 1,234.5 | 1234.5",
        "Requests/sec: 1 Requests/sec: 2 | 2",
        "nothing | NaN",
        "Requests/sec: . | NaN"
      })
  void findsTheLastMatch(String output, Double value) {
    Printed printed =
        new Printed("rate", "/s", true, Optional.of(Pattern.compile("Requests/sec: ([0-9.,]+)")));

    assertThat(printed.in(output).value()).isEqualTo(value);
  }

  @Test
  void needsItsTargetOnlyIfItNamesIt() {
    assertThat(command(Optional.empty(), "true").benchmark()).isPresent();
    assertThatThrownBy(() -> command(Optional.empty(), "curl", "{target}"))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("needs target");
  }

  @Test
  void complainsAboutAProgramThatIsNotThere() {
    assertThat(benchmark("sh", "-c", "echo 1").complaint()).isEmpty();
    assertThat(benchmark("no-such-program").complaint())
        .hasValueSatisfying(text -> assertThat(text).contains("no program 'no-such-program'"));
  }
}
