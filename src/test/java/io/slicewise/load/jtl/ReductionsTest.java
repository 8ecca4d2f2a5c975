package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects what a user of the room relies on: what counts, when, and under which label. */
class ReductionsTest {
  private static final long T0 = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
  private static final Window FIRST_SECOND =
      new Window(Instant.ofEpochMilli(T0), Instant.ofEpochMilli(T0 + 1000));
  private static final String HEADER =
      "timeStamp,elapsed,label,responseCode,responseMessage,success,bytes,allThreads,Latency\n";
  private static final String SUM =
      "Number of samples in transaction : 2, number of failing samples : 0";

  private static final ReductionOptions BY_LABEL =
      ReductionOptions.standard().counting(ReductionOptions.Counted.TRANSACTIONS_BY_LABEL);

  @TempDir private Path directory;

  @Test
  void countsSamplesThatEndInsideTheWindow() throws IOException {
    Path file =
        file(
            HEADER
                + row(-150, 100, "early")
                + row(-150, 150, "starts before, ends at the start")
                + row(900, 99, "inside")
                + row(900, 100, "ends at the end"));
    Reduction reduction = Reductions.reduce(file, FIRST_SECOND, ReductionOptions.standard());
    assertThat(reduction.byLabel()).containsOnlyKeys("starts before, ends at the start", "inside");
    assertThat(reduction.leftOut().outsideWindow()).isEqualTo(2);
    assertThat(reduction.total().responseTimes().mean()).isCloseTo(124.5, within(1e-12));
    assertThat(reduction.ratePerSecond(reduction.total())).isEqualTo(2.0);
    assertThat(reduction.series()).hasSize(1);
    assertThat(reduction.damage()).isEmpty();
  }

  @Test
  void countsByTimestampWhenAsked() throws IOException {
    Path file = file(HEADER + row(-1, 5, "before") + row(0, 5000, "starts inside"));
    Reduction reduction =
        Reductions.reduce(
            file,
            FIRST_SECOND,
            ReductionOptions.standard().attributed(ReductionOptions.Attribution.BY_TIMESTAMP));
    assertThat(reduction.byLabel()).containsOnlyKeys("starts inside");
  }

  @Test
  void countsEverythingWithoutWindowAndFindsTheWindowItself() throws IOException {
    Path file = file(HEADER + row(1500, 100, "a") + row(0, 2250, "b"));
    Reduction reduction = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(reduction.window())
        .isEqualTo(new Window(Instant.ofEpochMilli(T0), Instant.ofEpochMilli(T0 + 2250)));
    assertThat(reduction.series())
        .extracting(Reduction.Second::samples)
        .containsExactly(0L, 1L, 1L);
    assertThat(reduction.series().get(0).p95Millis()).isNaN();
  }

  @Test
  void countsRequestsBesideTheirTransactionOnce() throws IOException {
    Path file =
        file(
            HEADER
                + row(0, 10, "a")
                + row(0, 20, "b")
                + row(0, 30, "both").replace("OK", '"' + SUM + '"'));
    Reduction requests = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(requests.byLabel()).containsOnlyKeys("a", "b");
    assertThat(requests.leftOut().transactions()).isEqualTo(1);
    Reduction sums =
        Reductions.reduce(
            file, ReductionOptions.standard().counting(ReductionOptions.Counted.TRANSACTIONS));
    assertThat(sums.byLabel()).containsOnlyKeys("both");
    assertThat(sums.leftOut().requests()).isEqualTo(2);
  }

  @Test
  void chosenLabelsAloneMakeTheTotalAndItsSeries() throws IOException {
    Path file = file(HEADER + row(0, 10, "page") + row(20, 1, "script") + row(30, 20, "page"));
    Reduction chosen =
        Reductions.reduce(file, ReductionOptions.standard().totalling(Set.of("page")));
    assertThat(chosen.byLabel()).containsOnlyKeys("page", "script");
    assertThat(chosen.total().samples()).isEqualTo(2);
    assertThat(chosen.total().responseTimes().mean()).isEqualTo(15);
    assertThat(chosen.series()).extracting(Reduction.Second::samples).containsExactly(2L);
  }

