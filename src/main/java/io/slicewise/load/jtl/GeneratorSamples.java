package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One generator's samples.
 *
 * @param ahead the clock that wrote them minus the clock that windows are given by
 */
public record GeneratorSamples(Path path, Duration ahead) {
  /** A file written by the clock that windows are given by. */
  public GeneratorSamples(Path path) {
    this(path, Duration.ZERO);
  }

  /** Returns the window as the clock of this file shows it. */
  public Window window(Window asked) {
    return new Window(asked.start().plus(ahead), asked.end().plus(ahead));
  }
}
