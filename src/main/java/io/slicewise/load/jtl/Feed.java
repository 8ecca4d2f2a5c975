package io.slicewise.load.jtl;

import java.io.IOException;

/** A source of consecutive bytes. */
interface Feed {
  /**
   * Reads at least one byte and at most {@code most}; -1 at the end and afterwards.
   *
   * @param most at least 1
   */
  int read(byte[] into, int at, int most) throws IOException;
}
