package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.Pcpu.Pcpus;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.LongConsumer;

/**
 * A machine under Xen or Linux, in virtual time: pCPUs, cpupools with their schedulers, domains
 * whose vCPUs execute CPU bursts, and exact accounts of run and wait times.
 *
 * <p>Time is in nanoseconds from 0 and passes only in {@link #runUntil}; everything else happens
 * between two instants. Any call may also be made from a completion or from an action that {@link
 * #at} arranged. The same calls with the same seed give the same trace. Not thread-safe.
 *
 * <p>Calls that the hypervisor would reject throw {@link HypervisorRefusal}, before anything has
 * changed.
 */
public final class Machine {
  /** The pool that exists from the start and cannot be removed. */
  public static final String POOL_0 = "Pool-0";

  private final Engine engine;
  private final Pools pools;
  private final Domains domains;

  public Machine(MachineSpec spec) {
    engine = new Engine(spec);
    domains = new Domains(engine);
    pools = new Pools(engine, spec.seed());
    Pool first = pools.add(POOL_0, spec.boot());
    for (Pcpu p : engine.pcpus) {
      pools.attach(first, p);
    }
  }

  // ---- time

  /** Virtual time, in nanoseconds. */
  public long now() {
    return engine.now();
  }

  /** The time of the next event; {@link Long#MAX_VALUE} for never. */
  public long nextEventNanos() {
    return engine.nextNanos();
  }

  /** The number of events so far. */
  public long events() {
    return engine.events();
  }

  /** Lets time pass up to and including {@code nanos}. Not to be called from within. */
  public void runUntil(long nanos) {
    if (nanos < engine.now()) {
      throw new IllegalArgumentException(nanos + " ns is before now, " + engine.now() + " ns");
    }
    engine.runUntil(nanos);
  }

  /** Calls back at a time not before now, with that time. */
  public void at(long nanos, LongConsumer action) {
    if (nanos < engine.now()) {
      throw new IllegalArgumentException(nanos + " ns is before now, " + engine.now() + " ns");
    }
    engine.at(nanos, Objects.requireNonNull(action));
  }

  /** Sets the only listener for changes of runstates. */
  public void listen(RunstateListener listener) {
    engine.listen(Objects.requireNonNull(listener));
  }

  // ---- cpupools

  /** All pools, by id. */
  public List<PoolView> pools() {
    return pools.views();
  }

  /** pCPUs in no pool. */
  public Set<Integer> freePcpus() {
    return pools.free();
  }

  /** Creates a pool of free pCPUs. */
  public void addPool(String name, SchedulerOptions options, Set<Integer> pcpus) {
    pools.create(name, options, Pcpus.mask(pcpus, engine.pcpus.length));
  }

  /** Removes a pool without domains; its pCPUs become free. */
  public void removePool(String name) {
    pools.remove(pools.named(name));
    engine.settle();
  }

  /** Adds a free pCPU to a pool. */
  public void addPcpu(String pool, int pcpu) {
    pools.attachFree(pools.named(pool), pcpu(pcpu));
    engine.settle();
  }

  /** Takes a pCPU out of a pool; vCPUs pinned to nothing else may then run in all of the pool. */
  public void removePcpu(String pool, int pcpu) {
    pools.detach(pools.named(pool), pcpu(pcpu));
    engine.settle();
  }

  /** Changes a pool's settings while it runs, as {@code xl sched-credit -s} does. */
  public void setPoolOptions(String pool, SchedulerOptions options) {
    pools.named(pool).policy.configure(options);
  }

  // ---- domains

  /** All domains, by id. */
  public List<DomainView> domains() {
    return domains.views();
  }

  /** Creates a domain with idle vCPUs. */
  public void addDomain(String name, int domid, int vcpus, String pool) {
    domains.add(name, domid, vcpus, pools.named(pool));
  }

  /** Creates a guest of a Linux host: its vCPUs and, beside them, its emulator. */
  public void addGuest(String name, int domid, int vcpus) {
    int emulator = FairScheduler.emulator(domid);
    addDomain(name, domid, vcpus, POOL_0);
    addDomain(name + " emulator", emulator, 1, POOL_0);
    fair().nest(emulator, domid);
  }

  /** Removes a domain; its unfinished bursts are dropped. */
  public void removeDomain(int domid) {
    domains.remove(domains.get(domid));
    engine.settle();
  }

  /** Keeps all vCPUs of a domain from running. */
  public void pause(int domid) {
    domains.pause(domains.get(domid));
    engine.settle();
  }

  public void unpause(int domid) {
    domains.unpause(domains.get(domid));
    engine.settle();
  }

  /** Moves a domain to another pool; its parameters and affinity go back to the defaults. */
  public void migrate(int domid, String pool) {
    domains.migrate(domains.get(domid), pools.named(pool));
    engine.settle();
  }

  /** Sets a vCPU's hard affinity. */
  public void pin(int domid, int vcpu, Set<Integer> pcpus) {
    domains.pin(domains.vcpu(domid, vcpu), Pcpus.mask(pcpus, engine.pcpus.length));
    engine.settle();
  }

  /** Leaves the first vCPUs of a domain in use, as its kernel does when it is asked to. */
  public void setOnline(int domid, int vcpus) {
    domains.setOnline(domains.get(domid), vcpus);
    engine.settle();
  }

