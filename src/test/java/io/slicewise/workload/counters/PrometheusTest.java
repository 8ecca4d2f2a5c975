package io.slicewise.workload.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.ssh.SshTestServer;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.counters.Counters.Growths;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The way to a metrics server: its address, its login, a tunnel, and every answer that is no data.
 * What a real one answers is in {@link RealPrometheusTest} and {@link SamplesTest}.
 */
class PrometheusTest {
  private static final Pattern RANGE = Pattern.compile("(.*)\\[(\\d+)ms]");
  private static final Map<String, Object> MEAN =
      Map.of("growth", "wait_seconds_sum", "per", "wait_seconds_count", "unit", "s");

  @TempDir private Path directory;

  private HttpServer server;
  private Optional<String> authorization = Optional.empty();
  private Duration ahead = Duration.ZERO;
  private Function<String, String> failing = query -> "";
  private int status = 200;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics/api/v1/query",
        exchange -> {
          authorization =
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"));
          byte[] answer =
              answer(exchange.getRequestURI().getRawQuery()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void end() {
    server.stop(0);
  }

  private String answer(String raw) {
    Map<String, String> parameters = new HashMap<>();
    for (String part : raw.split("&", -1)) {
      int equals = part.indexOf('=');
      parameters.put(
          part.substring(0, equals),
          URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
    }
    String query = parameters.get("query");
    String broken = failing.apply(query);
    if (!broken.isEmpty()) {
      return broken;
    }
    double now = Instant.now().plus(ahead).toEpochMilli() / 1e3;
    if (query.equals("time()")) {
      return Phrase.of(
          "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[%.3f,\"%.3f\"]}}",
          now, now);
    }
    Matcher range = RANGE.matcher(query);
    assertThat(range.matches()).as(query).isTrue();
    double end = Math.min(now, Double.parseDouble(parameters.get("time")));
    double start = end - Integer.parseInt(range.group(2)) / 1e3;
    double factor = range.group(1).startsWith("wait_seconds_sum") ? 0.25 : 1;
    // A sample a second; 10 requests of 0.25 s in each.
    String values =
        IntStream.rangeClosed(0, (int) (end - start))
            .mapToDouble(i -> Math.ceil(start) + i)
            .filter(at -> at <= end)
            .mapToObj(at -> Phrase.of("[%.3f,\"%.2f\"]", at, 10 * factor * (at - 1.7e9)))
            .collect(Collectors.joining(","));
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{},\"values\":["
        + values
        + "]}]}}";
  }

  private Workload workload(Map<String, Object> server, Map<String, Object> measures) {
    return Workloads.of(
        "prometheus",
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Map.of("server", server, "measures", measures));
  }

  private Map<String, Object> address() {
    Map<String, Object> all = new HashMap<>();
    all.put("url", "http://127.0.0.1:%d/metrics".formatted(server.getAddress().getPort()));
    return all;
  }

  private static Growths look(Workload workload) {
    try (Counters counters = workload.counters().orElseThrow()) {
      assertThat(counters.complaint()).isEmpty();
      return counters.look(Duration.ofSeconds(30));
    }
  }

  private static void assertMean(Growths seen) {
    assertThat(seen.faults()).isEmpty();
    assertThat(seen.measures().get(0).value()).isCloseTo(0.25, within(1e-6));
    assertThat(seen.raw().lines()).hasSizeGreaterThan(50);
  }

  @Test
  void readsAWindowThatIsOver() {
    assertMean(look(workload(address(), Map.of("mean", MEAN))));
    Growths rate =
        look(
            workload(
                address(),
                Map.of("rate", Map.of("growth", "wait_seconds_count{job=\"a\",x=~\"b|c\"}"))));
    assertThat(rate.measures().get(0).value()).isCloseTo(10, within(1e-6));
    assertThat(authorization).isEmpty();
  }

  @Test
  void asksByTheServersClock() {
    ahead = Duration.ofSeconds(50);
    assertMean(look(workload(address(), Map.of("mean", MEAN))));
    ahead = Duration.ofSeconds(70);
    assertThat(workload(address(), Map.of("mean", MEAN)).complaint().orElseThrow())
        .containsPattern("\\+7[0-9] s")
        .contains("more than a minute");
  }

  @Test
  void isVoidIfAClockWasSet() {
    try (Counters counters = workload(address(), Map.of("mean", MEAN)).counters().orElseThrow()) {
      assertThat(counters.complaint()).isEmpty();
      counters.begin();
      Instant began = Instant.now();
      ahead = Duration.ofSeconds(-3);
      Counters.Reading reading = counters.end();
      assertThat(reading.isKnown()).isFalse();
      assertThat(reading.in(new Window(began, Instant.now())).faults())
          .anyMatch(fault -> fault.contains("a clock was set"));
    }
  }

  @ParameterizedTest
  @CsvSource({"40, 0, true", "0, 5, false"})
  void isVoidWhileItMayHaveStampsFromBeforeTheClockWasSetBack(
      long before, long after, boolean isVoid) {
    ahead = Duration.ofSeconds(before);
    try (Counters counters = workload(address(), Map.of("mean", MEAN)).counters().orElseThrow()) {
      assertThat(counters.complaint()).isEmpty();
      ahead = Duration.ofSeconds(after);
      counters.begin();
      Instant began = Instant.now();
      Growths seen = counters.end().in(new Window(began, Instant.now()));
      assertThat(seen.faults().stream().anyMatch(fault -> fault.contains("a clock was set")))
          .isEqualTo(isVoid);
    }
  }

  @Test
  void signsInWithASecretThatIsInNoText() throws IOException {
    Map<String, Object> login = address();
    login.put("secret-file", Files.writeString(directory.resolve("token"), "t0k3n\n").toString());
    assertMean(look(workload(login, Map.of("mean", MEAN))));
    assertThat(authorization).contains("Bearer t0k3n");
    login.put("login", "me");
    assertMean(look(workload(login, Map.of("mean", MEAN))));
    assertThat(authorization).contains("Basic bWU6dDBrM24=");
    status = 401;
    assertThat(workload(login, Map.of("mean", MEAN)).complaint().orElseThrow())
        .contains("refuses the login")
        .doesNotContain("t0k3n");
  }

  @Test
  void goesThroughATunnelAndOpensItAgain() throws Exception {
    try (SshTestServer machine = SshTestServer.start(directory)) {
      Map<String, Object> there = address();
      there.put("machine", machine.connection().address());
      there.put("user", machine.connection().login().user().orElseThrow());
      there.put("port", (long) machine.connection().login().port().orElseThrow());
      there.put("identity", machine.connection().login().identity().orElseThrow().toString());
      there.put("known-hosts", machine.connection().login().knownHosts().orElseThrow().toString());
      Workload workload = workload(there, Map.of("mean", MEAN));
      assertMean(look(workload));
      there.put("url", "https://127.0.0.1/");
      assertThatThrownBy(() -> workload(there, Map.of("mean", MEAN)))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("through a tunnel");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"status\":\"error\",\"error\":\"too \\u001b[31mmany\"} | answers with status 200: too",
        "<html>      | something else than JSON",
        "{\"status\":\"success\",\"warnings\":[\"half\"]} | only a part of the answer: half",
        "{\"status\":\"success\",\"data\":{\"result\":[]}} | does not show its clock"
      })
  void isNoDataWhateverElseItAnswers(String answer, String sentence) {
    Workload workload = workload(address(), Map.of("mean", MEAN));
    try (Counters counters = workload.counters().orElseThrow()) {
      failing = query -> answer;
      assertThat(counters.complaint().orElseThrow()).contains(sentence).doesNotContain("\u001b");
      Growths seen = counters.look(Duration.ofSeconds(30));
      assertThat(seen.faults()).singleElement().asString().contains(sentence);
      assertThat(seen.measures()).allMatch(measure -> Double.isNaN(measure.value()));
    }
  }

  @Test
  void saysWhatHasNoSampleAndWhatDoesNotAnswer() {
    failing =
        query -> query.equals("time()") ? "" : "{\"status\":\"success\",\"data\":{\"result\":[]}}";
    Workload workload = workload(address(), Map.of("mean", MEAN));
    assertThat(workload.complaint().orElseThrow()).contains("no sample in the last 5 minutes");
    end();
    assertThat(workload.complaint().orElseThrow()).contains("does not answer", "/metrics");
  }

  @Test
  void knowsNoMeasureWithTwoMeanings() {
    assertThatThrownBy(
            () ->
                workload(
                    address(),
                    Map.of("p95", Map.of("growth", "a_bucket", "per", "b", "percentile", 95))))
        .hasMessageContaining("both 'per' and 'percentile'");
    assertThatThrownBy(() -> workload(address(), Map.of())).hasMessageContaining("'measures'");
    assertThat(List.of(workload(address(), Map.of("mean", MEAN)).counters()))
        .allMatch(Optional::isPresent);
  }
}
