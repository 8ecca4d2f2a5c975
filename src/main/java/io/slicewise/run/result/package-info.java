/**
 * The result of a trial: its load, times, host and validity; what is computed from results while a
 * run goes on.
 */
package io.slicewise.run.result;
