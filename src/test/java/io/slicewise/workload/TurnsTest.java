package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.GeneratorSamples;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    assertThat(Turns.read(List.of(new GeneratorSamples(samples)), WINDOW))
        .isEqualTo(new Turns(4, (100 + 100 + 200 + 300) / 4.0, (30 + 50 + 70) / 3.0));
  }

  @Test
  void usersOfSeveralGeneratorsAreDistinguishedAndKeepTheirOwnClocks() throws IOException {
    String header = "timeStamp,elapsed,label,responseMessage,threadName\n";
    Path here = samples("here", header + "1000,100,page,OK,user 1\n1150,100,page,OK,user 1\n");
    // The same thread's name, by a clock that is an hour ahead.
    Path there =
        samples("there", header + "3601200,200,page,OK,user 1\n3601470,200,page,OK,user 1\n");
    assertThat(
            Turns.read(
                List.of(
                    new GeneratorSamples(here), new GeneratorSamples(there, Duration.ofHours(1))),
                WINDOW))
        .isEqualTo(new Turns(4, 150, 60));
  }

  @Test
  void withoutRequestsNothingIsKnown() throws IOException {
    Turns none =
        Turns.read(
            List.of(
                new GeneratorSamples(
                    samples("timeStamp,elapsed,label,responseMessage,threadName\n"))),
            WINDOW);
    assertThat(none.requests()).isZero();
    assertThat(none.meanMillis()).isNaN();
    assertThat(none.pauseMillis()).isNaN();
  }

  private Path samples(String rows) throws IOException {
    return samples("samples", rows);
  }

  private Path samples(String name, String rows) throws IOException {
    Path file = directory.resolve(name + ".jtl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(rows.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }
}
