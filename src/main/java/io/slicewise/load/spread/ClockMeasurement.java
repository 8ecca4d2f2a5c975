package io.slicewise.load.spread;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.load.generator.GeneratorProcess;
import io.slicewise.load.generator.child.Wire;
import io.slicewise.ssh.Conversation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Measures the offset of a generator's clock, as Cristian's algorithm does: of many exchanges the
 * one with the shortest round trip counts, and half of that trip bounds the error.
 */
final class ClockMeasurement {
  private static final int MOST = 40;
  private static final int LEAST = 5;
  private static final Duration ENOUGH = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final String SILENT =
      "it did not report its clock within %d s".formatted(LIMIT.toSeconds());

  private ClockMeasurement() {}

  /**
   * Takes up to a second, or five exchanges if those take longer.
   *
   * @throws SlicewiseException if the generator does not answer
   */
  static ClockOffset of(String generator, GeneratorProcess process) {
    return best(
        () ->
            process
                .askClock(LIMIT)
                .orElseThrow(() -> silent(generator, process.failure().orElse(SILENT))));
  }

  /**
   * Compares with the clock of a machine where nothing of this program runs.
   *
   * @param clock answers each line with the time, as {@code date +%s.%N} prints it
   */
  static ClockOffset of(String generator, Conversation clock) {
    return best(
        () -> {
          clock.say("");
          return clock
              .next(LIMIT)
              .map(line -> Wire.readClock(line.text()))
              .orElseThrow(() -> silent(generator, SILENT));
        });
  }

  private static SlicewiseException silent(String generator, String why) {
    return new SlicewiseException(
        ErrorKind.TRIAL_FAILED,
        "generator %s: %s".formatted(generator, why),
        "check the machine and its network");
  }

  private static ClockOffset best(Supplier<Instant> theirs) {
    Optional<ClockOffset> best = Optional.empty();
    long began = System.nanoTime();
    for (int i = 0; i < MOST && (i < LEAST || System.nanoTime() - began < ENOUGH.toNanos()); i++) {
      ClockOffset one = exchange(theirs);
      if (best.isEmpty() || one.bound().compareTo(best.get().bound()) < 0) {
        best = Optional.of(one);
      }
    }
    return best.orElseThrow();
  }

  private static ClockOffset exchange(Supplier<Instant> theirs) {
    Instant asked = Instant.now();
    long askedNanos = System.nanoTime();
    Instant time = theirs.get();
    Duration half = Duration.ofNanos((System.nanoTime() - askedNanos) / 2);
    return new ClockOffset(Duration.between(asked.plus(half), time), half);
  }
}
