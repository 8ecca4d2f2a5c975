package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.ClockOffset;
import io.slicewise.load.generator.GeneratorProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Measures the offset of a generator's clock, as Cristian's algorithm does: of many exchanges the
 * one with the shortest round trip counts, and half of that trip bounds the error.
 */
final class ClockMeasurement {
  private static final int MOST = 40;
  private static final int LEAST = 5;
  private static final Duration ENOUGH = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private ClockMeasurement() {}

  /**
   * Takes up to a second, or five exchanges if those take longer.
   *
   * @throws SlicewiseException if the generator does not answer
   */
  static ClockOffset of(String generator, GeneratorProcess process) {
    Optional<ClockOffset> best = Optional.empty();
    long began = System.nanoTime();
    for (int i = 0; i < MOST && (i < LEAST || System.nanoTime() - began < ENOUGH.toNanos()); i++) {
      ClockOffset one = exchange(generator, process);
      if (best.isEmpty() || one.bound().compareTo(best.get().bound()) < 0) {
        best = Optional.of(one);
      }
    }
    return best.orElseThrow();
  }

  private static ClockOffset exchange(String generator, GeneratorProcess process) {
    Instant asked = Instant.now();
    long askedNanos = System.nanoTime();
    Instant theirs =
        process
            .askClock(LIMIT)
            .orElseThrow(
                () ->
                    new SlicewiseException(
                        ErrorKind.TRIAL_FAILED,
                        process
                            .failure()
                            .map(why -> "generator %s: %s".formatted(generator, why))
                            .orElse(
                                "generator %s did not tell its clock within %d s"
                                    .formatted(generator, LIMIT.toSeconds())),
                        "check the machine and its network"));
    Duration half = Duration.ofNanos((System.nanoTime() - askedNanos) / 2);
    return new ClockOffset(Duration.between(asked.plus(half), theirs), half);
  }
}
