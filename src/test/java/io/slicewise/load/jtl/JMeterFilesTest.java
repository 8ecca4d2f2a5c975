package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Protects what is counted of files that stock JMeter 5.6.3 wrote with its default properties. */
class JMeterFilesTest {
  private static final Map<String, Long> LATE_PARTS =
      Map.of("page", 15L, "redirect", 11L, "plain", 10L);

  @TempDir private Path directory;

  /** The plan has requests named item-1 and item-2, and one named item that is redirected. */
  @Test
  void countsARedirectedRequestOnceEvenBesideRequestsNamedLikeItsParts() throws Exception {
    Reduction reduction = reduce(file("sub-results.csv"));
    assertThat(samples(reduction)).isEqualTo(Map.of("item-1", 12L, "item-2", 12L, "item", 12L));
    assertThat(reduction.leftOut().parts()).isEqualTo(23);
    assertThat(reduction.doubts()).isEmpty();
  }

  @Test
  void recognizesSumsWithoutMessageWhereThreadsEnded() throws Exception {
    for (int threads : new int[] {1, 3}) {
      Reduction reduction =
          Reductions.reduce(
              file("parent-samples.csv"), ReductionOptions.standard().onThreads(threads));
      assertThat(samples(reduction)).isEqualTo(Map.of("home", 31L, "redirect", 31L, "last", 29L));
      assertThat(reduction.leftOut().transactions()).isEqualTo(31);
      assertThat(reduction.leftOut().inferred()).isEqualTo(4);
    }
  }

  @Test
  void looksForTheRequestsInsideAnElementWithoutMessage() throws Exception {
    Reduction reduction = reduce(file("parent-samples.xml"));
    assertThat(samples(reduction)).isEqualTo(Map.of("home", 21L, "redirect", 21L, "last", 21L));
    assertThat(reduction.leftOut().inferred()).isEqualTo(3);
  }

  @Test
  void recognizesSumsByTimeWhereNoColumnHasTheMessage() throws Exception {
    Reduction reduction = reduce(file("no-messages.csv"));
    assertThat(samples(reduction)).containsOnlyKeys("home", "redirect", "err", "alone");
    assertThat(reduction.total().samples()).isEqualTo(57);
    assertThat(reduction.leftOut().inferred()).isEqualTo(14);
  }

  @Test
  void saysWhatCannotBeDecidedWithoutThreads() throws Exception {
    assertThat(reduce(file("no-threads.csv")).doubts())
        .hasSize(2)
        .anyMatch(doubt -> doubt.startsWith("sums of transaction controllers cannot be recognized"))
        .anyMatch(doubt -> doubt.startsWith("22 rows are named as parts of a request"));
  }

  @Test
  void makesNoTotalOfTheFewRequestsBesideSums() throws Exception {
    Path sums = file("parent-samples-alone.csv");
    String text = Files.readString(sums);
    Path oneMore =
        Files.writeString(
            directory.resolve("one-more.csv"),
            text
                + text.lines()
                    .reduce((before, last) -> last)
                    .orElseThrow()
                    .replaceFirst(",buy,200,.*,Users 1-([0-9]),,", ",x,200,OK,Users 1-$1,text,")
                + "\n");
    for (Path file : new Path[] {sums, oneMore}) {
      Reduction requests = reduce(file);
      assertThatThrownBy(() -> requests.ofRequests(file, "hint"))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("27 sums of transaction controllers, but only");
      assertThat(
              Reductions.reduce(
                      file,
                      ReductionOptions.standard()
                          .counting(ReductionOptions.Counted.TRANSACTIONS_BY_LABEL))
                  .total()
                  .samples())
          .isEqualTo(27);
    }
  }

  /** JMeter rounds starts and lengths separately; the numbers are those of its XML file. */
  @Test
  void countsNoPartAsARequestThatEndsAMillisecondAfterIt() throws Exception {
    Reduction reduction = reduce(file("late-parts.csv"));
    assertThat(samples(reduction)).isEqualTo(LATE_PARTS);
    assertThat(reduction.leftOut().parts()).isEqualTo(115);
    assertThat(reduction.leftOut().overlaps().count()).isZero();
    assertThat(reduction.doubts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yyyy/MM/dd HH:mm:ss.SSS",
        "yyyy-MM-dd HH:mm:ss,SSS",
        "yyyy-MM-dd'T'HH:mm:ss.SSSXX",
        "dd.MM.yyyy HH:mm:ss.SSS",
        "MM/dd/yyyy HH:mm:ss.SSS"
      })
  void readsDates(String pattern) throws Exception {
    Reduction reduction = reduce(rewritten(pattern, ','));
    assertThat(samples(reduction)).isEqualTo(LATE_PARTS);
    assertThat(reduction.doubts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"yyyy/MM/dd HH:mm:ss", "dd.MM.yyyy HH:mm:ss"})
  void countsPartsByOrderWhereStampsAreWholeSecondsAndSaysSo(String pattern) throws Exception {
    Reduction reduction = reduce(rewritten(pattern, ','));
    assertThat(samples(reduction)).isEqualTo(LATE_PARTS);
    assertThat(reduction.doubts())
        .hasSize(2)
        .anyMatch(doubt -> doubt.startsWith("timestamps are whole seconds: "))
        .anyMatch(doubt -> doubt.startsWith("115 rows are parts of the request above them by"));
  }

