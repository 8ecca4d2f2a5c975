package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.Machine.PoolView;
import io.slicewise.lab.sim.Pcpu.Pcpus;
import java.util.ArrayList;
import java.util.List;

/** A cpupool: pCPUs, the domains on them, and the scheduler between the two. */
final class Pool {
  final int id;
  final String name;
  final Policy policy;
  final List<SimDomain> domains = new ArrayList<>();
  long mask;

  private final Pcpu[] all;

  Pool(int id, String name, Engine engine, SchedulerOptions options, long seed) {
    this.id = id;
    this.name = name;
    this.all = engine.pcpus;
    this.policy = options.policy(this, engine, seed);
  }

  /** The allowed pCPU with the fewest vCPUs assigned, the lowest-numbered of these. */
  Pcpu leastPopulated(long allowed) {
    int[] assigned = new int[all.length];
    for (SimDomain domain : domains) {
      for (Vcpu v : domain.vcpus) {
        if (v.pcpu != null) {
          assigned[v.pcpu.id]++;
        }
      }
    }
    Pcpu best = first(allowed);
    for (long left = allowed; left != 0; left &= left - 1) {
      Pcpu p = all[Long.numberOfTrailingZeros(left)];
      if (assigned[p.id] < assigned[best.id]) {
        best = p;
      }
    }
    return best;
  }

  Pcpu first(long allowed) {
    return all[Long.numberOfTrailingZeros(allowed)];
  }

  PoolView view() {
    return new PoolView(id, name, policy.options(), Pcpus.set(mask));
  }
}
