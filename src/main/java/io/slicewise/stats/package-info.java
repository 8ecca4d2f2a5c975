/**
 * Samples in, estimates out: one class a procedure, each naming its formula and source. Knows
 * nothing of trials, hosts or files.
 */
package io.slicewise.stats;
