package io.slicewise.load.generator.child;

import io.slicewise.load.generator.child.SampleFile.WallClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures what the live report costs a generator each second; prints, asserts nothing. */
@Tag("bench")
class LiveReportBench {
  private static final int SECONDS = 400;

  @Test
  void reportOfASecondWithThousandSamples(@TempDir Path directory) throws Exception {
    SampleTap tap =
        new SampleTap(
            new SampleFile(
                directory.resolve("samples.jtl.gz"), new WallClock(Optional.empty()), fault -> {}),
            Optional.empty());
    HealthMeter health = new HealthMeter(Optional.empty());
    ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
    double[] micros = new double[SECONDS];
    for (int second = 0; second < SECONDS; second++) {
      for (int i = 0; i < 1_000; i++) {
        long millis = ThreadLocalRandom.current().nextLong(50, 2_000);
        SampleResult result = SampleResult.createTestSample(millis);
        result.setSuccessful(true);
        tap.sampleOccurred(new SampleEvent(result, "group"));
      }
      long before = cpu.getCurrentThreadCpuTime();
      String line = Wire.progress(tap.progress(1, health.read()));
      micros[second] = (cpu.getCurrentThreadCpuTime() - before) / 1e3;
      if (line.isEmpty()) {
        throw new IllegalStateException();
      }
    }
    Arrays.sort(micros);
    System.out.printf(
        "live report: median %.0f us, worst %.0f us of CPU time a second%n",
        micros[SECONDS / 2], micros[SECONDS - 1]);
  }
}
