package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fair scheduler of a Linux host with control groups, as EEVDF has it: on each pCPU the ready
 * threads are owed time in proportion to their shares, and of those that are owed some the one
 * whose slice would be served first runs, to the end of its slice.
 *
 * <p>Groups within groups come down to one share for each thread, worked out anew whenever a thread
 * becomes ready or ceases to be: a guest's weight goes to its ready threads in proportion to
 * theirs, so that a thread on another pCPU takes its part of the guest's weight along.
 */
final class FairPolicy implements Policy, FairScheduler {
  /** Debts that rounding makes. */
  private static final double NOTHING = 1.0;

  private static final long BALANCE_NANOS = 8_000_000;

  private final Pool pool;
  private final Engine engine;
  private final long sliceNanos;
  private final SchedulerOptions.Fair options;
  private final List<FairThread> ready = new ArrayList<>();
  private final FairLoads loads = new FairLoads();
  private final FairGroup host;
  private final int balancing;

  FairPolicy(Pool pool, Engine engine, SchedulerOptions.Fair options) {
    this.pool = pool;
    this.engine = engine;
    this.options = options;
    sliceNanos = options.slice().toNanos();
    host = new FairGroup(true, bandwidth());
    balancing = engine.timers.open(this::balance);
  }

  private FairBandwidth bandwidth() {
    return new FairBandwidth(engine, this::throttlingChanged);
  }

  private static FairThread thread(Vcpu v) {
    return (FairThread) v.data;
  }

  private static FairQueue queue(Pcpu p) {
    return (FairQueue) p.data;
  }

  // ---- pCPUs and vCPUs come and go

  @Override
  public SchedulerOptions options() {
    return options;
  }

  @Override
  public void addPcpu(Pcpu p) {
    p.data = new FairQueue();
  }

  @Override
  public void join(Vcpu v) {
    if (v.domain.data == null) {
      v.domain.data = v.domain.domid == SimDomain.DOM0 ? host : new FairGroup(false, bandwidth());
    }
    FairGroup group = (FairGroup) v.domain.data;
    FairThread thread = new FairThread(v, group, bandwidth());
    group.threads.add(thread);
    v.data = thread;
    v.pcpu = place(v);
  }

  @Override
  public void leave(Vcpu v) {
    FairThread thread = thread(v);
    thread.limit.close();
    thread.group.threads.remove(thread);
    if (thread.group.threads.isEmpty()) {
      thread.group.limit.close();
    }
    v.data = null;
  }

  @Override
  public void close() {
    engine.timers.close(balancing);
  }

  @Override
  public Pcpu place(Vcpu v) {
    Pcpu best = v.pcpu != null && v.mayRunOn(v.pcpu) ? v.pcpu : pool.first(v.allowed);
    for (long left = v.allowed; left != 0; left &= left - 1) {
      Pcpu p = engine.pcpus[Long.numberOfTrailingZeros(left)];
      if (queue(p).load() < queue(best).load()) {
        best = p;
      }
    }
    return best;
  }

  // ---- who is ready

  @Override
  public void wake(Vcpu v) {
    FairThread thread = thread(v);
    if (thread.throttled()) {
      park(thread);
      return;
    }
    v.pcpu = place(v);
    account();
    ready.add(thread);
    thread.ready = true;
    thread.slice = sliceNanos;
    double most = sliceNanos;
    thread.lag = Math.max(-most, Math.min(most, thread.lag));
    FairQueue queue = queue(v.pcpu);
    queue.threads.add(thread);
    loads.weigh(engine, pool, ready);
    queue.spread(thread, -thread.lag);
    engine.poke(v.pcpu);
    if (queue.threads.size() > 1 && !engine.timers.isSet(balancing)) {
      engine.timers.set(balancing, engine.now() + BALANCE_NANOS);
    }
  }

  @Override
  public void sleep(Vcpu v) {
    remove(thread(v));
  }

  private void remove(FairThread thread) {
    if (!thread.ready) {
      return;
    }
    account();
    FairQueue queue = queue(thread.vcpu.pcpu);
    queue.spread(thread, thread.lag);
    queue.threads.remove(thread);
    ready.remove(thread);
    thread.ready = false;
    loads.weigh(engine, pool, ready);
  }