  /** No row shows whether it is a request: no message, as of HTTP/2; no URL, as of Taurus. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "timeStamp,elapsed,label,responseMessage,threadName",
        "timeStamp,elapsed,label,threadName"
      })
  void countsRequestsOfMergedGeneratorsThatLookLikeSums(String columns) throws IOException {
    Random random = new Random(67);
    List<String> rows = new ArrayList<>();
    for (int generator = 0; generator < 4; generator++) {
      long time = T0;
      for (int i = 0; i < 300; i++) {
        int elapsed = i % 3 == 2 ? 300 + random.nextInt(900) : 20 + random.nextInt(100);
        rows.add(time + "," + elapsed + "," + (i % 3 == 2 ? "checkout" : "home") + ",Users 1-1");
        time += elapsed;
      }
    }
    Collections.sort(rows);
    String text = String.join("\n", rows) + "\n";
    Reduction reduction =
        Reductions.reduce(
            file(
                columns
                    + "\n"
                    + (columns.contains("Message") ? text.replace(",Users", ",,Users") : text)),
            ReductionOptions.standard());
    assertThat(reduction.total().samples()).isEqualTo(1200);
    assertThat(reduction.byLabel().get("checkout").samples()).isEqualTo(400);
    assertThat(reduction.leftOut().transactions()).isZero();
    assertThat(reduction.doubts())
        .anyMatch(doubt -> doubt.matches("\\d+ rows without message.*: they count as requests"));
  }

  /** The transaction has the message; its request of the same name, of HTTP/2, has none. */
  @Test
  void countsRequestsWithoutMessageThatAreNamedAsTheirTransaction() throws IOException {
    StringBuilder text = new StringBuilder("timeStamp,elapsed,label,responseMessage,threadName\n");
    for (int i = 0; i < 10; i++) {
      long time = T0 + 100L * i;
      text.append(time).append(",20,login,,Users 1-1\n");
      text.append(time).append(",20,login,\"").append(SUM).append("\",Users 1-1\n");
    }
    Reduction reduction = Reductions.reduce(file(text.toString()), ReductionOptions.standard());
    assertThat(reduction.total().samples()).isEqualTo(10);
    assertThat(reduction.leftOut().transactions()).isEqualTo(10);
    assertThat(reduction.doubts()).anyMatch(doubt -> doubt.startsWith("10 rows without message"));
  }

  @Test
  void countsRequestsOnceUnderNestedTransactions() throws IOException {
    Path file =
        file(
            HEADER
                + row(0, 10, "a")
                + row(0, 10, "inner").replace("OK", '"' + SUM.replace('2', '1') + '"')
                + row(20, 20, "b")
                + row(0, 40, "outer").replace("OK", '"' + SUM + '"'));
    Reduction requests = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(requests.byLabel()).containsOnlyKeys("a", "b");
    assertThat(requests.total().samples()).isEqualTo(2);
    assertThat(requests.leftOut().transactions()).isEqualTo(2);
    Reduction sums = Reductions.reduce(file, BY_LABEL);
    assertThat(sums.byLabel()).containsOnlyKeys("inner", "outer");
    assertThat(sums.total().samples()).isEqualTo(2);
    assertThat(sums.total().responseTimes().mean())
        .isEqualTo(requests.total().responseTimes().mean());
    assertThat(sums.series()).isEqualTo(requests.series());
    assertThat(sums.leftOut().requests()).isEqualTo(2);
  }

