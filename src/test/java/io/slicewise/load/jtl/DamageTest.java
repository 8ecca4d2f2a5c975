package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Tally.ErrorCodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the promise that damage is told by kind and line, and that sound rows around it count.
 */
class DamageTest {
  private static final String HEADER = "timeStamp,elapsed,label,success\n";
  private static final String SOUND = "1790000000000,10,a,true\n";

  @TempDir private Path directory;

  @Test
  void tellsARowCutShort() throws IOException {
    found(HEADER + SOUND + "1790000000000,10,a,tr", 1, DamageKind.CUT_ROW, 3);
  }

  @Test
  void tellsARowCutShortInsideQuotes() throws IOException {
    found(HEADER + SOUND + "1790000000000,10,\"a", 1, DamageKind.CUT_ROW, 3);
  }

  /** As editors and other writers leave it; whether a number at its end was cut is not known. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeStamp,elapsed,label,success|1790000000000,10,a,true|0",
        "timeStamp,elapsed,label,success|1790000000000,10,a,\"true\"|0",
        "timeStamp,label,success,elapsed|1790000000000,a,true,10|1"
      })
  void countsACompleteRowWithoutALineEnd(String header, String row, int doubts) throws IOException {
    for (String end : new String[] {"", "\r"}) {
      Path file = directory.resolve("samples.jtl");
      Files.writeString(file, header + "\n" + row.replace(",10", ",30") + "\n" + row + end);
      Reduction reduction = Reductions.reduce(file, ReductionOptions.standard());
      assertThat(reduction.total().samples()).isEqualTo(2);
      assertThat(reduction.total().responseTimes().mean()).isEqualTo(20);
      assertThat(reduction.damage()).isEmpty();
      assertThat(reduction.doubts().stream().filter(doubt -> doubt.contains("no line end")))
          .hasSize(doubts);
    }
  }

  @Test
  void tellsABlockOfNulBytes() throws IOException {
    found(HEADER + SOUND + "\0".repeat(5000) + "\n" + SOUND, 2, DamageKind.NUL_BYTES, 3);
  }

  /** Read before any other timestamp, as at the start of a file without a header. */
  @Test
  void tellsNulBytesAtTheBeginningOfTheFirstTimestamp() throws IOException {
    Path file = directory.resolve("samples.jtl");
    Files.writeString(file, "\0".repeat(8) + "12345,10,a,true\n" + SOUND);
    Reduction reduction =
        Reductions.reduce(
            file,
            ReductionOptions.standard()
                .withColumns(List.of("timeStamp", "elapsed", "label", "success")));
    assertThat(reduction.total().samples()).isEqualTo(1);
    assertThat(reduction.damage())
        .containsExactly(new Reduction.Damage(DamageKind.NUL_BYTES.text(), 1, List.of(1L)));
  }

  @Test
  void tellsTooFewFields() throws IOException {
    found(HEADER + "1790000000000,10\n" + SOUND, 1, DamageKind.TOO_FEW_FIELDS, 2);
  }

  @Test
  void tellsTooManyFields() throws IOException {
    found(HEADER + "1790000000000,10,a,b,true\n" + SOUND, 1, DamageKind.TOO_MANY_FIELDS, 2);
  }

  @Test
  void readsTheRowsThatAnUnclosedQuoteSwallowed() throws IOException {
    String quoted = "1790000000000,10,\"a, b\",true\n";
    found(
        HEADER + "1790000000000,10,\"never closed\n" + SOUND + SOUND + quoted,
        3,
        DamageKind.BAD_QUOTES,
        2);
  }

  @Test
  void tellsUnreadableNumbers() throws IOException {
    found(HEADER + "1790000000000,ten,a,true\n" + SOUND, 1, DamageKind.BAD_NUMBER, 2);
  }

  @Test
  void tellsNegativeTimes() throws IOException {
    found(HEADER + SOUND + "1790000000000,-10,a,true\n", 1, DamageKind.NEGATIVE, 3);
  }

