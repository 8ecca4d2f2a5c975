package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.run.RecordedRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the OpenMetrics of a run: Prometheus' own parsers read them, and find its numbers. */
class OpenMetricsTest {
  private static final String PYTHON = "/usr/bin/python3";

  /** Reads standard input with both parsers, which must agree, and prints the samples as JSON. */
  private static final String PARSE =
      """
      import json, sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families as strict
      from prometheus_client.parser import text_string_to_metric_families as older
      text = sys.stdin.read()
      def read(parser):
        return [[s.name, s.labels, s.value] for f in parser(text) for s in f.samples]
      if read(strict) != read(older):
        sys.exit('the parsers differ')
      print(json.dumps([{'name': n, 'labels': l, 'value': v} for n, l, v in read(strict)]))
      """;

  @TempDir private Path directory;

  private String exposition(String host) {
    RecordedRun recorded =
        RecordedRun.begin(
            directory.resolve("run"), RecordedRun.EXPERIMENT.replace("dom0.example", host));
    int number = 1;
    for (int block = 1; block <= 4; block++) {
      for (int users : new int[] {50, 300}) {
        recorded.trial(number++, "w256", users, block, 400, 200 + block);
        recorded.trial(number++, "w512", users, block, 500, 100 + block);
      }
    }
    String run = recorded.end().root().toString();
    return CommandLines.run("report", run, "--format", "openmetrics").out();
  }

  @Test
  void prometheusReadsCellsEffectsVerdictsAndAge() throws Exception {
    JsonNode samples = parsed(exposition("dom0.example"));
    String cell = "\"profile\":\"w512\",\"users\":\"50\"";
    assertThat(value(samples, "slicewise_cell_response_p95_seconds", cell, "\"estimate\""))
        .isEqualTo(0.1025);
    assertThat(value(samples, "slicewise_cell_response_p95_seconds", cell, "\"low\""))
        .isBetween(0.1, 0.1025);
    assertThat(value(samples, "slicewise_cell_throughput_per_second", cell, "\"estimate\""))
        .isEqualTo(500);
    String effect =
        "\"profile\":\"w512\",\"users\":\"300\",\"metric\":\"p95\",\"kind\":\"primary\"";
    double ratio = value(samples, "slicewise_effect_ratio", effect, "\"estimate\"");
    assertThat(ratio).isBetween(-0.5, -0.48);
    assertThat(value(samples, "slicewise_effect_ratio", effect, "\"high\""))
        .isGreaterThan(ratio)
        .isLessThan(0);
    assertThat(value(samples, "slicewise_effect_verdict", effect, "\"better\"")).isEqualTo(1);
    assertThat(value(samples, "slicewise_effect_verdict", effect, "\"worse\"")).isZero();
    assertThat(value(samples, "slicewise_run_age_seconds", "\"shop\"", "")).isGreaterThan(0);
    assertThat(value(samples, "slicewise_run_state", "\"done\"", "")).isEqualTo(1);
  }

  @Test
  void endsWithItsMarkAndHasNoTimestamps() {
    String text = exposition("dom0.example");
    assertThat(text).endsWith("# EOF\n");
    assertThat(text.lines().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.matches("slicewise_[a-z0-9_]+\\{.*} -?[0-9.]+(E-?\\d+)?"));
  }

  private static double value(JsonNode samples, String name, String one, String other) {
    List<JsonNode> found =
        samples.findParents("labels").stream()
            .filter(sample -> sample.path("name").asText().equals(name))
            .filter(sample -> sample.path("labels").toString().contains(one))
            .filter(sample -> sample.path("labels").toString().contains(other))
            .toList();
    assertThat(found).as("%s %s %s", name, one, other).hasSize(1);
    return found.get(0).path("value").asDouble();
  }

  private static JsonNode parsed(String exposition) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of(PYTHON)) && python("import prometheus_client", "").exit() == 0,
        "no Python client of Prometheus here");
    Ended ended = python(PARSE, exposition);
    assertThat(ended.exit()).as(ended.output()).isZero();
    return Json.mapper().readTree(ended.output());
  }

  private record Ended(int exit, String output) {}

  private static Ended python(String program, String input) throws Exception {
    Process python = new ProcessBuilder(PYTHON, "-c", program).redirectErrorStream(true).start();
    python.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    python.getOutputStream().close();
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(python.waitFor(), output);
  }
}