  @ParameterizedTest
  @ValueSource(chars = {';', '\t', '|', '^', ':', ' ', '~'})
  void readsAnyDelimiter(char delimiter) throws Exception {
    assertThat(samples(reduce(rewritten("yyyy/MM/dd HH:mm:ss.SSS", delimiter))))
        .isEqualTo(LATE_PARTS);
  }

  @Test
  void saysWhichStampsItReadsAndWhichItReadsOneWayOfTwo() throws Exception {
    Path unreadable = rewritten("EEE dd MMM HH:mm:ss", ',');
    assertThatThrownBy(() -> reduce(unreadable))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("151 × row with an unreadable timestamp from line 2")
        .satisfies(
            fault ->
                assertThat(((SlicewiseException) fault).hint())
                    .startsWith(
                        "Timestamps are milliseconds since 1970 or dates such as 2026-11-20"));
    Path either =
        Files.writeString(
            directory.resolve("either.csv"),
            "timeStamp,elapsed,label\n03/04/2026 10:00:00.000,5,a\n");
    assertThat(reduce(either).doubts())
        .contains("1 timestamps are read as month/day/year and could be day/month/year");
  }

  @Test
  void refusesATotalOfMergedFilesWithEqualThreadNames() throws Exception {
    List<String> lines = Files.readAllLines(file("late-parts.csv"));
    Comparator<String> byTime = Comparator.comparing(line -> line.substring(0, 13));
    List<String> rows =
        Stream.concat(
                lines.stream().skip(1),
                lines.stream()
                    .skip(1)
                    .map(line -> (Long.parseLong(line.substring(0, 13)) + 37) + line.substring(13)))
            .sorted(byTime)
            .toList();
    Path merged = Files.writeString(directory.resolve("merged.csv"), lines.get(0) + "\n");
    Files.write(merged, rows, StandardOpenOption.APPEND);
    Reduction reduction = reduce(merged);
    assertThat(reduction.doubts())
        .anyMatch(doubt -> doubt.contains("begin before the previous one of their thread"));
    assertThatThrownBy(() -> reduction.ofRequests(merged, "hint"))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("requests begin before the previous one of their thread has ended");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ISO-8859-1", "UTF-16", "windows-1252", "UTF-8"})
  void readsTheEncodingThatAnXmlFileDeclares(String encoding) throws Exception {
    Path plain =
        Files.write(
            directory.resolve("encoded.xml"), xml(encoding).getBytes(Charset.forName(encoding)));
    Path gzipped = directory.resolve("encoded.xml.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzipped))) {
      Files.copy(plain, out);
    }
    for (Path file : List.of(plain, gzipped)) {
      Reduction reduction = reduce(file);
      assertThat(samples(reduction)).isEqualTo(Map.of("Größe", 1L));
      assertThat(reduction.damage()).isEmpty();
    }
  }

  @Test
  void refusesAnEncodingThatNobodyKnows() throws Exception {
    Path file = Files.writeString(directory.resolve("unknown.xml"), xml("klingon-1"));
    assertThatThrownBy(() -> reduce(file))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("the XML declares the encoding 'klingon-1', which is unknown");
  }

  private static String xml(String encoding) {
    return """
    <?xml version="1.0" encoding="%s"?>
    <testResults version="1.2">
    <httpSample t="5" ts="1790000000000" s="true" lb="Größe" rc="200" rm="OK"/>
    </testResults>
    """
        .formatted(encoding);
  }

  /** The file with late parts, as JMeter writes it with another pattern and delimiter. */
  private Path rewritten(String pattern, char delimiter) throws Exception {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneId.systemDefault());
    Path file = directory.resolve("rewritten.csv");
    try (CsvWriter writer = CsvWriter.builder().fieldSeparator(delimiter).build(file)) {
      List<String> lines = Files.readAllLines(file("late-parts.csv"));
      writer.writeRecord(lines.get(0).split(","));
      for (String line : lines.subList(1, lines.size())) {
        String[] fields = line.split(",", -1);
        fields[0] = format.format(Instant.ofEpochMilli(Long.parseLong(fields[0])));
        writer.writeRecord(fields);
      }
    }
    return file;
  }

  private static Map<String, Long> samples(Reduction reduction) {
    return reduction.labels().stream()
        .collect(Collectors.toMap(SampleSummary::label, SampleSummary::samples));
  }

  private static Reduction reduce(Path file) {
    return Reductions.reduce(file, ReductionOptions.standard());
  }

  private static Path file(String name) throws IOException, URISyntaxException {
    return Path.of(JMeterFilesTest.class.getResource("/jmeter-5.6.3/" + name).toURI());
  }
}
