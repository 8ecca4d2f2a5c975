package io.slicewise.cli;

/** The forms of what is printed as a table. */
enum TableFormat {
  TEXT,
  JSON,
  CSV,
  MARKDOWN
}
