/**
 * Imports runs from files that Slicewise did not measure: an older study's JMeter results and
 * xenmon logs, matched with the trials of an experiment by their names, reduced and judged like its
 * own. Uses no host; such a run is always marked as imported.
 */
package io.slicewise.sweep.imported;
