/** What cells and comparisons come to: best sets, the recommendation, capacity, drift by block. */
package io.slicewise.evidence.findings;
