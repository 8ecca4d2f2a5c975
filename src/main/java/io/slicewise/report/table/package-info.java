/** Tables of typed cells, and how they are written: text, CSV, Markdown, LaTeX, HTML. */
package io.slicewise.report.table;
