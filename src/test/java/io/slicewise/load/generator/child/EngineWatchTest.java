package io.slicewise.load.generator.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.load.generator.child.SampleFile.WallClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A load on JMeter's servers begins when the last of them starts its users. */
class EngineWatchTest {
  @TempDir private Path directory;

  @Test
  void namesTheServerThatHasNotStarted() throws Exception {
    SampleFile file =
        new SampleFile(directory.resolve("samples.jtl.gz"), WallClock.ofThisProcess(), fault -> {});
    EngineWatch watch =
        new EngineWatch(
            new SampleTap(file, Optional.empty()),
            List.of("load1:1099", "load2:1099"),
            server -> {});

    watch.testStarted("load1:1099");
    assertThat(watch.lateAtStart(Duration.ZERO)).contains("load2:1099");

    watch.testStarted("load2:1099");
    assertThat(watch.lateAtStart(Duration.ofMinutes(1))).isEmpty();
    file.close();
  }
}
