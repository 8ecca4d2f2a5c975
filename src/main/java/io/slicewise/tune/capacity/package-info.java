/** How many guests fit, from the trials of a run: a pure function of its history. */
package io.slicewise.tune.capacity;
