package io.slicewise.lab.sim;

import java.util.List;

/** Works out what each ready thread weighs and is entitled to, from the weights of the groups. */
final class FairLoads {
  /** Weight of the group that all guests are in, against other work of the host. */
  double machine = FairScheduler.DEFAULT_WEIGHT;

  /** Sets the load and the share of every ready thread. */
  void weigh(Engine engine, Pool pool, List<FairThread> ready) {
    for (FairThread thread : ready) {
      thread.group.load = 0;
    }
    double guests = 0;
    for (FairThread thread : ready) {
      FairGroup group = thread.group;
      if (!group.host) {
        guests += group.load == 0 ? group.weight : 0;
        group.load += thread.weight;
      }
    }
    for (FairThread thread : ready) {
      FairGroup group = thread.group;
      thread.load =
          group.host
              ? thread.weight
              : machine * (group.weight / guests) * (thread.weight / group.load);
    }
    for (Pcpu p : engine.pcpus) {
      if (p.pool == pool) {
        share((FairQueue) p.data);
      }
    }
  }

  private static void share(FairQueue queue) {
    double sum = queue.load();
    for (FairThread thread : queue.threads) {
      thread.share = thread.load / sum;
    }
  }
}
