package io.slicewise.evidence.analysis;

import io.slicewise.stats.Effect;

/**
 * Two cells compared in one metric.
 *
 * @param now values that were compared, in block order where there are blocks
 * @param before those of the reference
 * @param blocksEach how many blocks each of the effect's observations joins
 */
record Contrast(double[] now, double[] before, Effect effect, Basis basis, int blocksEach) {}
