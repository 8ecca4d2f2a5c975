package io.slicewise.lab.sim;

import io.slicewise.lab.sim.HypervisorRefusal.Errno;
import io.slicewise.lab.sim.Machine.DomainView;
import io.slicewise.lab.sim.Pcpu.Pcpus;
import io.slicewise.lab.sim.Vcpu.WorkQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The domains of a machine. */
final class Domains {
  /** Xen's first reserved domain id. */
  private static final int DOMID_FIRST_RESERVED = 0x7FF0;

  private final Engine engine;
  private SimDomain[] byDomid = new SimDomain[16];

  Domains(Engine engine) {
    this.engine = engine;
  }

  SimDomain get(int domid) {
    SimDomain domain = domid < 0 || domid >= byDomid.length ? null : byDomid[domid];
    if (domain == null) {
      throw new HypervisorRefusal(Errno.ESRCH, "there is no domain " + domid);
    }
    return domain;
  }

  Vcpu vcpu(int domid, int index) {
    SimDomain domain = get(domid);
    if (index < 0 || index >= domain.vcpus.length) {
      throw HypervisorRefusal.invalid("domain " + domid + " has no vCPU " + index);
    }
    return domain.vcpus[index];
  }

  List<DomainView> views() {
    List<DomainView> views = new ArrayList<>();
    for (SimDomain domain : byDomid) {
      if (domain != null) {
        views.add(domain.view());
      }
    }
    return views;
  }

  void add(String name, int domid, int vcpus, Pool pool) {
    if (domid < 0 || domid >= DOMID_FIRST_RESERVED || vcpus < 1 || vcpus > Long.SIZE) {
      throw HypervisorRefusal.invalid(
          "domain id " + domid + " or " + vcpus + " vCPUs is out of range");
    }
    if (pool.mask == 0) {
      throw HypervisorRefusal.invalid("pool " + pool.name + " has no pCPU");
    }
    byDomid = Arrays.copyOf(byDomid, Math.max(byDomid.length, domid + 1));
    if (byDomid[domid] != null) {
      throw new HypervisorRefusal(Errno.EEXIST, "there is a domain " + domid + " already");
    }
    SimDomain domain = new SimDomain(name, domid, vcpus, pool, engine.now());
    byDomid[domid] = domain;
    enter(domain, pool);
  }

  void remove(SimDomain domain) {
    exit(domain);
    byDomid[domain.domid] = null;
  }

  void migrate(SimDomain domain, Pool pool) {
    if (domain.domid == SimDomain.DOM0) {
      throw HypervisorRefusal.invalid("Domain-0 cannot leave its pool");
    }
    if (pool.mask == 0) {
      throw HypervisorRefusal.invalid("pool " + pool.name + " has no pCPU");
    }
    if (pool == domain.pool) {
      return;
    }
    exit(domain);
    enter(domain, pool);
    for (Vcpu v : domain.vcpus) {
      engine.release(v, Vcpu.MIGRATING);
    }
  }

  private static void enter(SimDomain domain, Pool pool) {
    domain.pool = pool;
    pool.domains.add(domain);
    for (Vcpu v : domain.vcpus) {
      v.affinity = -1L;
      v.allowed = pool.mask;
      pool.policy.join(v);
    }
  }

  private void exit(SimDomain domain) {
    for (Vcpu v : domain.vcpus) {
      engine.evict(v, Vcpu.MIGRATING);
    }
    for (Vcpu v : domain.vcpus) {
      domain.pool.policy.leave(v);
      engine.release(v, Vcpu.PARKED);
    }
    domain.data = null;
    domain.pool.domains.remove(domain);
  }

  void pause(SimDomain domain) {
    domain.paused = true;
    for (Vcpu v : domain.vcpus) {
      engine.hold(v, Vcpu.PAUSED);
    }
  }

  void unpause(SimDomain domain) {
    domain.paused = false;
    for (Vcpu v : domain.vcpus) {
      engine.release(v, Vcpu.PAUSED);
    }
  }

  /** Leaves the first vCPUs of a domain in use. */
  void setOnline(SimDomain domain, int count) {
    if (count < 1 || count > domain.vcpus.length) {
      throw HypervisorRefusal.invalid(
          "domain %d has %d vCPUs".formatted(domain.domid, domain.vcpus.length));
    }
    for (Vcpu v : domain.vcpus) {
      if (v.index < count && v.offline) {
        engine.bringOnline(v);
      } else if (v.index >= count && !v.offline) {
        engine.takeOffline(v);
      }
    }
  }

  void pin(Vcpu v, long mask) {
    long allowed = mask & v.domain.pool.mask;
    if (allowed == 0) {
      throw HypervisorRefusal.invalid(
          "none of " + Pcpus.set(mask) + " is in pool " + v.domain.pool.name);
    }
    v.affinity = mask;
    v.allowed = allowed;
    engine.affinityChanged(v);
  }

  /** A domain: its vCPUs and their pending work. */
  static final class SimDomain {
    static final int DOM0 = 0;

    final String name;
    final int domid;

    final Vcpu[] vcpus;
    final WorkQueue work = new WorkQueue();

    Pool pool;
    boolean paused;

    /** vCPUs without work, one bit each. */
    long idle;

    /** The scheduler's own data. */
    Object data;

    SimDomain(String name, int domid, int vcpus, Pool pool, long now) {
      this.name = name;
      this.domid = domid;
      this.pool = pool;
      this.vcpus = new Vcpu[vcpus];
      for (int i = 0; i < vcpus; i++) {
        this.vcpus[i] = new Vcpu(this, i, now);
      }
      this.idle = vcpus == Long.SIZE ? -1L : (1L << vcpus) - 1;
    }

    DomainView view() {
      return new DomainView(domid, name, vcpus.length, pool.name, paused);
    }
  }
}
