package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.load.generator.GeneratorProcess.LocalChannel;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Protects: an end is described by who caused it. */
class LocalChannelTest {
  @Test
  void aKillByTheHarnessIsNotReportedAsAnEndOfTheProcess() throws IOException {
    LocalChannel channel = channel("exec 1>&-; sleep 60");
    channel.follow(line -> {});
    assertThat(channel.describeEnd())
        .isEqualTo(
            "the generator's JVM closed its output but did not end within 5 s, so Slicewise killed"
                + " it");
    assertThat(channel.isAlive()).isFalse();

    LocalChannel stopped = channel("sleep 60");
    stopped.kill();
    assertThat(stopped.describeEnd()).isEqualTo("the generator's JVM was killed by Slicewise");
  }

  @Test
  void aKillByAnotherIsReportedAsSuch() throws IOException {
    LocalChannel channel = channel("kill -9 $$");
    channel.follow(line -> {});
    channel.kill();
    assertThat(channel.describeEnd())
        .startsWith("the generator's JVM ended unexpectedly with status 137: something other than")
        .contains("such as the kernel when memory ran out");
  }

  @Test
  void anEndByItselfIsReportedWithItsStatus() throws IOException {
    assertThat(channel("exit 3").describeEnd())
        .isEqualTo("the generator's JVM ended unexpectedly with status 3");
  }

  private static LocalChannel channel(String script) throws IOException {
    return new LocalChannel(new ProcessBuilder("sh", "-c", script).start(), Duration.ZERO);
  }
}
