package io.slicewise.run;

import io.slicewise.load.jtl.Reduction;
import io.slicewise.run.result.LoadResult;
import io.slicewise.stats.Mser5;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of a load for which neither what they count nor the users' turns are known. */
public final class UncountedLoad {
  private UncountedLoad() {}

  public static LoadResult of(
      String label,
      long samples,
      long failed,
      Map<String, Long> errors,
      double throughput,
      double meanMillis,
      double deviationMillis,
      double p50Millis,
      double p95Millis,
      double p99Millis,
      long receivedBytes,
      String histogram,
      List<LoadResult> labels,
      List<Reduction.Second> series,
      Mser5 steady) {
    return new LoadResult(
        label,
        samples,
        failed,
        errors,
        throughput,
        meanMillis,
        deviationMillis,
        p50Millis,
        p95Millis,
        p99Millis,
        receivedBytes,
        histogram,
        labels,
        series,
        steady,
        "",
        Optional.empty());
  }
}
