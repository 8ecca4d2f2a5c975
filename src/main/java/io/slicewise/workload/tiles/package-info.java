/** Several workloads at once, each on guests of its own. */
package io.slicewise.workload.tiles;
