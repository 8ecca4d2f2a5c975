/**
 * Facts of a run beside its results: attempts, conditions, knobs, and how like sentences are
 * joined.
 */
package io.slicewise.evidence.facts;