  /** Brings what everybody is owed up to now. */
  private void account() {
    for (Pcpu p : engine.pcpus) {
      if (p.data != null) {
        queue(p).account(engine.now());
      }
    }
  }

  // ---- choosing

  @Override
  public Vcpu schedule(Pcpu p) {
    account();
    FairQueue queue = queue(p);
    FairThread current = p.current == null ? null : thread(p.current);
    queue.running = null;
    if (current != null && current.vcpu.runnable()) {
      boolean own = current.limit.exhausted();
      boolean all = current.group.limit.exhausted();
      if (own || all) {
        park(current);
      }
    }
    if (current != null && !current.vcpu.runnable()) {
      remove(current);
      current = null;
    }
    FairThread next =
        current != null && current.slice > 0 ? current : queue.mostDue(NOTHING, sliceNanos);
    if (next == null) {
      next = steal(p);
    }
    if (next == null) {
      p.sliceEnd = Timers.NEVER;
      return null;
    }
    if (next.slice <= 0) {
      next.slice = sliceNanos;
    }
    next.limit.begin();
    next.group.limit.begin();
    queue.running = next;
    long turn = queue.threads.size() > 1 ? next.slice : Timers.NEVER;
    long allowed = Math.min(turn, Math.min(next.limit.left(), next.group.limit.left()));
    p.sliceEnd = allowed == Timers.NEVER ? Timers.NEVER : engine.now() + allowed;
    return next.vcpu;
  }

  // ---- several pCPUs

  /** Takes a waiting thread from the pCPU with the most to do. */
  private FairThread steal(Pcpu to) {
    FairThread best = null;
    for (FairThread thread : ready) {
      Pcpu from = thread.vcpu.pcpu;
      boolean waits = !thread.vcpu.running && queue(from).running != thread;
      if (waits && from != to && thread.vcpu.mayRunOn(to) && queue(from).threads.size() > 1) {
        best = best == null || thread.load > best.load ? thread : best;
      }
    }
    if (best != null) {
      move(best, to);
    }
    return best;
  }

  private void move(FairThread thread, Pcpu to) {
    FairQueue from = queue(thread.vcpu.pcpu);
    from.spread(thread, thread.lag);
    from.threads.remove(thread);
    thread.vcpu.pcpu = to;
    queue(to).threads.add(thread);
    loads.weigh(engine, pool, ready);
    queue(to).spread(thread, -thread.lag);
  }

  /** Evens out what waits, one thread at a time. */
  private void balance(long now) {
    account();
    boolean contended = false;
    for (FairThread thread : List.copyOf(ready)) {
      Pcpu from = thread.vcpu.pcpu;
      contended |= queue(from).threads.size() > 1;
      if (!thread.vcpu.running) {
        Pcpu to = place(thread.vcpu);
        if (queue(from).load() - queue(to).load() > thread.load * (1 + 1e-9)) {
          move(thread, to);
          engine.poke(to);
          break;
        }
      }
    }
    engine.timers.set(balancing, contended ? now + BALANCE_NANOS : Timers.NEVER);
  }

  // ---- bandwidth

  private void throttlingChanged(FairBandwidth limit) {
    for (SimDomain domain : pool.domains) {
      for (Vcpu v : domain.vcpus) {
        FairThread thread = thread(v);
        if (thread != null && (thread.limit == limit || thread.group.limit == limit)) {
          throttlingChanged(thread);
        }
      }
    }
  }

  private void throttlingChanged(FairThread thread) {
    if (!thread.throttled()) {
      thread.parked(false, engine.now());
      engine.release(thread.vcpu, Vcpu.PARKED);
    } else if (thread.vcpu.runnable()) {
      park(thread);
    }
  }

  private void park(FairThread thread) {
    thread.parked(true, engine.now());
    engine.hold(thread.vcpu, Vcpu.PARKED);
  }

  // ---- what can be set

