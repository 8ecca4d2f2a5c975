/**
 * The decisions of the tuner: what to measure next, who leaves the race, when to stop and what to
 * answer. Pure: knows observations, not hosts or files.
 */
package io.slicewise.tune;
