package io.slicewise.lab.sim;

/** A domain: its vCPUs and their pending work. */
final class SimDomain {
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
