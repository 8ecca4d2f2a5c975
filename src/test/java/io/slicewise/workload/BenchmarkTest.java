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
              assertThat(command.words())
                  .containsExactly("env", "LC_ALL=C", "wrk", "-d29", "http://web/", "a b");
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

  private static final String DD =
      "1073741824 bytes (1,1 GB, 1,0 GiB) copied, 17,6713 s, 60,8 MB/s\n";
  private static final String WRK = "  Latency   %s    1.26ms  16.29ms   81.20%%\n";

  private static String read(String unit, String find, String output) {
    Printed printed = new Printed("it", unit, true, Optional.of(Pattern.compile(find)));
    double value = printed.in(output).value();
    String note = printed.note(output);
    return (Double.isNaN(value) ? "none" : Double.toString(value))
        + (note.isEmpty() ? "" : "; " + note);
  }

  @Test
  void readsDecimalCommasAndRefusesWhatHasTwoReadings() {
    assertThat(read("MB/s", "([0-9.,]+) MB/s", DD)).isEqualTo("60.8; 60,8 was taken as 60.8");
    assertThat(read("MB/s", "([0-9.]+) MB/s", DD))
        .isEqualTo("none; finds '8' inside of 60,8: let 'find' take all of it");
    assertThat(read("ms", "^([0-9.,]+)/msec", "0,31/msec/task-clock/306721/100,00/0/CPUs"))
        .startsWith("0.31;");
    assertThat(read("s", "real\\s+0m([0-9.,]+)s", "real\t0m1,021s\nuser\t0m0,940s\n"))
        .isEqualTo("1.021; 1,021 was taken as 1.021");
    assertThat(read("s", "took ([0-9.,]+)", "took 1,021 in all"))
        .isEqualTo(
            "none; prints 1,021, which is 1021 or 1.021: let the command print no separators");
    assertThat(read("/s", "rate ([0-9.,]+)", "rate 1,021 at 12.5 ms")).startsWith("1021.0;");
    assertThat(read("/s", "rate ([0-9.,]+)", "rate 1.234,5")).startsWith("1234.5;");
    assertThat(read("/s", "rate ([0-9.,]+)", "rate 1,234,567")).startsWith("1234567.0;");
    assertThat(read("/s", "rate ([0-9]+)", "rate 12.75")).startsWith("none; finds '12'");
    assertThat(read("/s", ",([0-9]+)$", "a,12,60")).isEqualTo("60.0");
  }

  @Test
  void convertsUnitsThatChangeWithTheSizeOfTheNumber() {
    String find = "Latency +([0-9.]+[a-z]*)";
    assertThat(read("ms", find, WRK.formatted("758.59us")))
        .isEqualTo("0.75859; 758.59us was taken as 0.75859 ms");
    assertThat(read("ms", find, WRK.formatted("1.02s"))).startsWith("1020.0;");
    assertThat(read("ms", find, WRK.formatted("1.26ms"))).isEqualTo("1.26");
    assertThat(read("ms", "Latency +([0-9.]+)", WRK.formatted("1.02s"))).startsWith("1020.0;");
    assertThat(read("ms", find, WRK.formatted("1531867")))
        .isEqualTo("none; prints 1531867 without the unit that its 'find' looks for");
    assertThat(read("ms", find, WRK.formatted("0.00us"))).startsWith("none; prints a time of");
    assertThat(read("ms", "avg ([0-9.]+)", "avg 12.3 min 4.1")).isEqualTo("12.3");
    assertThat(read("/s", "Req/Sec +([0-9.]+)", "Req/Sec     6.61k     1.69k"))
        .isEqualTo("6610.0; 6.61k was taken as 6610 /s");
    assertThat(read("", "done ([0-9.]+)", "done 1.5M")).startsWith("1500000.0;");
    assertThat(read("MB/s", "([0-9.]+ ?[kMG]B/s)", "copied, 1.1 GB/s")).startsWith("none; prints");
    assertThat(read("MB/s", "([0-9.]+ ?[kMG]B/s)", "copied, 60.8 MB/s")).isEqualTo("60.8");
  }

  @Test
  void takesNoPartOfANumberForTheWhole() {
    for (String whole : List.of("1'234.5", "1:23.45", "1m2.345s", "1\u202f234,5")) {
      assertThat(read("s", "took (\\S+)", "took " + whole))
          .isIn(
              "none",
              "none; prints %s, which is several numbers: let 'find' take one".formatted(whole));
      assertThat(read("s", "([0-9.,]+)s?$", "took " + whole)).as(whole).startsWith("none; finds '");
    }
    assertThat(read("MB/s", "([0-9.,]+) MB/s", "copied, 17,6 s, 1 060,8 MB/s"))
        .startsWith("none; finds '060,8' after '1 '");
    assertThat(read("MB/s", "([0-9.,]+) MB/s", "read 12 345 MB/s")).isEqualTo("345.0");
    assertThat(read("s", "([0-9.]+)s$", "real 0m1.021s")).isEqualTo("1.021");
    assertThat(read("ms", "([0-9.]+)$", "p99:12.3")).isEqualTo("12.3");
    assertThat(read("/s", "reqs: ([0-9.]+)", "reqs: 1.2M/s"))
        .isEqualTo("1200000.0; 1.2M/s was taken as 1200000 /s");
    assertThat(read("IOPS", "([0-9.]+) kIOPS", "12.5 kIOPS")).startsWith("12500.0;");
  }

  @Test
  void refusesNumbersThatCannotBeTrue() {
    String tps = "threads: 16, tps: 18446842801212211200.00, reads: 18446842801212035072.00";
    assertThat(read("/s", "tps: ([0-9.]+)", tps))
        .startsWith("none; prints 18446842801212211200.00");
    assertThat(read("", "tps: ([0-9.]+)", tps)).startsWith("none;");
    assertThat(read("/s", "sec: *(-?[0-9.]+)", "Requests/sec: -56.8277"))
        .isEqualTo("none; prints a negative number of /s");
    assertThat(read("/s", "([0-9.]+)", "Requests/sec: -56.8277")).startsWith("none;");
    assertThat(read("%", "([0-9.]+)", "util 184467440737095516.15")).startsWith("none;");
    assertThat(read("%", "([0-9.]+)", "util 3150.5")).isEqualTo("3150.5");
    assertThat(read("", "(-[0-9.]+)", "change -3.5")).isEqualTo("-3.5");
    assertThat(new Printed("it", "/s", true, Optional.empty()).note("{\"it\": -5}"))
        .isEqualTo("prints a negative number of /s");
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
