/**
 * The sources of trials: the fixed plan, blocks added by a {@code stop}, further attempts of
 * invalid trials. One class per source; all are pure functions of a run's history.
 */
package io.slicewise.sweep.source;
