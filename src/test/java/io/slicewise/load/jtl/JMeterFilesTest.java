package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what is counted of files that stock JMeter 5.6.3 wrote with its default properties. */
class JMeterFilesTest {
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
