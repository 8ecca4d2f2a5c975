package io.slicewise.run;

import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput;

/**
 * The contribution of one load generator to a trial.
 *
 * @param name unique in the trial
 * @param samples name of its file in the trial's directory; empty if it was not kept
 * @param clockOffsetMillis the offset of its clock from that of the machine that runs the
 *     experiment; 0 on that machine
 * @param clockBoundMillis of the error of that offset, in either direction
 * @param clockDriftMillis the offset at the window's end less that at its start
 * @param users that it ran; 0 if they were not split
 */
public record GeneratorResult(
    String name,
    String samples,
    GeneratorHealth health,
    double clockOffsetMillis,
    double clockBoundMillis,
    double clockDriftMillis,
    int users) {
  /** The contribution of a generator whose users were not split and whose clock is exact. */
  public GeneratorResult(
      String name, String samples, GeneratorHealth health, double clockOffsetMillis) {
    this(name, samples, health, clockOffsetMillis, 0, 0, 0);
  }

  static GeneratorResult of(GeneratorOutput output) {
    return new GeneratorResult(
        output.generator(),
        output.samples().getFileName().toString(),
        output.health(),
        output.clock().ahead().toNanos() / 1e6,
        output.clock().bound().toNanos() / 1e6,
        output.clock().drift().toNanos() / 1e6,
        output.users());
  }
}
