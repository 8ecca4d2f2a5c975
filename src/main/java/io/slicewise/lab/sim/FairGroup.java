package io.slicewise.lab.sim;

import java.util.ArrayList;
import java.util.List;

/** A guest's control group: its weight against other guests, its limit, and the threads in it. */
final class FairGroup {
  final FairBandwidth limit;
  final List<FairThread> threads = new ArrayList<>();

  /** Whether its threads stand beside all guests, as the host's own do. */
  final boolean host;

  double weight = FairScheduler.DEFAULT_WEIGHT;

  /** Sum of the weights of its ready threads. */
  double load;

  FairGroup(boolean host, FairBandwidth limit) {
    this.host = host;
    this.limit = limit;
  }
}
