package io.slicewise.load.generator;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The samples of one generator, and its health.
 *
 * @param generator its name, unique in the load
 * @param samples the compressed samples' file on this machine
 * @param clockAhead the offset of its clock from this machine's
 */
public record GeneratorOutput(
    String generator, Path samples, GeneratorHealth health, Duration clockAhead) {
  /** The name of a generator on the machine that runs the experiment. */
  public static final String LOCAL = "local";

  /** The output of the generator on this machine. */
  static GeneratorOutput local(Path samples, GeneratorHealth health) {
    return new GeneratorOutput(LOCAL, samples, health, Duration.ZERO);
  }
}