  /** Snapshots of a domain's vCPUs. */
  public List<VcpuView> vcpus(int domid) {
    List<VcpuView> views = new ArrayList<>();
    for (Vcpu v : domains.get(domid).vcpus) {
      long affinity = v.affinity & Pcpus.all(engine.pcpus.length);
      views.add(new VcpuView(domid, v.index, v.state, v.pcpu.id, Pcpus.set(affinity), !v.offline));
    }
    return views;
  }

  // ---- parameters

  /** The parameters of a domain; for RTDS, those of its first vCPU. */
  public SchedulerParameters parameters(int domid) {
    return parameters(domid, 0);
  }

  /** The parameters of a vCPU. */
  public SchedulerParameters parameters(int domid, int vcpu) {
    Vcpu v = domains.vcpu(domid, vcpu);
    return v.domain.pool.policy.parameters(v);
  }

  /** Sets a domain's parameters, those of all of its vCPUs. */
  public void set(int domid, SchedulerParameters parameters) {
    SimDomain domain = domains.get(domid);
    for (Vcpu v : domain.vcpus) {
      domain.pool.policy.set(v, parameters);
    }
    engine.settle();
  }

  /** Sets one vCPU's parameters; only RTDS can. */
  public void set(int domid, int vcpu, SchedulerParameters parameters) {
    Vcpu v = domains.vcpu(domid, vcpu);
    v.domain.pool.policy.set(v, parameters);
    engine.settle();
  }

  /**
   * What a Linux host can set; all domains are in its one pool.
   *
   * @throws HypervisorRefusal EINVAL if the machine runs Xen
   */
  public FairScheduler fair() {
    if (pools.named(POOL_0).policy instanceof FairPolicy fair) {
      return fair;
    }
    throw HypervisorRefusal.invalid("the machine runs Xen, not Linux");
  }

  // ---- work

  /**
   * Gives a domain a CPU burst. An idle vCPU takes it; if there is none, it waits inside the guest,
   * first come first served.
   *
   * @param done is called with the time when the burst has been executed
   */
  public void submit(int domid, long burstNanos, LongConsumer done) {
    if (burstNanos < 0 || burstNanos > Vcpu.ENDLESS) {
      throw new IllegalArgumentException("burst of " + burstNanos + " ns is out of range");
    }
    engine.submit(domains.get(domid), burstNanos, Objects.requireNonNull(done));
    engine.settle();
  }

  /** Bursts that wait inside a guest for one of its vCPUs. */
  public int backlog(int domid) {
    return domains.get(domid).work.size();
  }

  /** Lets a vCPU compute endlessly after its burst. */
  public void burn(int domid, int vcpu) {
    engine.burn(domains.vcpu(domid, vcpu));
    engine.settle();
  }

  // ---- accounts

  /** The times of a vCPU by runstate. */
  public RunstateTimes times(int domid, int vcpu) {
    return domains.vcpu(domid, vcpu).times(engine.now());
  }

  /** The busy time of a pCPU, in nanoseconds. */
  public long busyNanos(int pcpu) {
    Pcpu p = pcpu(pcpu);
    return p.busyNanos + (p.current == null ? 0 : engine.now() - p.current.since);
  }

  private Pcpu pcpu(int id) {
    Pcpus.mask(Set.of(id), engine.pcpus.length);
    return engine.pcpus[id];
  }

  /** A snapshot of a domain. */
  public record DomainView(int domid, String name, int vcpus, String pool, boolean paused) {}

  /**
   * A snapshot of a cpupool.
   *
   * @param id 0 for Pool-0; numbers are given in order and the lowest free one is reused
   */
  public record PoolView(int id, String name, SchedulerOptions options, SortedSet<Integer> pcpus) {
    public Scheduler scheduler() {
      return options.scheduler();
    }
  }

  /**
   * A snapshot of a vCPU.
   *
   * @param pcpu the pCPU it runs on, or last ran or queued on
   * @param affinity hard affinity; all of the machine's pCPUs if it is not pinned
   * @param online whether its domain uses it
   */
  public record VcpuView(
      int domid, int vcpu, Runstate state, int pcpu, SortedSet<Integer> affinity, boolean online) {}

  /**
   * The specification of a {@link Machine}.
   *
   * @param pcpus number of pCPUs, 1..64; all of them start in Pool-0
   * @param boot scheduler of Pool-0
   * @param seed determines the phases of ticks and accounting, and the lateness of timers; the same
   *     seed gives the same trace
   * @param timerLateness mean lateness of the hypervisor's timers, exponentially distributed;
   *     practically zero on real hardware, but not in an emulator
   */
  public record MachineSpec(int pcpus, SchedulerOptions boot, long seed, Duration timerLateness) {
    public MachineSpec {
      if (pcpus < 1 || pcpus > Long.SIZE) {
        throw new IllegalArgumentException(pcpus + " pCPUs is out of range 1.." + Long.SIZE);
      }
      if (timerLateness.isNegative()) {
        throw new IllegalArgumentException("timers cannot be early, by " + timerLateness);
      }
    }

    /** Returns a machine whose timers fire on time. */
    public MachineSpec(int pcpus, SchedulerOptions boot, long seed) {
      this(pcpus, boot, seed, Duration.ZERO);
    }
  }
}
