package io.slicewise.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.workload.Workload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: a trial has one load result of all its generators, and keeps each one's account. */
class TrialSamplesTest {
  private static final long START = 1_700_000_000_000L;
  private static final Window WINDOW =
      new Window(Instant.ofEpochMilli(START), Instant.ofEpochMilli(START + 10_000));
  private static final GeneratorHealth WELL =
      new GeneratorHealth(1, 0.1, 2, 3, 1, 0.2, 2, Double.NaN);

  @TempDir private Path directory;

  /** Any workload that counts requests. */
  private record Requests() implements Workload {
    @Override
    public Optional<Path> plan() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> properties() {
      return Map.of();
    }

    @Override
    public void setUp() {}

    @Override
    public Optional<String> complaint() {
      return Optional.empty();
    }

    @Override
    public void tearDown() {}
  }

  private GeneratorOutput generator(String name, Duration ahead, int count) throws IOException {
    return generator(name, ahead, count, "");
  }

  private GeneratorOutput generator(String name, Duration ahead, int count, String more)
      throws IOException {
    StringBuilder rows = new StringBuilder("timeStamp,elapsed,label,success\n");
    for (int i = 0; i < count; i++) {
      rows.append("%d,50,page,true\n".formatted(START + 1_000 + i + ahead.toMillis()));
    }
    rows.append(more);
    Path file = directory.resolve(name + ".jtl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(rows.toString().getBytes(StandardCharsets.UTF_8));
    }
    return new GeneratorOutput(
        name, file, WELL, new ClockOffset(ahead, Duration.ZERO), 0, Optional.empty());
  }

  @Test
  void doesNotCountIfRequestsCouldNotBeMade() throws IOException {
    GeneratorOutput output = generator("east", Duration.ZERO, 100, "0,0,page,false\n");

    assertThat(
            TrialSamples.load(new FinishedLoad(List.of(output)), WINDOW, new Requests()).faults())
        .containsExactly(
            "requests that could not be made (as with a malformed URL) and have no time: 1; how"
                + " many belong to the window is unknown");
  }

  @Test
  void theLoadIsThatOfAllGeneratorsTogether() throws IOException {
    TrialLoad load =
        TrialSamples.load(
            new FinishedLoad(
                List.of(
                    generator("east", Duration.ZERO, 100),
                    generator("west", Duration.ofMinutes(-5), 50))),
            WINDOW,
            new Requests());

    assertThat(load.result().orElseThrow().samples()).isEqualTo(150);
    assertThat(load.result().orElseThrow().throughput()).isEqualTo(15);
    assertThat(load.generators())
        .containsExactly(
            new GeneratorResult("east", "east.jtl.gz", WELL, 0, 0, 0, 0, 100, 50),
            new GeneratorResult("west", "west.jtl.gz", WELL, -300_000, 0, 0, 0, 50, 50));
  }
}
