package io.slicewise.load.jtl;

import java.io.IOException;

/** Reads samples into a ledger, from some place in a file on. */
interface Scanner {
  /**
   * Reads all rows that begin before a place in the file.
   *
   * @return where the first row behind them begins, or the file's end
   */
  long scan(long until) throws IOException;

  /** The number of the line on which that row begins, counted from this scanner's first. */
  long line();

  /** The format of what follows; other than at the start when a header came in between. */
  Format format();
}
