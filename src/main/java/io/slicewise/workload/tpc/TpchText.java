package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.trino.tpch.Distributions;
import io.trino.tpch.TextPool;

/**
 * The sources of generated words: the specification's lists, and 300 MB of text from which comments
 * are cut. The text takes seconds to generate and is released with this record.
 */
record TpchText(Distributions distributions, TextPool text) {
  /** 4.2.2.10 of the specification: comments are cut from 300 MB of text. */
  private static final int POOL_BYTES = 300 * 1024 * 1024;

  private static final long NEEDED_BYTES = 480L * 1024 * 1024;

  /**
   * Generates the text.
   *
   * @throws SlicewiseException if the memory limit of this process is too low
   */
  static TpchText make() {
    if (Runtime.getRuntime().maxMemory() < NEEDED_BYTES) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "generating TPC-H's data needs 480 MB of memory, and this process may use %s MB"
              .formatted(Runtime.getRuntime().maxMemory() / (1024 * 1024)),
          "raise the limit with JAVA_OPTS=-Xmx1g");
    }
    Distributions distributions = Distributions.getDefaultDistributions();
    return new TpchText(distributions, new TextPool(POOL_BYTES, distributions));
  }
}
