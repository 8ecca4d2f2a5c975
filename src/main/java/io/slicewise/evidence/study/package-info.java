/**
 * Studies that ask one question of several runs or tables: what a guest costs compared with the
 * bare machine (overhead), and what the neighbours of a guest cost it (interference). Values in,
 * values out: nothing here knows where a cell's counters were read.
 */
package io.slicewise.evidence.study;