  private FairThread thread(int domid, int vcpu) {
    for (SimDomain domain : pool.domains) {
      if (domain.domid == domid && vcpu < domain.vcpus.length) {
        return thread(domain.vcpus[vcpu]);
      }
    }
    throw HypervisorRefusal.invalid("domain " + domid + " has no vCPU " + vcpu);
  }

  @Override
  public void nest(int domid, int guest) {
    FairThread inner = thread(domid, 0);
    FairGroup group = thread(guest, 0).group;
    for (FairThread thread : List.copyOf(inner.group.threads)) {
      thread.group.threads.remove(thread);
      thread.group = group;
      group.threads.add(thread);
    }
    inner.vcpu.domain.data = group;
    reweigh();
  }

  private void reweigh() {
    account();
    loads.weigh(engine, pool, ready);
  }

  @Override
  public void setMachineWeight(double weight) {
    loads.machine = weight;
    reweigh();
  }

  @Override
  public void setWeight(int domid, double weight) {
    account();
    thread(domid, 0).group.weight = weight;
    reweigh();
  }

  @Override
  public void setWeight(int domid, int vcpu, double weight) {
    account();
    thread(domid, vcpu).weight = weight;
    reweigh();
  }

  @Override
  public void setQuota(int domid, Optional<Quota> quota) {
    limit(thread(domid, 0).group.limit, quota);
  }

  @Override
  public void setQuota(int domid, int vcpu, Optional<Quota> quota) {
    limit(thread(domid, vcpu).limit, quota);
  }

  private void limit(FairBandwidth limit, Optional<Quota> quota) {
    account();
    limit.set(quota);
    for (Pcpu p : engine.pcpus) {
      engine.poke(p); // the ends of slices are others now
    }
    engine.settle();
  }

  @Override
  public Throttling throttling(int domid) {
    return thread(domid, 0).group.limit.counts();
  }

  @Override
  public Throttling throttling(int domid, int vcpu) {
    return thread(domid, vcpu).limit.counts();
  }

  @Override
  public long readyNanos(int domid, int vcpu) {
    FairThread thread = thread(domid, vcpu);
    return thread.vcpu.times(engine.now()).runnableNanos() + thread.parkedNanos(engine.now());
  }

  @Override
  public SchedulerParameters parameters(Vcpu v) {
    throw HypervisorRefusal.invalid("a Linux host keeps its settings in control groups");
  }

  /** Works out what each ready thread weighs and is entitled to, from the weights of the groups. */
  private static final class FairLoads {
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

  /** The ready threads of one pCPU, the one that runs included. */
  private static final class FairQueue {
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

  /** A thread of the host: a vCPU, or what stands for the emulator of a guest. */
  private static final class FairThread {
    final Vcpu vcpu;
    final FairBandwidth limit;

    FairGroup group;
    double weight = FairScheduler.DEFAULT_WEIGHT;

    /** Whether it is ready: running, or waiting for its turn. */
    boolean ready;

    /** Service that it is owed (or had too much of, below zero), in nanoseconds. */
    double lag;

    /** The part of its pCPU that it is entitled to now, 0..1. */
    double share;

    /** What it weighs on the whole machine. */
    double load;

    /** What is left of the slice it asked for. */
    long slice;

    private long parkedSince;
    private long parkedNanos;
    private boolean parked;

    FairThread(Vcpu vcpu, FairGroup group, FairBandwidth limit) {
      this.vcpu = vcpu;
      this.group = group;
      this.limit = limit;
    }

    boolean throttled() {
      return limit.throttled() || group.limit.throttled();
    }

    void parked(boolean now, long nanos) {
      if (now && !parked) {
        parkedSince = nanos;
      } else if (parked && !now) {
        parkedNanos += nanos - parkedSince;
      }
      parked = now;
    }

    long parkedNanos(long now) {
      return parkedNanos + (parked ? now - parkedSince : 0);
    }

    /**
     * What orders those that are owed something: when their slice would be served, at their pace.
     */
    double deadline() {
      return (slice - lag) / share;
    }
  }

  /** A guest's control group: its weight against other guests, its limit, and the threads in it. */
  private static final class FairGroup {
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
}
