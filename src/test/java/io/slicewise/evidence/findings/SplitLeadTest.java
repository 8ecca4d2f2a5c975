package io.slicewise.evidence.findings;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.run.RecordedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects that a run says it in one sentence, wherever its answer is, when the means of its tables
 * and its verdicts disagree about the best profile.
 */
class SplitLeadTest {
  private static final Path PUBLISHED =
      Path.of("src/test/resources/published/devine-2010-web-app.csv");

  /** Five values with a mean of 0 and a deviation of 1. */
  private static final double[] SHAPE = {-1.2649, -0.6325, 0, 0.6325, 1.2649};

  private static final String SENTENCE =
      "the best throughput is that of credit-256 by means but sedf-2.5 by ratios at 25 users; the"
          + " tables show means, verdicts compare ratios";

  @TempDir private Path directory;

  /** The study's ten profiles at 25 users, five trials each of the published mean and deviation. */
  @Test
  void studyOf2010NamesBothProfilesOnEveryScreen() throws IOException {
    Map<String, double[]> cells = new LinkedHashMap<>();
    for (String line : Files.readAllLines(PUBLISHED)) {
      String[] fields = line.split(",", -1);
      if (fields[3].equals("25") && fields[4].equals("throughput")) {
        cells.put(fields[2], values(Double.parseDouble(fields[7]), Double.parseDouble(fields[8])));
      }
    }
    assertThat(cells).hasSize(10);
    String run = run(cells).toString();
    assertThat(flat(CommandLines.run("report", run).out())).containsOnlyOnce(SENTENCE);
    assertThat(flat(CommandLines.run("recommend", run).out())).containsOnlyOnce(SENTENCE);
    String page = Files.readString(Path.of(run, "report.html"));
    assertThat(page.substring(page.indexOf("id=\"answer\""), page.indexOf("id=\"overview\"")))
        .containsOnlyOnce(SENTENCE);
  }

  @Test
  void agreementSaysNothing() throws IOException {
    Path run = run(Map.of("slow", values(80, 5), "fast", values(120, 5)));
    assertThat(flat(CommandLines.run("report", run.toString()).out())).doesNotContain("by ratios");
    assertThat(flat(CommandLines.run("recommend", run.toString()).out()))
        .doesNotContain("by ratios");
  }

  private static double[] values(double mean, double deviation) {
    double[] values = new double[SHAPE.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = mean + deviation * SHAPE[i];
    }
    return values;
  }

  private Path run(Map<String, double[]> cells) {
    StringBuilder profiles = new StringBuilder();
    int weight = 256;
    for (String name : cells.keySet()) {
      profiles.append(
          "  - {name: %s, scheduler: credit, main: {weight: %d}}%n".formatted(name, weight++));
    }
    RecordedRun run =
        RecordedRun.begin(
            directory.resolve("run"),
            """
            name: study
            host: {address: dom0.example, user: root}
            domains: {main: [web], other: [db]}
            profiles:
            %sworkload: {name: web-app, target: "http://web.example/"}
            users: 25
            repetitions: 5
            goal: highest throughput
            """
                .formatted(profiles));
    List<String> names = new ArrayList<>(cells.keySet());
    int number = 1;
    for (int block = 1; block <= SHAPE.length; block++) {
      for (String name : names) {
        double rate = cells.get(name)[block - 1];
        run.trial(number++, name, 25, block, rate, 25_000 / rate);
      }
    }
    return run.end().root();
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
