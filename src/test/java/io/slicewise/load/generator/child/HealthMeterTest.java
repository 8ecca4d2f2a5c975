package io.slicewise.load.generator.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Protects the run queue of short windows: it is an average, not one look at the machine. */
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
}