  @Test
  void tellsAbsurdTimes() throws IOException {
    found(HEADER + "0,10,a,true\n" + SOUND, 1, DamageKind.ABSURD, 2);
  }

  /** JMeter writes this for a malformed URL, for example. */
  @Test
  void tellsFailedSamplesWithoutATime() throws IOException {
    found(HEADER + "0,0,a,false\n" + SOUND, 1, DamageKind.UNTIMED, 2);
    found(HEADER + SOUND + "0,0,a,FALSE", 1, DamageKind.UNTIMED, 3);
    found(
        "label,success,elapsed,timeStamp\n\"a\",false,0,0\na,true,1,1790000000000\n",
        1,
        DamageKind.UNTIMED,
        2);
    found(
        """
        <testResults>
        <httpSample t="0" ts="0" s="false" lb="a"/>
        <httpSample t="1" ts="1790000000000" s="true" lb="a"/>
        </testResults>
        """,
        1,
        DamageKind.UNTIMED,
        2);
    String sum = "0,9,t,false,Number of samples in transaction : 1\n";
    found(
        HEADER.replace("\n", ",responseMessage\n") + sum + SOUND.replace("\n", ",OK\n"),
        1,
        DamageKind.ABSURD,
        2);
    Path file = directory.resolve("samples.jtl");
    Files.writeString(file, HEADER + "0,0,a,false\n");
    assertThatThrownBy(() -> Reductions.reduce(file, ReductionOptions.standard()))
        .hasMessageContaining("contains no readable sample: 1 × failed sample with the time 0");
  }

  @Test
  void tellsDurationsAboveADay() throws IOException {
    found(
        HEADER
            + "1790000000000,86400001,a,true\n1790000000000,2147483648,a,true\n"
            + "1790000000000,99999999999999999999,a,true\n"
            + SOUND,
        1,
        DamageKind.LASTING,
        2,
        3,
        4);
  }

  @Test
  void tellsUnknownSuccess() throws IOException {
    found(HEADER + "1790000000000,10,a,maybe\n" + SOUND, 1, DamageKind.BAD_SUCCESS, 2);
  }

  @Test
  void countsARowWithHalfACharacterAndTellsIt() throws IOException {
    byte[] whole = (HEADER + "1790000000000,10,gr\u00fcn,true\n").getBytes(StandardCharsets.UTF_8);
    byte[] half = new byte[whole.length - 1];
    int second = HEADER.length() + "1790000000000,10,gr".length() + 1;
    System.arraycopy(whole, 0, half, 0, second);
    System.arraycopy(whole, second + 1, half, second, half.length - second);
    found(half, 1, DamageKind.HALF_CHARACTER, 2);
  }

  @Test
  void countsRowsThatGoBackInTimeAndTellsThem() throws IOException {
    found(HEADER + SOUND + "1789999990000,10,a,true\n" + SOUND, 3, DamageKind.BACKWARDS, 3);
  }

  @Test
  void changesColumnsWhereARunWithOthersWasAppended() throws IOException {
    Reduction reduction =
        found(
            HEADER + SOUND + "label,elapsed,timeStamp\nb,10,1790000000000\n",
            2,
            DamageKind.NEW_HEADER,
            3);
    assertThat(reduction.byLabel()).containsOnlyKeys("a", "b");
  }

  @Test
  void tellsARowTooLongToBeOne() throws IOException {
    found(HEADER + "x".repeat(3 << 20) + "\n" + SOUND, 1, DamageKind.TOO_LONG, 2);
  }

  @Test
  void tellsXmlThatWasNotClosed() throws IOException {
    found("<testResults>\n" + sample("t=\"1\"") + "\n", 1, DamageKind.UNCLOSED, 3);
  }

  @Test
  void tellsABrokenTagAndReadsTheNext() throws IOException {
    found(
        "<testResults>\n<sample t=\"1\" lb=\"cut" + sample("t=\"1\"") + "\n</testResults>",
        1,
        DamageKind.BAD_TAG,
        2);
  }

