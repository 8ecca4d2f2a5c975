package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.trino.tpch.Distributions;
import io.trino.tpch.TextPool;

/**
 * What the generator draws words from: the specification's lists, and 300 MB of text from which the
 * comments are cut. The text takes seconds to make and is let go with this record.
 */
record TpchText(Distributions distributions, TextPool text) {
  /** The specification's 4.2.2.10: comments are cut out of 300 MB of text. */
  private static final int POOL_BYTES = 300 * 1024 * 1024;

  private static final long NEEDED_BYTES = 480L * 1024 * 1024;

  /**
   * Makes the text.
   *
   * @throws SlicewiseException if this process may not use enough memory
   */
  static TpchText make() {
    if (Runtime.getRuntime().maxMemory() < NEEDED_BYTES) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "making TPC-H's data needs 480 MB of memory, and this process may use "
              + Runtime.getRuntime().maxMemory() / (1024 * 1024)
              + " MB",
          "give it more with JAVA_OPTS=-Xmx1g");
    }
    Distributions distributions = Distributions.getDefaultDistributions();
    return new TpchText(distributions, new TextPool(POOL_BYTES, distributions));
  }
}
