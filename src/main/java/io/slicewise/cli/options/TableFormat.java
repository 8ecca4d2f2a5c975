package io.slicewise.cli.options;

/** The forms of what is printed as a table. */
public enum TableFormat {
  TEXT,
  JSON,
  CSV,
  MARKDOWN
}
