package io.slicewise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.maven.plugin.surefire.log.api.NullConsoleLogger;
import org.apache.maven.plugins.surefire.report.ReportTestSuite;
import org.apache.maven.plugins.surefire.report.TestSuiteXmlParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Protects the time of the first layer: a class that takes longer than the limit is listed with its
 * reason. The seconds in the list are those of a quiet machine with two cores. The wall clock of
 * one run proves little (a class that starts beside three others takes four times its seconds), so
 * a class above the limit is named, and only one far above it fails, by a limit that the median of
 * how much slower the listed classes were today scales.
 */
@Tag("packaged")
class SlowClassesTest {
  private static final double LIMIT = 15;
  private static final double FAR_ABOVE = 4 * LIMIT;
  private static final int ENOUGH = 5;
  private static final Path HOME = Path.of(System.getProperty("slicewise.home"));
  private static final Pattern ROW = Pattern.compile("(\\S+) +(\\d+) +(\\S.*)");

  /** Seconds of each class of this build's first layer, by full name. */
  private static final Map<String, Double> MEASURED = new TreeMap<>();

  @BeforeAll
  static void readReports() throws Exception {
    TestSuiteXmlParser parser = new TestSuiteXmlParser(new NullConsoleLogger());
    for (Path report : reports()) {
      for (ReportTestSuite suite : parser.parse(report.toString())) {
        MEASURED.merge(suite.getFullClassName(), (double) suite.getTimeElapsed(), Math::max);
      }
    }
  }

  private static List<Path> reports() throws IOException {
    try (Stream<Path> files = Files.list(HOME.resolve("target/surefire-reports"))) {
      return files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml")).toList();
    }
  }

  private static Map<String, Double> listed() throws IOException {
    return Files.readAllLines(HOME.resolve("src/test/resources/slow-classes.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(ROW::matcher)
        .peek(row -> assertThat(row.matches()).as("class, seconds and reason in a row").isTrue())
        .collect(
            Collectors.toMap(
                row -> "io.slicewise." + row.group(1), row -> Double.valueOf(row.group(2))));
  }

  @Test
  void listsEveryClassFarAboveTheLimit(TestReporter reporter) throws IOException {
    Map<String, Double> listed = listed();
    double slowness = slowness(listed);
    Map<String, Double> unlisted = new TreeMap<>(MEASURED);
    unlisted.keySet().removeAll(listed.keySet());
    unlisted.values().removeIf(seconds -> seconds <= LIMIT * slowness);
    unlisted.forEach(
        (name, seconds) ->
            reporter.publishEntry("not in slow-classes.txt: " + name, "%.0f s".formatted(seconds)));
    unlisted.values().removeIf(seconds -> seconds <= FAR_ABOVE * slowness);
    assertThat(unlisted)
        .as("classes above %.0f s today; the limit is %.0f s", FAR_ABOVE * slowness, LIMIT)
        .isEmpty();
  }

  /** How much slower than recorded the listed classes were; 1 at least. */
  private static double slowness(Map<String, Double> listed) {
    double[] ratios =
        listed.entrySet().stream()
            .filter(row -> MEASURED.containsKey(row.getKey()))
            .mapToDouble(row -> MEASURED.get(row.getKey()) / row.getValue())
            .sorted()
            .toArray();
    assumeTrue(ratios.length >= ENOUGH, "the first layer did not run in this build");
    return Math.max(1, ratios[ratios.length / 2]);
  }

  @Test
  void listsOnlyClassesThatExist() throws IOException {
    assertThat(listed().keySet())
        .allSatisfy(
            name ->
                assertThat(HOME.resolve("src/test/java/" + name.replace('.', '/') + ".java"))
                    .isRegularFile());
  }
}
