/** Cells, comparisons and best sets, from the results of a sweep. Reads no raw samples. */
package io.slicewise.evidence.analysis;
