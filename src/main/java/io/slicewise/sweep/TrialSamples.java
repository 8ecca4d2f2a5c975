package io.slicewise.sweep;

import io.slicewise.jtl.Reduction;
import io.slicewise.jtl.ReductionOptions;
import io.slicewise.jtl.ReductionOptions.Counted;
import io.slicewise.jtl.Reductions;
import io.slicewise.jtl.SampleSummary;
import io.slicewise.units.Window;
import io.slicewise.workload.Turns;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A trial's samples, reduced as its workload counts them.
 *
 * @param reduction what makes the total
 * @param transactions the sums that are labels of their own beside it
 * @param turns what the users did, where their pauses count as think time
 */
record TrialSamples(
    Reduction reduction, Counted counted, List<SampleSummary> transactions, Optional<Turns> turns) {
  static TrialSamples reduce(Path samples, Window window, Workload workload) {
    ReductionOptions options = ReductionOptions.standard();
    Reduction reduction =
        Reductions.reduce(
            samples,
            window,
            options.counting(workload.counted()).totalling(workload.totalLabels()));
    boolean sums = workload.listsTransactions() && reduction.leftOut().transactions() > 0;
    return new TrialSamples(
        reduction,
        workload.counted(),
        sums
            ? Reductions.reduce(samples, window, options.counting(Counted.TRANSACTIONS_BY_LABEL))
                .labels()
            : List.of(),
        workload.pausesAreThinking() ? Optional.of(Turns.read(samples, window)) : Optional.empty());
  }
}
