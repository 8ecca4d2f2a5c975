/**
 * The runner, the journal, the run directory, resuming, and restoring the host. The only room that
 * changes a host, and the only one that knows the order of a trial's steps.
 */
package io.slicewise.sweep;
