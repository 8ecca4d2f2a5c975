/**
 * Runs made of files that Slicewise did not measure: an older study's JMeter results and xenmon
 * logs, matched with the trials of an experiment by their names, reduced and judged like its own.
 * Touches no host; a reader of such a run must see that it was imported.
 */
package io.slicewise.sweep.imported;
