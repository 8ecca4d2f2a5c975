/**
 * How many guests fit on a host: queueing models of it, and the search for the edge that they
 * predict. Numbers in, numbers out.
 */
package io.slicewise.stats.capacity;
