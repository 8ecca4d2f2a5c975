package io.slicewise.load.generator.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.base.units.OwnCores;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Protects the run queue: an average, not one look at the machine, and of the cores in use. */
@Tag("thorough")
class HealthMeterTest {
  /** About ten looks each; that there is none in one of them is seen once in 20,000 windows. */
  @Test
  void everyHalfSecondHasARunQueue() throws InterruptedException {
    HealthMeter meter = new HealthMeter(Optional.empty());
    List<Double> queues = new ArrayList<>();
    for (int window = 0; window < 4; window++) {
      meter.begin();
      TimeUnit.MILLISECONDS.sleep(500);
      queues.add(meter.read().runQueuePerCore());
    }
    assertThat(queues).allSatisfy(queue -> assertThat(queue).isNotNaN().isNotNegative());
  }

  /**
   * Whatever else runs on the machine: three threads that compute without end make a queue of 3,
   * and the JVM's own threads are sometimes in it. Code is not compiled, since those of the
   * compiler would wait in it, too.
   */
  @Test
  void aGeneratorOnOneCoreHasTheQueueOfItsOwnThreads() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/taskset"))
            && Runtime.getRuntime().availableProcessors() > 1
            && OwnCores.confined().isEmpty());
    Process confined =
        new ProcessBuilder(
                "taskset",
                "-c",
                "0",
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-Xint",
                "-cp",
                System.getProperty("java.class.path"),
                Confined.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(Double.parseDouble(output(confined))).isBetween(2.5, 4.0);
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  /** Prints the queue of a second in which three threads compute without end. */
  static final class Confined {
    private static volatile boolean over;

    private Confined() {}

    public static void main(String[] args) throws InterruptedException {
      HealthMeter meter = new HealthMeter(Optional.empty());
      for (int i = 0; i < 3; i++) {
        Thread busy =
            new Thread(
                () -> {
                  while (!over) {
                    Thread.onSpinWait();
                  }
                });
        busy.setDaemon(true);
        busy.start();
      }
      meter.begin();
      TimeUnit.SECONDS.sleep(1);
      System.out.println(meter.read().runQueuePerCore());
      over = true;
    }
  }
}
