package io.slicewise.run;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.load.jtl.SampleSummary;
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
public record TrialSamples(
    Reduction reduction, Counted counted, List<SampleSummary> transactions, Optional<Turns> turns) {
  public static TrialSamples reduce(Path samples, Window window, Workload workload) {
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
