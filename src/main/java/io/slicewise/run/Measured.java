package io.slicewise.run;

import io.slicewise.experiment.Trial;

/**
 * What is kept in mind of a finished trial while its run goes on; the rest is on disk.
 *
 * @param p95Millis {@code NaN} when unknown
 * @param meanMillis {@code NaN} when nothing was loaded
 * @param seconds it took, all steps together
 */
record Measured(Trial trial, boolean valid, double p95Millis, double meanMillis, double seconds) {
  static Measured of(TrialResult result) {
    return new Measured(
        result.trial(),
        result.valid(),
        result.load().map(LoadResult::p95Millis).orElse(Double.NaN),
        result.load().map(LoadResult::meanMillis).orElse(Double.NaN),
        result.times().stepSeconds().values().stream().mapToDouble(Double::doubleValue).sum());
  }
}
