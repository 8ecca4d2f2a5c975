package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import io.slicewise.load.jtl.GeneratorSamples.SamplesThere;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the reduction of several generators' files: it is that of one file with all samples,
 * whatever the clocks that wrote them.
 */
class SeveralGeneratorsTest {
  private static final long START = 1_700_000_000_000L;
  private static final Duration AHEAD = Duration.ofMillis(3_600_123);
  private static final Window WINDOW =
      new Window(Instant.ofEpochMilli(START), Instant.ofEpochMilli(START + 5_000));
  private static final String HEADER =
      "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,Latency,allThreads\n";

  @TempDir private Path directory;

  private static String row(Random random, long at, long shift, int threads) {
    boolean failed = random.nextInt(10) == 0;
    return "%d,%d,%s,%s,OK,user %d,%s,%d,%d,%d\n"
        .formatted(
            at + shift,
            random.nextInt(50) == 0 ? 8_000 + random.nextInt(60_000) : random.nextInt(900),
            random.nextBoolean() ? "page" : "form",
            failed ? "500" : "200",
            random.nextInt(3),
            !failed,
            random.nextInt(5000),
            random.nextInt(400),
            threads);
  }

  private Path file(String name, String rows) throws IOException {
    return Files.writeString(directory.resolve(name), HEADER + rows);
  }

  @Test
  void severalFilesAreReducedAsOneWithAllTheirSamples() throws IOException {
    StringBuilder all = new StringBuilder();
    StringBuilder here = new StringBuilder();
    StringBuilder there = new StringBuilder();
    Random same = new Random(7);
    for (long at = START - 1_000; at < START + 6_000; at += 3) {
      long seed = same.nextLong();
      boolean far = same.nextInt(3) == 0;
      all.append(row(new Random(seed), at, 0, 5));
      (far ? there : here)
          .append(row(new Random(seed), at, far ? AHEAD.toMillis() : 0, far ? 2 : 3));
    }
    ReductionOptions options = ReductionOptions.standard();
    Reduction one = Reductions.reduce(file("all.csv", all.toString()), WINDOW, options);

    Path far = file("there.csv", there.toString());
    GeneratorSamples near = new GeneratorSamples(file("here.csv", here.toString()));
    Reduction merged =
        Reductions.reduce(List.of(near, new GeneratorSamples(far, AHEAD)), WINDOW, options);

    assertThat(merged.window()).isEqualTo(WINDOW);
    assertThat(one.total().samples()).isGreaterThan(1_000);
    assertThat(merged.total()).isEqualTo(one.total());
    assertThat(merged.byLabel()).isEqualTo(one.byLabel());
    assertThat(merged.series()).isEqualTo(one.series());
    assertThat(merged.leftOut()).isEqualTo(one.leftOut());
    assertThat(merged.damage())
        .as("slow answers end after quick ones that began later")
        .extracting(Reduction.Damage::kind)
        .containsOnly(DamageKind.BACKWARDS.text());
    assertThat(merged.generators()).hasSize(2);
    assertThat(merged.generators().get(0).samples() + merged.generators().get(1).samples())
        .isEqualTo(merged.total().samples());

    GeneratorSamples staying = new GeneratorSamples(far, AHEAD, Optional.of(counting(far)));
    assertThat(Reductions.reduce(List.of(staying, near), WINDOW, options).total())
        .as("counted elsewhere, and merged first")
        .isEqualTo(one.total());
    assertThat(Reductions.reduce(List.of(near, staying), WINDOW, options)).isEqualTo(merged);
  }

  /** Counts as the program on a generator does, and sends what it sends. */
  private SamplesThere counting(Path samples) {
    return new SamplesThere() {
      @Override
      public <T extends Serializable> T count(SampleCount<T> count) {
        Path asked = directory.resolve("asked");
        Path found = directory.resolve("found");
        try {
          CountProgram.write(count, asked);
          CountProgram.main(new String[] {samples.toString(), asked.toString(), found.toString()});
          return CountProgram.read(found, count.type());
        } catch (IOException fault) {
          throw new UncheckedIOException(fault);
        }
      }
    };
  }

  @Test
  void whatCannotBeCountedElsewhereIsReportedAsHere() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.csv"));
    GeneratorSamples staying =
        new GeneratorSamples(empty, Duration.ZERO, Optional.of(counting(empty)));

    assertThatThrownBy(
            () -> Reductions.reduce(List.of(staying), WINDOW, ReductionOptions.standard()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageEndingWith("empty.csv contains no readable sample: it is empty");
  }

  @Test
  void anAnswerWithForeignObjectsIsNotRead() throws IOException {
    Path foreign = directory.resolve("foreign");
    CountProgram.write(javax.swing.SortOrder.ASCENDING, foreign);

    assertThatThrownBy(() -> CountProgram.read(foreign, Ledger.class))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("REJECTED");
  }

  @Test
  void aGeneratorWithoutSamplesIsRefusedByItsFile() throws IOException {
    Path sound = file("sound.csv", row(new Random(1), START, 0, 1));
    Path empty = Files.createFile(directory.resolve("empty.csv"));

    assertThatThrownBy(
            () ->
                Reductions.reduce(
                    List.of(new GeneratorSamples(sound), new GeneratorSamples(empty)),
                    WINDOW,
                    ReductionOptions.standard()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("empty.csv");
  }
}
