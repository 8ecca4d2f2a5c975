package io.slicewise.run.result;

import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.jtl.SampleSummary;

/**
 * The contribution of one load generator to a trial.
 *
 * @param name unique in the trial
 * @param samples name of its file in the trial's directory; empty if it was not kept there
 * @param clockOffsetMillis the offset of its clock from that of the machine that runs the
 *     experiment; 0 on that machine
 * @param clockBoundMillis of the error of that offset, in either direction
 * @param clockDriftMillis the offset at the window's end less that at its start
 * @param users that it ran; 0 if they were not split
 * @param requests samples in the window, of those that count
 * @param p50Millis their median response time; {@code NaN} if unknown
 */
public record GeneratorResult(
    String name,
    String samples,
    GeneratorHealth health,
    double clockOffsetMillis,
    double clockBoundMillis,
    double clockDriftMillis,
    int users,
    long requests,
    double p50Millis) {
  /** The contribution of a generator whose users were not split and whose clock is exact. */
  public GeneratorResult(
      String name, String samples, GeneratorHealth health, double clockOffsetMillis) {
    this(name, samples, health, clockOffsetMillis, 0, 0, 0, 0, Double.NaN);
  }

  /**
   * Returns the contribution of a generator.
   *
   * @param total of its samples in the window
   */
  public static GeneratorResult of(GeneratorOutput output, SampleSummary total) {
    return new GeneratorResult(
        output.generator(),
        output.there().isPresent() ? "" : output.samples().getFileName().toString(),
        output.health(),
        output.clock().ahead().toNanos() / 1e6,
        output.clock().bound().toNanos() / 1e6,
        output.clock().drift().toNanos() / 1e6,
        output.users(),
        total.samples(),
        total.percentileMillis(50));
  }
}
