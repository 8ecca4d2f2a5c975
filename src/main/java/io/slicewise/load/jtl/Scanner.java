package io.slicewise.load.jtl;

import java.io.IOException;

/** Reads samples into a ledger, from a position in a file. */
interface Scanner {
  /**
   * Reads all rows that begin before a position in the file.
   *
   * @return the start of the first row after them, or the file's end
   */
  long scan(long until) throws IOException;

  /** The line number at which that row begins, counted from this scanner's first. */
  long line();

  /** The format of the rest, which differs from the start after a header in between. */
  Format format();
}
