package io.slicewise.load.generator.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.child.SampleFile.WallClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects live numbers: the percentile forgets what is ten reports old, the counts never do. */
class SampleTapTest {
  private static final GeneratorHealth HEALTH =
      new GeneratorHealth(1, 0.43, 0, 0, 1.5, 0, 2, Double.NaN);

  @Test
  void percentileIsThatOfTheLastTenReports(@TempDir Path directory) throws IOException {
    SampleFile file =
        new SampleFile(
            directory.resolve("samples.jtl.gz"), new WallClock(Optional.empty()), fault -> {});
    SampleTap tap = new SampleTap(file, Optional.empty());
    assertThat(tap.progress(1, HEALTH).p95Millis()).isNaN();
    sample(tap, 1_000, false);
    for (int report = 1; report <= 10; report++) {
      sample(tap, 10, true);
      assertThat(tap.progress(1, HEALTH).p95Millis()).isCloseTo(1_000, within(10.0));
    }
    sample(tap, 20, true);
    LoadProgress last = tap.progress(1, HEALTH);
    assertThat(last.p95Millis()).isEqualTo(20);
    assertThat(last.samples()).isEqualTo(12);
    assertThat(last.failed()).isEqualTo(1);
    assertThat(last.cpuShare().value()).isEqualTo(0.43);
    assertThat(Wire.readProgress(Wire.progress(last).substring(Wire.PROGRESS.length())))
        .isEqualTo(last);
    file.close();
  }

  private static void sample(SampleTap tap, long millis, boolean successful) {
    SampleResult result = SampleResult.createTestSample(millis);
    result.setSuccessful(successful);
    tap.sampleOccurred(new SampleEvent(result, "group"));
  }
}
