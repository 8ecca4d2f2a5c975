/**
 * Samples arranged in rows and columns, or in the order in which they were measured: boxes and
 * fences, median polish, drift.
 */
package io.slicewise.stats.table;
