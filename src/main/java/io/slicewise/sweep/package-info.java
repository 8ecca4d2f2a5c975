/**
 * The runner: trials, resuming, and restoring the host. Only this package changes a host and
 * defines the order of a trial's steps.
 */
package io.slicewise.sweep;
