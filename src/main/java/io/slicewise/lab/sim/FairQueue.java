package io.slicewise.lab.sim;

import java.util.ArrayList;
import java.util.List;

/** The ready threads of one pCPU, the one that runs included. */
final class FairQueue {
  final List<FairThread> threads = new ArrayList<>();

  /** The one that runs; null when the pCPU is idle. */
  FairThread running;

  private long since;

  /** What its threads weigh together. */
  double load() {
    double sum = 0;
    for (FairThread thread : threads) {
      sum += thread.load;
    }
    return sum;
  }

  /** Every ready thread was entitled to its share of the time since; one of them had it all. */
  void account(long now) {
    long passed = now - since;
    since = now;
    if (passed == 0 || running == null) {
      return;
    }
    for (FairThread thread : threads) {
      thread.lag += thread.share * passed;
    }
    running.lag -= passed;
    running.slice -= passed;
    running.limit.use(passed);
    running.group.limit.use(passed);
  }

  /** Divides what one is owed among the others by their shares, so that all debts sum to zero. */
  void spread(FairThread one, double nanos) {
    double others = 0;
    for (FairThread thread : threads) {
      others += thread == one ? 0 : thread.share;
    }
    if (others > 0) {
      for (FairThread thread : threads) {
        thread.lag += thread == one ? 0 : nanos * thread.share / others;
      }
    }
  }

  /** Of the threads that are owed something the one to be served first; null if there is none. */
  FairThread mostDue(double tolerance, long slice) {
    FairThread best = null;
    FairThread owedMost = null;
    for (FairThread thread : threads) {
      if (thread.slice <= 0) {
        thread.slice = slice;
      }
      if (thread.lag >= -tolerance && (best == null || thread.deadline() < best.deadline())) {
        best = thread;
      }
      owedMost = owedMost == null || thread.lag > owedMost.lag ? thread : owedMost;
    }
    return best == null ? owedMost : best;
  }
}
