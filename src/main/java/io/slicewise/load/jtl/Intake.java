package io.slicewise.load.jtl;

/** What a scanner hands the samples it reads to. */
sealed interface Intake permits Ledger, Kinship {
  /** Where the scanner notes what it cannot read. */
  DamageLog damage();

  /**
   * Takes note of the columns of the rows that follow; called before any row, and again when a
   * header changes them.
   */
  void columns(CsvColumns columns);

  /** Whether the scanner may stop here, because nothing it reads is needed. */
  boolean enough();

  /** Whether what is inside an element of XML is part of it and is not read by itself. */
  boolean isWhole(Row row);

  /**
   * Takes in one sound sample.
   *
   * @param line on which it begins
   */
  void add(Row row, long line);

  /**
   * Takes in successful requests: all rows from one on, up to the first that needs more care.
   *
   * @return that row, or {@code to}
   */
  int add(PlainRows rows, int from, int to);
}
