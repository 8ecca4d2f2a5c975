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
 */
public record GeneratorResult(
    String name, String samples, GeneratorHealth health, double clockOffsetMillis) {
  static GeneratorResult of(GeneratorOutput output) {
    return new GeneratorResult(
        output.generator(),
        output.samples().getFileName().toString(),
        output.health(),
        output.clockAhead().toNanos() / 1e6);
  }
}
