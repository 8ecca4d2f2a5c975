package io.slicewise.load.jtl;

/**
 * Limits that bound memory whatever the file contains. Tests use tiny ones to reach every limit.
 *
 * @param chunk bytes read at once
 * @param row longest row in bytes
 * @param labels with their own counts
 * @param codes of errors with their own counts, per label
 * @param seconds in the series
 */
record ReaderLimits(int chunk, int row, int labels, int codes, int seconds) {
  static final ReaderLimits STANDARD =
      new ReaderLimits(128 << 10, 1 << 20, 4096, 256, Reduction.LONGEST_SERIES);
}
