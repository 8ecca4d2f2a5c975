package io.slicewise.load.jtl;

import java.io.Serializable;

/** Samples that stay on their generator's machine. */
public interface SamplesThere {
  /** Returns their count, made there. */
  <T extends Serializable> T count(SampleCount<T> count);
}
