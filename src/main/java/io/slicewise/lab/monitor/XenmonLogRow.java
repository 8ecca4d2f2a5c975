package io.slicewise.lab.monitor;

import io.slicewise.base.units.Phrase;

/**
 * One row of a xenmon log. Amounts become rates per second. Up to 4.7 the wait is in its own
 * column. From 4.8 on it is shifted into {@code allocated/ex}, and the wait column contains the
 * vCPU numbers.
 */
record XenmonLogRow(PairUse use, long elapsedNanos, boolean shifted) {
  static final String HEADER =
      "# passed cpu dom cpu(tot) cpu(%) cpu/ex allocated/ex blocked(tot) blocked(%) blocked/io"
          + " waited(tot) waited(%) waited/ex ex/s io(tot) io/ex\n";

  /** Credit's time slice, allocated at every dispatch. */
  private static final double GRANTED_NANOS = 30e6;

  String text(double passedMillis) {
    double run = perSecond(use.run());
    double blocked = perSecond(use.blocked());
    double shown = shifted ? perSecond(use.vcpuIds()) : perSecond(use.waited());
    return Phrase.of(
        "%.3f %d %d %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f\n",
        passedMillis,
        use.pcpu(),
        use.domid(),
        run,
        percent(run),
        perDispatch(use.run()),
        shifted ? perDispatch(use.waited()) : use.dispatches() > 0 ? GRANTED_NANOS : 0,
        blocked,
        percent(blocked),
        0.0,
        shown,
        percent(shown),
        shifted ? perDispatch(use.vcpuIds()) : perDispatch(use.waited()),
        perSecond(use.dispatches()),
        0.0,
        0.0);
  }

  /** Returns whether a row is written. xenmon omits domains that used none of the pCPU's time. */
  boolean written() {
    return percent(perSecond(use.run())) > 0;
  }

  private double perSecond(long amount) {
    return amount * 1e9 / elapsedNanos;
  }

  private static double percent(double nanosPerSecond) {
    return nanosPerSecond / 1e7;
  }

  private double perDispatch(long amount) {
    return use.dispatches() == 0 ? 0 : (double) amount / use.dispatches();
  }
}
