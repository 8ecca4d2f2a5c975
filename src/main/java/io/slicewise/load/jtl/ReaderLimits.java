package io.slicewise.load.jtl;

/**
 * What keeps memory bounded whatever stands in the file. Tests choose tiny ones, to bring every
 * border close.
 *
 * @param chunk bytes read at once
 * @param row longest row in bytes
 * @param labels with counts of their own
 * @param codes of errors with counts of their own, per label
 * @param seconds in the series
 */
record ReaderLimits(int chunk, int row, int labels, int codes, int seconds) {
  static final ReaderLimits STANDARD =
      new ReaderLimits(128 << 10, 1 << 20, 4096, 256, Reduction.LONGEST_SERIES);
}
