package io.slicewise.run;

import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput;

/**
 * What one load generator contributed to a trial.
 *
 * @param name unique in the trial
 * @param samples name of its file in the trial's directory; empty when it was not kept
 * @param clockOffsetMillis its clock minus that of the machine that runs the experiment; 0 on that
 *     machine itself
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
