package io.slicewise.load.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.load.access.LineFormats.LineFormat;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of real servers are read as the client measured them; hostile ones harm nothing. */
class LineFormatTest {
  private static Request read(LineFormat format, String line) {
    return format.read(line).orElseThrow(() -> new AssertionError(line));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "nginx-json", "apache", "haproxy", "caddy"})
  void understandsEveryRecordedLine(String server) {
    LineFormat format = Recorded.format(server);

    assertThat(Recorded.lines(server + ".log"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(format.read(line)).as(line).isPresent());
  }

  /** Of HAProxy, the server behind it measured. */
  @ParameterizedTest
  @ValueSource(strings = {"nginx", "nginx-json", "apache", "haproxy", "caddy"})
  void startsAndEndsWithTheClientsRequest(String server) {
    LineFormat format = Recorded.format(server);
    Map<String, Recorded.Truth> truth = Recorded.truth(server);
    List<Double> starts = new ArrayList<>();
    List<Double> ends = new ArrayList<>();
    for (String line : Recorded.lines(server + ".log")) {
      Request request = read(format, line);
      Optional<Recorded.Truth> known =
          Recorded.number(line).map(truth::get).filter(Recorded.Truth::isOrdinary);
      if (known.isPresent()) {
        starts.add(request.startMicros() / 1e6 - known.get().sent());
        ends.add(request.endMicros() / 1e6 - known.get().done());
        if (!known.get().status().isEmpty()) {
          assertThat(Integer.toString(request.status())).as(line).isEqualTo(known.get().status());
        }
      }
    }

    assertThat(starts).hasSizeGreaterThan(90);
    // Client and servers were starved of CPU at times: the middle shows the format.
    double behind = server.equals("haproxy") ? 0.02 : 0.003;
    assertThat(median(starts)).isBetween(-behind, 0.003);
    assertThat(median(ends)).isBetween(-0.01, behind);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "caddy"})
  void knowsUsersWhoLeft(String server) {
    LineFormat format = Recorded.format(server);
    Map<String, Recorded.Truth> truth = Recorded.truth(server);
    List<String> kinds = new ArrayList<>();
    for (String line : Recorded.lines(server + ".log")) {
      if (read(format, line).aborted()) {
        kinds.add(Recorded.number(line).map(truth::get).map(Recorded.Truth::kind).orElse("?"));
      }
    }

    assertThat(kinds).hasSizeGreaterThan(5).doesNotContain("ws", "item", "page");
  }

  @Test
  void readsAnUpgradeOfCaddyAsSuch() {
    LineFormat format = Recorded.format("caddy");

    assertThat(Recorded.lines("caddy.log"))
        .filteredOn(line -> line.contains("\"/ws?"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(read(format, line).status()).isEqualTo(101));
  }

  @ParameterizedTest
  @CsvSource({
    "1735991206.435, 0.0123, 12300",
    "1735991206435, 0.0123, 12300",
    "'\"2025-01-04T19:46:46.435+0800\"', 0.0123, 12300",
    "'\"2025-01-04T11:46:46.435Z\"', 1.23e-2, 12300",
    "'\"2025/01/04 11:46:46.435\"', '\"12.3ms\"', 12300",
    "'\"2025/01/04 11:46:46.435000000\"', '\"929.675µs\"', 930",
    "'\"2025-01-04 11:46:46.435 +0000\"', '\"1m32.05s\"', 92050000",
    "'\"2025/01/04 11:46:46\"', '\"1h0m0s\"', 3600000000",
    "'\"04/Jan/2025:11:46:46 +0000\"', '\"0s\"', 0",
    "'\"04/Jan/2025:12:46:46 +0100\"', '\"431ns\"', 0",
  })
  void readsTheTimeFormatsOfCaddy(String stamp, String duration, long micros) {
    String line = "{\"ts\":%s,\"duration\":%s,\"status\":200}".formatted(stamp, duration);
    Request request = read(LineFormats.named("caddy").at(ZoneOffset.ofHours(5)), line);

    assertThat(request.durationMicros()).isEqualTo(micros);
    assertThat(request.endMicros())
        .isEqualTo(1735991206_000000L + (stamp.contains("435") ? 435_000 : 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"12.3mss", "ms", "1.2.3s", "m", "12 parsecs", "1h-5s"})
  void readsNoDurationIntoOtherText(String duration) {
    assertThat(Unit.SECONDS.duration(duration, 0, duration.length())).isEqualTo(-1);
  }

  @Test
  void takesTheUnitOfCaddysDurationsAsConfigured() {
    LineFormat format =
        new LineFormats("caddy", Optional.empty(), Map.of(), Optional.of("ms")).at(ZoneOffset.UTC);
    String line = "{\"ts\":1735991206.435,\"duration\":12.3,\"status\":200}";

    assertThat(read(format, line).durationMicros()).isEqualTo(12_300);
    assertThat(Unit.STAMP.micros("2025/01/04 11:46:46", 0, "2025/01/04 11:46:46".length()))
        .as("a date without an offset, of an unknown server")
        .isEqualTo(-1);
    assertThatThrownBy(
            () ->
                new LineFormats("haproxy", Optional.empty(), Map.of(), Optional.of("ms"))
                    .at(ZoneOffset.UTC))
        .hasMessage("takes no 'unit'; it is a key of caddy, json, pattern");
  }

  @Test
  void readsEveryFieldOfTheRecommendedLineOfNginx() {
    LineFormat format = LineFormats.named("nginx").at(ZoneOffset.UTC);

    assertThat(
            read(
                format,
                "1795440755.207 0.016 0.015, 0.001 : 0.002 502 GET shop.example 6307"
                    + " \"/img/1.png?a=\\x22 200 0.001\""))
        .isEqualTo(
            new Request(
                1795440755_191000L,
                16_000,
                18_000,
                502,
                "GET",
                "shop.example",
                "/img/1.png?a=\\x22 200 0.001",
                6307,
                false));
    assertThat(read(format, "1795440760.798 0.012 - 400   157 \"-\""))
        .isEqualTo(new Request(1795440760_786000L, 12_000, -1, 400, "", "", "", 157, false));
  }

  @Test
  void readsEveryFieldOfTheRecommendedLineOfApache() {
    LineFormat format = LineFormats.named("apache").at(ZoneOffset.UTC);

    assertThat(
            read(
                format,
                "1795440755206132 1795440755363702 157570 200 POST X shop 14289 \"/a\\\"b?q=1\""))
        .isEqualTo(
            new Request(
                1795440755_206132L, 157_570, -1, 200, "POST", "shop", "/a\\\"b?q=1", 14289, true));
    assertThat(format.read("1795440755206132 1795440725363702 -29795474 200 GET - shop 1 \"/\""))
        .as("a clock that was set back")
        .isEmpty();
  }

  @Test
  void readsTheTimesOfHaproxyInTheZoneOfItsMachine() {
    String line =
        "Nov 23 13:27:35 vm haproxy[21621]: ::1:37896 [23/Nov/2026:13:27:35.485] site~ app/s1"
            + " 0/0/0/35/+37 200 +2869 - - CD-- 41/38/11/11/0 0/0 {|a b [c] d/e}"
            + " \"GET /item/60?size=2795 HTTP/1.1\"";

    Request request = read(new HaproxyFormat(ZoneOffset.ofHours(1)), line);

    assertThat(request.startMicros())
        .isEqualTo(
            1_000_000 * java.time.Instant.parse("2026-11-23T12:27:35Z").getEpochSecond() + 485_000);
    assertThat(request.durationMicros()).isEqualTo(37_000);
    assertThat(request.upstreamMicros()).isEqualTo(35_000);
    assertThat(request.method()).isEqualTo("GET");
    assertThat(request.path()).isEqualTo("/item/60?size=2795");
    assertThat(request.aborted()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "s, 0.016, 16000",
    "s, 1.5e-05, 15",
    "ms, 35, 35000",
    "ms, 0.4996, 500",
    "us, 157570, 157570",
    "ns, 81547946, 81548"
  })
  void convertsDurations(String unit, String text, long micros) {
    assertThat(Unit.named(unit).micros(text, 0, text.length())).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "-1", "1.2.3", "0x10", "1,5", "NaN", "99999999999999999999"})
  void refusesWhatIsNoDuration(String text) {
    assertThat(Unit.SECONDS.micros(text, 0, text.length())).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1795440155.25",
        "1795440155250",
        "1795440155250000",
        "1795440155250000000",
        "2026-11-23T13:22:35.25Z",
        "2026-11-23 14:22:35.250+0100",
        "2026-11-23T14:22:35.250+01:00"
      })
  void readsPointsInTime(String text) {
    assertThat(Unit.STAMP.micros(text, 0, text.length())).isEqualTo(1795440155_250000L);
  }

  @Test
  void readsThePathAndHostOfAnAbsoluteTarget() {
    LineFormat format = LineFormats.named("haproxy").at(ZoneOffset.UTC);
    String line =
        "192.0.2.9:4000 [20/Nov/2026:10:00:00.027] https~ web/web1 0/0/1/37/38 200 1200 - - ----"
            + " 9/9/0/0/0 0/0 \"GET %s HTTP/2.0\"";
    Request request = read(format, line.formatted("https://www.example.org/shop/item?u=http://a/"));
    assertThat(request.path()).isEqualTo("/shop/item?u=http://a/");
    assertThat(request.host()).isEqualTo("www.example.org");
    assertThat(read(format, line.formatted("https://www.example.org")).path()).isEqualTo("/");
    assertThat(read(format, line.formatted("http://a?q=1")).path()).isEqualTo("/?q=1");
    assertThat(read(format, line.formatted("/go?u=https://b/c")).path())
        .isEqualTo("/go?u=https://b/c");
    assertThat(read(format, line.formatted("*")).path()).isEqualTo("*");
  }

  @Test
  void readsFieldsWhoseOwnNamesHaveDots() {
    LineFormat format =
        new LineFormats(
                "json",
                Optional.empty(),
                Map.of("end", "@timestamp", "duration", "event.duration", "status", "http.a.code"),
                Optional.of("ns"))
            .at(ZoneOffset.UTC);
    String time = "{\"@timestamp\":\"2023-05-11T09:10:11.123Z\",";
    for (String rest :
        List.of(
            "\"event.duration\":1234000,\"http.a.code\":200}",
            "\"event\":{\"duration\":1234000},\"http.a\":{\"code\":200}}",
            "\"event.duration\":null,\"event\":{\"duration\":1234000},\"http\":{\"a.code\":200}}",
            "\"event\\u002eduration\":1234000,\"x.y\":{\"z.z\":[1,{}]},\"http\":{\"a\":{\"code\":200}}}")) {
      assertThat(read(format, time + rest).durationMicros()).isEqualTo(1234);
    }
    assertThat(format.read(time + "\"event.duration.x\":1,\"http.a.code\":200}")).isEmpty();
  }

  @Test
  void understandsNoLineOfAnotherFormatThanTheOneNamed() {
    LineFormat format = LineFormats.named("nginx").at(ZoneOffset.UTC);
    // With $connection_requests and $remote_addr after the bytes, and X-Forwarded-For quoted first.
    assertThat(format.read("1795440755.207 0.016 0.015 200 GET a 630 7 192.0.2.1 \"-\" \"/img\""))
        .isEmpty();
    // With $bytes_sent in the place of $upstream_response_time's text.
    assertThat(format.read("1795440755.207 0.016 web1:80 200 GET a 630 \"/img\"")).isEmpty();
    assertThat(format.read("1795440755.207 0.016 - 200 GET a - \"/img\" \"agent\"")).isPresent();
  }

  @Test
  void readsAnyLineByAPattern() {
    LineFormat format =
        new LineFormats(
                "pattern",
                Optional.of("^(?<end>\\S+) (?<path>\\S+) (?<status>\\d+) took (?<duration>\\S+)$"),
                Map.of(),
                Optional.of("ms"))
            .at(ZoneOffset.UTC);

    Request request = read(format, "2026-11-23T13:22:35.250Z /a 200 took 12.5");

    assertThat(request.startMicros()).isEqualTo(1795440155_237500L);
    assertThat(request.durationMicros()).isEqualTo(12_500);
    assertThat(format.read("something else")).isEmpty();
  }

  @Test
  void refusesAFormatWithoutDurationsWithTheLineToAdd() {
    assertThatThrownBy(() -> NginxFormat.of("$remote_addr [$time_local] \"$request\" $status"))
        .hasMessageContaining("has no $request_time; add to nginx: log_format slicewise '$msec");
    assertThatThrownBy(() -> ApacheFormat.of("LogFormat \"%h %t \\\"%r\\\" %>s %T\" common"))
        .hasMessageContaining("has no %D; add to Apache: LogFormat \"%{begin:usec}t");
    assertThatThrownBy(
            () ->
                new LineFormats("json", Optional.empty(), Map.of("end", "ts"), Optional.of("s"))
                    .at(ZoneOffset.UTC))
        .hasMessageStartingWith("has no duration");
    assertThatThrownBy(
            () ->
                new LineFormats(
                        "pattern",
                        Optional.of("(?<end>\\S+) (?<duration>\\S+) (?<status>\\S+)"),
                        Map.of(),
                        Optional.empty())
                    .at(ZoneOffset.UTC))
        .hasMessageStartingWith("needs 'unit'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "apache"})
  void saysWhyACombinedLineIsNotUnderstood(String server) {
    LineFormats formats = LineFormats.named(server);
    LineFormat format = formats.at(ZoneOffset.UTC);

    assertThat(Recorded.lines(server + "-combined.log"))
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(format.read(line)).isEmpty();
              assertThat(formats.why(line))
                  .hasValueSatisfying(why -> assertThat(why).contains("no duration", "slicewise"));
            });
  }

  @Test
  void readsTheAdviceThatItGives() {
    String advice = LineFormats.advice("nginx", "/var/log/nginx/slicewise.log").orElseThrow();
    assertThat(NginxFormat.of(advice.lines().findFirst().orElseThrow()))
        .isEqualTo(LineFormats.named("nginx").at(ZoneOffset.UTC));
    String apache = LineFormats.advice("apache", "/tmp/a").orElseThrow();
    assertThat(ApacheFormat.of(apache.lines().findFirst().orElseThrow()))
        .isEqualTo(LineFormats.named("apache").at(ZoneOffset.UTC));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nginx", "nginx-json", "apache", "haproxy", "caddy"})
  void survivesDamage(String server) {
    LineFormat format = Recorded.format(server);
    Random random = new Random(1);
    for (String line : Recorded.lines(server + ".log")) {
      format.read(line.substring(0, random.nextInt(line.length())));
      char[] damaged = line.toCharArray();
      for (int i = 0; i < 3; i++) {
        damaged[random.nextInt(damaged.length)] = (char) random.nextInt(256);
      }
      format.read(new String(damaged));
      format.read(new String(Arrays.copyOfRange(damaged, damaged.length / 2, damaged.length)));
    }
    assertThat(format.read("")).isEmpty();
    assertThat(format.read("\0\u001b[2J")).isEmpty();
    assertThat(format.read("{".repeat(50_000))).isEmpty();
  }
}
