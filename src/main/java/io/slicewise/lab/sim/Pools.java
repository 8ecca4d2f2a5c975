package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.HypervisorRefusal.Errno;
import io.slicewise.lab.sim.Machine.PoolView;
import io.slicewise.lab.sim.Pcpu.Pcpus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The cpupools of a machine and their pCPUs. */
final class Pools {
  private final Engine engine;
  private final long seed;
  private final List<Pool> pools = new ArrayList<>();

  Pools(Engine engine, long seed) {
    this.engine = engine;
    this.seed = seed;
  }

  Pool named(String name) {
    return pools.stream()
        .filter(pool -> pool.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new HypervisorRefusal(Errno.ENOENT, "there is no pool " + name));
  }

  List<PoolView> views() {
    return pools.stream().map(Pool::view).toList();
  }

  Set<Integer> free() {
    return Pcpus.set(freeMask());
  }

  private long freeMask() {
    long mask = 0;
    for (Pcpu p : engine.pcpus) {
      mask |= p.pool == null ? p.bit : 0;
    }
    return mask;
  }

  void create(String name, SchedulerOptions options, long mask) {
    if (pools.stream().anyMatch(pool -> pool.name.equals(name))) {
      throw new HypervisorRefusal(Errno.EEXIST, "there is a pool " + name + " already");
    }
    if ((mask & ~freeMask()) != 0) {
      throw HypervisorRefusal.busy("not all of pCPUs " + Pcpus.set(mask) + " are free");
    }
    Pool pool = add(name, options);
    for (int pcpu : Pcpus.set(mask)) {
      attach(pool, engine.pcpus[pcpu]);
    }
  }

  Pool add(String name, SchedulerOptions options) {
    int id = 0;
    for (Pool pool : pools) {
      id += pool.id == id ? 1 : 0;
    }
    Pool pool = new Pool(id, name, engine, options, seed + id);
    pools.add(pool);
    pools.sort(Comparator.comparingInt(p -> p.id));
    return pool;
  }

  void remove(Pool pool) {
    if (pool.id == 0) {
      throw HypervisorRefusal.busy(pool.name + " cannot be removed");
    }
    if (!pool.domains.isEmpty()) {
      throw HypervisorRefusal.busy("pool " + pool.name + " has domains");
    }
    for (int pcpu : Pcpus.set(pool.mask)) {
      detach(pool, engine.pcpus[pcpu]);
    }
    pool.policy.close();
    pools.remove(pool);
  }

  void attachFree(Pool pool, Pcpu p) {
    if (p.pool != null) {
      throw HypervisorRefusal.busy("pCPU " + p.id + " is in pool " + p.pool.name);
    }
    attach(pool, p);
  }

  void attach(Pool pool, Pcpu p) {
    p.pool = pool;
    pool.mask |= p.bit;
    pool.policy.addPcpu(p);
    for (SimDomain domain : pool.domains) {
      for (Vcpu v : domain.vcpus) {
        v.allowed = v.affinity & pool.mask;
      }
    }
    engine.poke(p);
  }

  void detach(Pool pool, Pcpu p) {
    if (p.pool != pool) {
      throw new HypervisorRefusal(Errno.ENODEV, "pCPU " + p.id + " is not in pool " + pool.name);
    }
    if (pool.mask == p.bit && !pool.domains.isEmpty()) {
      throw HypervisorRefusal.busy("pCPU " + p.id + " is the last of pool " + pool.name);
    }
    pool.mask &= ~p.bit;
    for (SimDomain domain : pool.domains) {
      for (Vcpu v : domain.vcpus) {
        leave(pool, p, v);
      }
    }
    pool.policy.removePcpu(p);
    p.pool = null;
    engine.idle(p);
  }

  /** A vCPU that could run nowhere else loses its affinity, as in Xen. */
  private void leave(Pool pool, Pcpu p, Vcpu v) {
    if ((v.affinity & pool.mask) == 0) {
      v.affinity = -1L;
    }
    v.allowed = v.affinity & pool.mask;
    if (v.pcpu == p) {
      engine.rehome(v);
    }
  }
}