  @Test
  void countsRequestsOnceInsideNestedParentSamples() throws IOException {
    Path file =
        file(
            "<testResults version=\"1.2\">\n"
                + element("sample", 40, "outer", SUM)
                + ">\n"
                + element("sample", 10, "inner", SUM.replace('2', '1'))
                + ">\n"
                + element("httpSample", 10, "a", "OK")
                + "/>\n</sample>\n"
                + element("httpSample", 20, "b", "OK")
                + "/>\n</sample>\n</testResults>\n");
    Reduction sums = Reductions.reduce(file, BY_LABEL);
    assertThat(sums.byLabel()).containsOnlyKeys("inner", "outer");
    assertThat(sums.total().samples()).isEqualTo(2);
    assertThat(sums.total().responseTimes().largest()).isEqualTo(20);
    Reduction outermost =
        Reductions.reduce(
            file, ReductionOptions.standard().counting(ReductionOptions.Counted.TRANSACTIONS));
    assertThat(outermost.byLabel()).containsOnlyKeys("outer");
    assertThat(outermost.total().samples()).isEqualTo(1);
  }

  @Test
  void countsSumsAloneWhereAParentSampleHidesItsRequests() throws IOException {
    Path file = file(HEADER + row(0, 30, "parent").replace("OK", '"' + SUM + '"'));
    Reduction sums =
        Reductions.reduce(
            file, ReductionOptions.standard().counting(ReductionOptions.Counted.TRANSACTIONS));
    assertThat(sums.total().samples()).isEqualTo(1);
    assertThat(Reductions.reduce(file, BY_LABEL).total()).isEqualTo(sums.total());
    Reduction requests = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(requests.total().samples()).isZero();
    assertThat(requests.leftOut().transactions()).isEqualTo(1);
  }

  @Test
  void countsRequestsInsideTheirTransactionButNoSubResults() throws IOException {
    String xml =
        "<testResults version=\"1.2\">\n"
            + element("sample", 30, "both", SUM)
            + ">\n"
            + element("httpSample", 20, "page", "OK")
            + ">\n"
            + element("httpSample", 5, "picture", "OK")
            + "/>\n</httpSample>\n</sample>\n"
            + element("sample", 7, "alone", "OK")
            + "/>\n</testResults>\n";
    Path file = file(xml);
    assertThat(Reductions.reduce(file, ReductionOptions.standard()).byLabel())
        .containsOnlyKeys("page", "alone");
    Reduction sums =
        Reductions.reduce(
            file, ReductionOptions.standard().counting(ReductionOptions.Counted.TRANSACTIONS));
    assertThat(sums.byLabel()).containsOnlyKeys("both");
  }

  /** As plug-ins write theirs; their contents are parts of them. */
  @Test
  void countsSamplesOfOtherNamesWithBothTimes() throws IOException {
    String inner = element("httpSample", 5, "inner", "OK") + "/>\n";
    String child = "<responseHeader class=\"java.lang.String\">t=\"1\"</responseHeader>\n";
    Path file =
        file(
            "<testResults version=\"1.2\">\n"
                + element("httpSample", 10, "page", "OK")
                + "/>\n"
                + element("com.example.WebSample", 20, "web", "")
                + ">\n"
                + child
                + "</com.example.WebSample>\n"
                + element("com.example.WebSample", 20, "web", "OK")
                + ">\n"
                + inner
                + child
                + "</com.example.WebSample>\n"
                + element("customSample", 30, "custom", "OK")
                + "/>\n</testResults>\n");
    Reduction reduction = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(reduction.byLabel()).containsOnlyKeys("page", "web", "custom");
    assertThat(reduction.byLabel().get("web").samples()).isEqualTo(2);
    assertThat(reduction.damage()).isEmpty();
  }

  @Test
  void readsTheAttributesOf2010() throws IOException {
    Path file =
        file(
            "<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">\n"
                + "<httpSample t=\"69\" lt=\"66\" ts=\"1269000000000\" s=\"false\""
                + " lb=\"/shop?a=1&amp;b=2\" rc=\"500\" rm=\"OK\" tn=\"tg 1-2\" dt=\"text\""
                + " by=\"5103\"/>\n</testResults>\n");
    SampleSummary summary =
        Reductions.reduce(file, ReductionOptions.standard()).byLabel().get("/shop?a=1&b=2");
    assertThat(summary.errors()).isEqualTo(Map.of("500", 1L));
    assertThat(summary.receivedBytes()).isEqualTo(5103);
    assertThat(summary.latencies().largest()).isEqualTo(66);
  }

