/**
 * Where trials come from: the fixed plan, blocks that a {@code stop} adds, further attempts of
 * invalid trials. One class per source; all are pure functions of a run's history.
 */
package io.slicewise.sweep.source;
