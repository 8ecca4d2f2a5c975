package io.slicewise.load.jtl;

import java.io.IOException;

/** Where bytes come from, one after the other. */
interface Feed {
  /**
   * Reads at least one byte and at most so many; -1 at the end, and ever after.
   *
   * @param most at least 1
   */
  int read(byte[] into, int at, int most) throws IOException;
}
