package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * One generator's samples.
 *
 * @param path of the file; one that stays elsewhere is not there
 * @param ahead the offset of the generator's clock from the clock of windows
 * @param there present if the samples stay on their generator's machine
 */
public record GeneratorSamples(Path path, Duration ahead, Optional<SamplesThere> there) {
  /** A file on this machine. */
  public GeneratorSamples(Path path, Duration ahead) {
    this(path, ahead, Optional.empty());
  }

  /** A file written with the clock of windows. */
  public GeneratorSamples(Path path) {
    this(path, Duration.ZERO);
  }

  /** Returns a count of the samples, made where they are. */
  public <T extends Serializable> T count(SampleCount<T> count) {
    return there.map(far -> far.count(count)).orElseGet(() -> count.of(path));
  }

  /** Returns the window in the clock of this file. */
  public Window window(Window asked) {
    return new Window(asked.start().plus(ahead), asked.end().plus(ahead));
  }

  /** Samples that stay on their generator's machine. */
  public interface SamplesThere {
    /** Returns their count, made there. */
    <T extends Serializable> T count(SampleCount<T> count);
  }

  /** Counts a generator's samples, on the machine where their file is. */
  public interface SampleCount<T extends Serializable> extends Serializable {
    /** Returns the count of a file, which may be sent to another machine. */
    T of(Path samples);

    Class<T> type();
  }
}
