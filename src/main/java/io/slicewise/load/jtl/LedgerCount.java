package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** The reduction of one generator's samples, before it is merged with those of others. */
record LedgerCount(
    Window window,
    ReductionOptions.Attribution attribution,
    ReductionOptions.Counted counted,
    Set<String> totalLabels)
    implements SampleCount<Ledger> {
  static LedgerCount of(Window window, ReductionOptions options) {
    return new LedgerCount(window, options.attribution(), options.counted(), options.totalLabels());
  }

  @Override
  public Ledger of(Path samples) {
    ReductionOptions options =
        ReductionOptions.standard()
            .attributed(attribution)
            .counting(counted)
            .totalling(totalLabels);
    return Reductions.ledger(samples, Optional.of(window), options, ReaderLimits.STANDARD);
  }

  @Override
  public Class<Ledger> type() {
    return Ledger.class;
  }
}
