/**
 * Studies of several runs or tables: the cost of a guest compared with the bare machine (overhead),
 * and the cost of neighbours for a guest (interference). Computes only on values, independent of
 * where a cell's counters were read.
 */
package io.slicewise.evidence.study;
