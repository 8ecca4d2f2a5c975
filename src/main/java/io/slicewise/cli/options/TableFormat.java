package io.slicewise.cli.options;

/** The output formats of a table. */
public enum TableFormat {
  TEXT,
  JSON,
  CSV,
  MARKDOWN
}
