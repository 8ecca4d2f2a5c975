package io.slicewise.load.jtl;

import java.io.Serializable;
import java.nio.file.Path;

/** Counts a generator's samples, on the machine where their file is. */
public interface SampleCount<T extends Serializable> extends Serializable {
  /** Returns the count of a file, which may be sent to another machine. */
  T of(Path samples);

  Class<T> type();
}
