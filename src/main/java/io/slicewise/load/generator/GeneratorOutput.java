package io.slicewise.load.generator;

import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.GeneratorSamples.SamplesThere;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The samples of one generator, and its health.
 *
 * @param generator its name, unique in the load
 * @param samples the compressed samples' file on this machine
 * @param clock the offset of its clock from this machine's
 * @param users that it ran; 0 if they were not split
 * @param there present if the samples stay on its machine, so that their file is not here
 */
public record GeneratorOutput(
    String generator,
    Path samples,
    GeneratorHealth health,
    ClockOffset clock,
    int users,
    Optional<SamplesThere> there) {
  /** The name of a generator on the machine that runs the experiment. */
  public static final String LOCAL = "local";

  /** Returns the samples for a reduction. */
  public GeneratorSamples counted() {
    return new GeneratorSamples(samples, clockAhead(), there);
  }

  /** The offset of its clock from this machine's. */
  public Duration clockAhead() {
    return clock.ahead();
  }

  /** Returns the same output by another name. */
  GeneratorOutput named(String name) {
    return new GeneratorOutput(name, samples, health, clock, users, there);
  }

  /** Returns the same output with its samples elsewhere. */
  GeneratorOutput at(Path place) {
    return new GeneratorOutput(generator, place, health, clock, users, there);
  }

  /** The output of the generator on this machine. */
  static GeneratorOutput local(Path samples, GeneratorHealth health) {
    return new GeneratorOutput(LOCAL, samples, health, ClockOffset.NONE, 0, Optional.empty());
  }

  /**
   * How far a clock is ahead of this machine's.
   *
   * @param bound of the error in either direction: half of the shortest round trip
   * @param drift the offset at the end of a window less that at its start
   */
  public record ClockOffset(Duration ahead, Duration bound, Duration drift) {
    /** This machine's own clock. */
    public static final ClockOffset NONE = new ClockOffset(Duration.ZERO, Duration.ZERO);

    /** An offset that was measured once. */
    public ClockOffset(Duration ahead, Duration bound) {
      this(ahead, bound, Duration.ZERO);
    }

    /** Returns the better of this measurement and a later one, with the drift between them. */
    public ClockOffset until(ClockOffset later) {
      ClockOffset better = later.bound.compareTo(bound) < 0 ? later : this;
      return new ClockOffset(better.ahead, better.bound, later.ahead.minus(ahead));
    }
  }
}
