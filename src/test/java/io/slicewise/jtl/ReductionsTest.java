package io.slicewise.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.units.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what a user of the room relies on: what counts, and when. */
class ReductionsTest {
  private static final long T0 = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
  private static final String HEADER =
      "timeStamp,elapsed,label,responseCode,responseMessage,success,bytes,allThreads,Latency\n";

  @TempDir private Path directory;

  @Test
  void countsSamplesThatEndInsideTheWindow() throws IOException {
    Path file =
        file(
            "a.jtl",
            HEADER
                + row(-150, 100, "early")
                + row(-150, 150, "starts before, ends at the start")
                + row(900, 99, "inside")
                + row(900, 100, "ends at the end"));
    Window window = new Window(Instant.ofEpochMilli(T0), Instant.ofEpochMilli(T0 + 1000));
    Reduction reduction = Reductions.reduce(file, window, ReductionOptions.standard());
    assertThat(reduction.byLabel()).containsOnlyKeys("starts before, ends at the start", "inside");
    assertThat(reduction.leftOut().outsideWindow()).isEqualTo(2);
    assertThat(reduction.total().meanMillis()).isCloseTo(124.5, within(1e-12));
    assertThat(reduction.ratePerSecond(reduction.total())).isEqualTo(2.0);
    assertThat(reduction.series()).hasSize(1);
    assertThat(reduction.damage()).isEmpty();
  }

  private static String row(long start, long elapsed, String label) {
    return (T0 + start) + "," + elapsed + ",\"" + label + "\",200,OK,true,5000,3," + elapsed + "\n";
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
