package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One generator's samples.
 *
 * @param ahead the offset of the generator's clock from the clock of windows
 */
public record GeneratorSamples(Path path, Duration ahead) {
  /** A file written with the clock of windows. */
  public GeneratorSamples(Path path) {
    this(path, Duration.ZERO);
  }

  /** Returns the window in the clock of this file. */
  public Window window(Window asked) {
    return new Window(asked.start().plus(ahead), asked.end().plus(ahead));
  }
}