  @Test
  void tellsASampleWithoutTimes() throws IOException {
    found(
        "<testResults>\n" + sample("lb=\"a\"") + sample("t=\"1\"") + "\n</testResults>",
        1,
        DamageKind.BAD_TAG,
        2);
  }

  @Test
  void readsACutGzipAsFarAsItGoes() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      for (int i = 0; i < 20_000; i++) {
        String row = (1_790_000_000_000L + i) + "," + i * 7919 % 4093 + ",a,true\n";
        out.write(((i == 0 ? HEADER : "") + row).getBytes(StandardCharsets.UTF_8));
      }
    }
    Path file = directory.resolve("samples.jtl.gz");
    Files.write(file, Arrays.copyOf(packed.toByteArray(), packed.size() / 2));
    Reduction reduction = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(reduction.total().samples()).isBetween(5_000L, 15_000L);
    assertThat(reduction.damage())
        .extracting(Reduction.Damage::kind)
        .contains(DamageKind.CUT_GZIP.text());
  }

  @Test
  void givesTooManyLabelsOneTallyTogether() throws IOException {
    ReaderLimits limits = new ReaderLimits(1 << 16, 1 << 20, 2, 10, 1000);
    StringBuilder text = new StringBuilder(HEADER);
    for (int i = 0; i < 5; i++) {
      text.append(SOUND.replace(",a,", ",label " + i + ","));
    }
    Path file = Files.writeString(directory.resolve("labels.csv"), text);
    Reduction reduction =
        Reductions.reduce(file, Optional.empty(), ReductionOptions.standard(), limits);
    assertThat(reduction.byLabel()).containsOnlyKeys("label 0", "label 1", LabelTable.OTHERS);
    assertThat(reduction.damage().get(0).firstLines()).containsExactly(4L, 5L, 6L);
  }

  @Test
  void givesTooManyCodesOneCountTogether() throws IOException {
    ReaderLimits limits = new ReaderLimits(1 << 16, 1 << 20, 10, 2, 1000);
    StringBuilder text = new StringBuilder("timeStamp,elapsed,label,responseCode,success\n");
    for (int code = 500; code < 505; code++) {
      text.append("1790000000000,10,a,").append(code).append(",false\n");
    }
    Path file = Files.writeString(directory.resolve("codes.csv"), text);
    Reduction reduction =
        Reductions.reduce(file, Optional.empty(), ReductionOptions.standard(), limits);
    assertThat(reduction.total().errors()).containsEntry(ErrorCodes.OTHERS, 3L);
    assertThat(reduction.damage())
        .containsExactly(
            new Reduction.Damage(DamageKind.MANY_CODES.text(), 3, List.of(4L, 5L, 6L)));
  }

  @Test
  void makesNoSeriesOverYears() throws IOException {
    found(HEADER + SOUND + "1890000000000,10,a,true\n", 2, DamageKind.NO_SERIES, 1);
  }

  private static String sample(String attributes) {
    return "<sample ts=\"1790000000000\" " + attributes + "/>";
  }

  private Reduction found(String text, long samples, DamageKind kind, long... lines)
      throws IOException {
    return found(text.getBytes(StandardCharsets.UTF_8), samples, kind, lines);
  }

  private Reduction found(byte[] bytes, long samples, DamageKind kind, long... lines)
      throws IOException {
    Path file = Files.write(Files.createTempFile(directory, "samples", ".jtl"), bytes);
    Reduction reduction = Reductions.reduce(file, ReductionOptions.standard());
    assertThat(reduction.damage())
        .isEqualTo(
            List.of(
                new Reduction.Damage(
                    kind.text(), lines.length, Arrays.stream(lines).boxed().toList())));
    assertThat(reduction.total().samples()).isEqualTo(samples);
    return reduction;
  }
}
