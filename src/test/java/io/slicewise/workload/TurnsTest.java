package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the pauses that Little's law counts as think time. */
class TurnsTest {
  private static final Window WINDOW =
      new Window(Instant.ofEpochMilli(1_000), Instant.ofEpochMilli(2_000));

  @TempDir private Path directory;

  @Test
  void aPauseIsBetweenTwoRequestsOfOneUser() throws IOException {
    Path samples =
        samples(
            """
            timeStamp,elapsed,label,responseMessage,threadName
            800,100,Send,OK,users 1-1
            950,100,Read,OK,users 1-2
            930,100,Read,OK,users 1-1
            1100,200,Send,OK,users 1-2
            930,400,visit,"Number of samples in transaction : 2, failing samples : 0",users 1-1
            1100,300,Send,OK,users 1-1
            1900,300,Send,OK,users 1-1
            """);
    // User 1 waits 30 and 70 ms before requests that end in the window, user 2 50 ms before one;
    // before its first request nothing is known of it.
    assertThat(Turns.read(samples, WINDOW))
        .isEqualTo(new Turns(4, (100 + 100 + 200 + 300) / 4.0, (30 + 50 + 70) / 3.0));
  }

  @Test
  void withoutRequestsNothingIsKnown() throws IOException {
    Turns none =
        Turns.read(samples("timeStamp,elapsed,label,responseMessage,threadName\n"), WINDOW);
    assertThat(none.requests()).isZero();
    assertThat(none.meanMillis()).isNaN();
    assertThat(none.pauseMillis()).isNaN();
  }

  private Path samples(String rows) throws IOException {
    Path file = directory.resolve("samples.jtl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(rows.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }
}