  @Test
  void readsFormattedDatesInTheirZone() throws IOException {
    Path file = file(HEADER + "2026/11/20 12:00:00.250,7,a,200,OK,true,1,1,1\n");
    Reduction reduction =
        Reductions.reduce(file, ReductionOptions.standard().inZone(ZoneOffset.ofHours(2)));
    assertThat(reduction.window().start()).isEqualTo(Instant.ofEpochMilli(T0 + 250));
  }

  @Test
  void readsAFileWithoutHeaderByTheColumnsGiven() throws IOException {
    Path file = file("a," + T0 + ",7\nb," + T0 + ",9\n");
    ReductionOptions options =
        ReductionOptions.standard().withColumns(List.of("label", "timeStamp", "elapsed"));
    assertThat(Reductions.reduce(file, options).byLabel()).containsOnlyKeys("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {",", ";", "|", "\t"})
  void readsAFileWithoutHeaderByTheDelimiterThatFits(String delimiter) throws IOException {
    Path file = file((T0 + ",7,\"a, b\",ok\n" + T0 + ",9,c,ok\n").replace(",", delimiter));
    ReductionOptions options =
        ReductionOptions.standard()
            .withColumns(List.of("timeStamp", "elapsed", "label", "responseMessage"));
    assertThat(Reductions.reduce(file, options).total().samples()).isEqualTo(2);
  }

  @Test
  void keepsExactSumsWhereSquaresDoNotFitInALong() throws IOException {
    StringBuilder text = new StringBuilder("timeStamp,elapsed\n");
    for (int i = 0; i < 2000; i++) {
      text.append(T0).append(',').append(i % 2 == 0 ? 86_400_000 : 86_399_998).append('\n');
    }
    SampleSummary total =
        Reductions.reduce(file(text.toString()), ReductionOptions.standard()).total();
    assertThat(total.responseTimes().mean()).isEqualTo(86_399_999.0);
    assertThat(total.responseTimes().deviation())
        .isCloseTo(Math.sqrt(2000 / 1999.0), within(1e-12));
    assertThat(total.responseTimes().smallest()).isEqualTo(86_399_998);
  }

  @Test
  void givesPercentilesOfSlowSamplesExactlyOrToTheDigitsKnown() throws IOException {
    StringBuilder few = new StringBuilder("timeStamp,elapsed\n");
    StringBuilder many = new StringBuilder("timeStamp,elapsed\n");
    for (int i = 0; i <= SlowTimes.MOST_VALUES; i++) {
      few.append(T0).append(',').append(123_457 + i % 1000).append('\n');
      many.append(T0).append(',').append(123_457 + i).append('\n');
    }
    Distribution exact =
        Reductions.reduce(file(few.toString()), ReductionOptions.standard())
            .total()
            .responseTimes();
    assertThat(exact.percentile(1)).isEqualTo(123_466);
    Distribution rounded =
        Reductions.reduce(file(many.toString()), ReductionOptions.standard())
            .total()
            .responseTimes();
    assertThat(rounded.percentile(99)).isEqualTo(156_000);
  }

  @Test
  void asksForTheUnitWhereAllDurationsAreTooLong() throws IOException {
    Path file = file("timeStamp,elapsed\n" + T0 + ",2147483648\n");
    assertThatThrownBy(() -> Reductions.reduce(file, ReductionOptions.standard()))
        .hasMessageContaining("duration above 24 hours")
        .extracting(fault -> ((SlicewiseException) fault).hint())
        .isEqualTo("Durations are read as milliseconds; check their unit.");
  }

  @Test
  void answersNoSamplesForAWindowOfAFileWithoutAny() throws IOException {
    assertThat(
            Reductions.reduce(file(HEADER), FIRST_SECOND, ReductionOptions.standard())
                .total()
                .samples())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "timeStamp,elapsed,label\\n|it has no rows|Name a result file",
        "timeStamp,elapsed\\r1790000000000,5\\r|carriage returns alone|Convert the line ends",
        "<testResults>\\n</testResults>|it has no rows|Name a result file",
        "<testResults version=\"1.2\"/>\\n|its root element has none|Samples need",
        "<?xml version=\"1.0\"?>\\n"
            + "<testsuite a=\"1\">\\n"
            + "<testcase/></testsuite>|its root element is testsuite and not testResults|Name a"
            + " result file",
        "timeStamp,elapsed,label\\n1790000000000,5,a\\,b\\n|too many fields|needs the header's 3",
        "1790000000000,5,a\\n|too few fields|For a CSV file without a header",
        "PK\\3\\4|is a zip archive|(unzip)",
        "\\3757zXZ|is compressed by xz|(unxz)",
        "BZh91AY|is compressed by bzip2|(bunzip2)",
        "PAR1\\25\\4\\25\\r|it is no text|Name a result file"
      })
  void refusesAFileWithoutSamplesAndSaysWhatItIs(String text, String why, String hint)
      throws IOException {
    Path file = Files.createTempFile(directory, "samples", ".jtl");
    Files.writeString(
        file, text.replace("\\,", ",").translateEscapes(), StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> Reductions.reduce(file, ReductionOptions.standard()))
        .hasMessageContaining(why)
        .extracting(fault -> ((SlicewiseException) fault).hint())
        .asString()
        .contains(hint);
  }

  @Test
  void doubtsRowsThatAreThereTwiceAndErrorsWithoutTheirColumn() throws IOException {
    String once = T0 + ",5,a,u 1-1\n" + (T0 + 5000) + ",7,a,u 1-2\n";
    String header = "timeStamp,elapsed,label,threadName\n";
    Reduction joined =
        Reductions.reduce(file(header + once + header + once), ReductionOptions.standard());
    assertThat(joined.knowsFailures()).isFalse();
    assertThat(joined.doubts()).anyMatch(doubt -> doubt.startsWith("the first row is repeated"));
    Reduction doubled =
        Reductions.reduce(
            file(header + once.replaceAll("(.*\n)", "$1$1")), ReductionOptions.standard());
    assertThat(doubled.doubts()).anyMatch(doubt -> doubt.startsWith("at least "));
    String plain = header.replace("label", "success") + once.replace(",a,", ",true,");
    assertThat(Reductions.reduce(file(plain), ReductionOptions.standard()).doubts()).isEmpty();
  }

  @Test
  void reportsThePauseBetweenRunsThatWereAppended() throws IOException {
    long days = 60L * 24 * 3600 * 1000;
    Path file = file(HEADER + row(0, 5, "a") + row(900, 5, "a") + row(days, 5, "a"));
    assertThat(Reductions.reduce(file, ReductionOptions.standard()).doubts())
        .singleElement()
        .asString()
        .contains("from 2026-11-20T10:00:00Z to 2027-01-19T10:00:00Z");
  }

  @ParameterizedTest
  @CsvSource({"false,0,1", "false,'',1", "true,30,20", "false,2,", "true,0,"})
  void doubtsTheFailuresOfASumWithoutTheirNumber(String success, String failed, Integer counted)
      throws IOException {
    Reduction reduction =
        Reductions.reduce(
            file(
                "timeStamp,elapsed,label,success,SampleCount,ErrorCount\n%d,90,a,%s,20,%s\n"
                    .formatted(T0, success, failed == null ? "" : failed)),
            ReductionOptions.standard());
    if (counted != null) {
      assertThat(reduction.total().failed()).isEqualTo(counted.intValue());
    }
    assertThat(reduction.doubts().stream().filter(doubt -> doubt.startsWith("how many samples")))
        .hasSize(counted == null ? 0 : 1);
  }

  /** As JMeter's mode=Statistical of distributed tests writes. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "timeStamp,elapsed,label,responseMessage,threadName,success,SampleCount,ErrorCount\\n"
            + "1790000000000,11784,Home,,u 1-1,true,100,0\\n"
            + "1790000001200,11605,Home,,u 1-1,false,100,2\\n"
            + "1790000002400,5724,Home,,u 1-1,true,50,0\\n",
        "<testResults>\\n"
            + "<sample t=\"11784\" ts=\"1790000000000\" s=\"true\" lb=\"Home\" sc=\"100\""
            + " ec=\"0\"/>\\n"
            + "<sample t=\"11605\" ts=\"1790000001200\" s=\"false\" lb=\"Home\" sc=\"100\""
            + " ec=\"2\"/>\\n"
            + "<sample t=\"5724\" ts=\"1790000002400\" s=\"true\" lb=\"Home\" sc=\"50\""
            + " ec=\"0\"/>\\n"
            + "</testResults>\\n"
      })
  void countsTheSamplesThatARowSumsUp(String text) throws IOException {
    Reduction reduction =
        Reductions.reduce(file(text.translateEscapes()), ReductionOptions.standard());
    SampleSummary total = reduction.total();
    assertThat(total.samples()).isEqualTo(250);
    assertThat(total.failed()).isEqualTo(2);
    assertThat(total.responseTimes().mean()).isEqualTo(29113 / 250.0);
    assertThat(total.responseTimes().deviation()).isNaN();
    assertThat(total.percentileMillis(50)).isNaN();
    assertThat(reduction.series())
        .extracting(Reduction.Second::samples)
        .containsExactly(100L, 100L, 50L);
    assertThat(reduction.series()).extracting(Reduction.Second::p95Millis).containsOnly(Double.NaN);
    assertThat(reduction.leftOut().transactions()).isZero();
    assertThat(reduction.doubts()).anyMatch(doubt -> doubt.startsWith("3 rows sum up 250 samples"));
  }

  @Test
  void knowsFailuresByErrorCountAlone() throws IOException {
    Path file = file("timeStamp,elapsed,label,ErrorCount\n" + T0 + ",5,a,0\n" + T0 + ",5,a,1\n");
    Reduction reduction = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(reduction.total().failed()).isEqualTo(1);
    assertThat(reduction.knowsFailures()).isTrue();
  }

  /** The percentile of few samples is one of them. */
  @Test
  void givesThePercentilesOfASecondExactly() throws IOException {
    Path file = file(HEADER + row(0, 536, "a") + row(1000, 539, "a") + row(1000, 777, "a"));
    assertThat(Reductions.reduce(file, ReductionOptions.standard()).series())
        .extracting(Reduction.Second::p95Millis)
        .containsExactly(536.0, 777.0);
  }

  @Test
  void refusesAFileOfWhichNothingCanBeRead() throws IOException {
    Path file = file("not,a\nresult file\n");
    assertThatThrownBy(() -> Reductions.reduce(file, ReductionOptions.standard()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("2 × row with too few fields from line 1");
    Path empty = file("");
    assertThatThrownBy(() -> Reductions.reduce(empty, ReductionOptions.standard()))
        .hasMessageContaining("it is empty");
  }

  @Test
  void refusesADocumentTypeAndReadsNoFileItNames() throws IOException {
    Path secret = file("secret");
    Path file =
        file(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE testResults [<!ENTITY x SYSTEM \""
                + secret.toUri()
                + "\">]>\n<testResults>\n"
                + element("sample", 1, "&x;", "OK")
                + "/>\n</testResults>\n");
    assertThatThrownBy(() -> Reductions.reduce(file, ReductionOptions.standard()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("document type");
  }

  private static String row(long start, long elapsed, String label) {
    return (T0 + start) + "," + elapsed + ",\"" + label + "\",200,OK,true,5000,3," + elapsed + "\n";
  }

  private static String element(String name, int elapsed, String label, String message) {
    return "<"
        + name
        + " t=\""
        + elapsed
        + "\" ts=\""
        + T0
        + "\" s=\"true\" lb=\""
        + label
        + "\" rm=\""
        + message
        + "\"";
  }

  private Path file(String text) throws IOException {
    Path file = Files.createTempFile(directory, "samples", ".jtl");
    return Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
