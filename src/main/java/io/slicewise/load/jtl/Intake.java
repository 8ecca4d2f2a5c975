package io.slicewise.load.jtl;

/** Receives the samples that a scanner reads. */
sealed interface Intake permits Ledger, Kinship {
  /** The log of what the scanner cannot read. */
  DamageLog damage();

  /**
   * Sets the columns of the following rows; called before any row, and again when a header changes
   * them.
   */
  void columns(CsvColumns columns);

  /** Whether the scanner may stop because nothing more is needed. */
  boolean enough();

  /** Whether the contents of an XML element are part of it and are not read separately. */
  boolean isWhole(Row row);

  /**
   * Adds one valid sample.
   *
   * @param line on which it begins
   */
  void add(Row row, long line);

  /**
   * Adds successful requests: all rows from {@code from}, up to the first that must be read
   * separately.
   *
   * @return that row, or {@code to}
   */
  int add(PlainRows rows, int from, int to);
}
