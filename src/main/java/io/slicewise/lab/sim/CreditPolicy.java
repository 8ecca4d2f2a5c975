package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Domains.SimDomain;
import io.slicewise.lab.sim.SchedulerOptions.CreditGeneration;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Xen's credit scheduler: one queue per pCPU in order of priority, credits distributed by weight
 * every timeslice, pCPUs that steal from each other.
 *
 * <p>The topology is flat (no SMT, one socket), so the periodic search for a better pCPU only ever
 * moves away from a queue; and guests never yield.
 */
final class CreditPolicy implements Policy {
  private final Pool pool;
  private final Engine engine;
  private final CreditAccounting accounting;
  private final SplittableRandom phases;
  private SchedulerOptions.Credit options;
  private long timesliceNanos;
  private long tickNanos;
  private long ratelimitNanos;
  private long migrationDelayNanos;
  private CreditGeneration generation;
  private long idle;
  private int lastIdler;

  /** pCPUs on whose queues vCPUs wait. */
  private long waiting;

  CreditPolicy(Pool pool, Engine engine, SchedulerOptions.Credit options, long seed) {
    this.pool = pool;
    this.engine = engine;
    this.phases = new SplittableRandom(seed);
    this.accounting = new CreditAccounting(pool, engine);
    adopt(options);
    accounting.start(phases.nextLong(timesliceNanos));
  }

  private void adopt(SchedulerOptions.Credit wanted) {
    options = wanted;
    generation = wanted.generation();
    timesliceNanos = wanted.timeslice().toNanos();
    ratelimitNanos = wanted.ratelimit().toNanos();
    migrationDelayNanos = wanted.migrationDelay().toNanos();
    tickNanos =
        wanted.timeslice().compareTo(Duration.ofMillis(3)) < 0
            ? timesliceNanos
            : timesliceNanos / 3;
    accounting.adopt(wanted);
  }

  @Override
  public SchedulerOptions options() {
    return options;
  }

  @Override
  public void configure(SchedulerOptions wanted) {
    if (!(wanted instanceof SchedulerOptions.Credit credit)
        || credit.generation() != options.generation()) {
      throw HypervisorRefusal.invalid("the pool runs " + options + ", not " + wanted);
    }
    adopt(credit);
  }

  @Override
  public void addPcpu(Pcpu p) {
    CreditQueue queue = new CreditQueue();
    queue.phaseNanos = phases.nextLong(tickNanos);
    queue.tick = engine.timers.open(nanos -> tick(p, queue));
    p.data = queue;
    idle |= p.bit;
  }

  @Override
  public void removePcpu(Pcpu p) {
    engine.timers.close(queue(p).tick);
    p.data = null;
    idle &= ~p.bit;
  }

  private static CreditQueue queue(Pcpu p) {
    return (CreditQueue) p.data;
  }

  private static CreditVcpu unit(Vcpu v) {
    return (CreditVcpu) v.data;
  }

  @Override
  public void join(Vcpu v) {
    if (v.domain.data == null) {
      v.domain.data = new CreditDomain(v.domain);
    }
    v.data = new CreditVcpu(v, (CreditDomain) v.domain.data);
    v.pcpu = place(v);
  }

  @Override
  public void leave(Vcpu v) {
    accounting.retire(unit(v));
    v.data = null;
  }

  @Override
  public Pcpu place(Vcpu v) {
    long idlers = v.allowed & idle;
    return pool.leastPopulated(idlers != 0 ? idlers : v.allowed);
  }

  @Override
  public void wake(Vcpu v) {
    CreditVcpu unit = unit(v);
    boolean boosts = !unit.parked && (generation.boostsMigrated() || !v.migrating);
    if (boosts && unit.priority == CreditVcpu.UNDER) {
      unit.priority = CreditVcpu.BOOST;
    }
    enqueue(queue(v.pcpu), unit);
    tickle(unit);
  }

  @Override
  public void sleep(Vcpu v) {
    dequeue(unit(v));
  }

  private void enqueue(CreditQueue queue, CreditVcpu unit) {
    queue.insert(unit);
    waiting |= unit.vcpu.pcpu.bit;
  }

  private void dequeue(CreditVcpu unit) {
    if (CreditQueue.remove(unit)) {
      waiting &= ~unit.vcpu.pcpu.bit;
    }
  }

  /** Decides which pCPU should look at a newly queued vCPU. */
  private void tickle(CreditVcpu unit) {
    Pcpu home = unit.vcpu.pcpu;
    if ((idle & home.bit) != 0) {
      wakeIdler(home);
      return;
    }
    long idlers = idle & unit.vcpu.allowed;
    boolean wins = home.current == null || unit.priority > unit(home.current).priority;
    if (wins && home.current != null && (idlers == 0 || !generation.prefersIdlers())) {
      engine.poke(home);
    }
    if (idlers != 0) {
      wakeIdlers(idlers);
    }
  }

  /**
   * Wakes idle pCPUs: up to Xen 4.0 all of them, and the first to look takes the vCPU; since then
   * only one.
   */
  private void wakeIdlers(long idlers) {
    long among = idlers;
    if (generation.wakesOneIdler()) {
      long after = lastIdler == Long.SIZE - 1 ? 0 : idlers & (-1L << (lastIdler + 1));
      among = after != 0 ? after : idlers;
    }
    lastIdler = Long.numberOfTrailingZeros(among);
    wakeIdler(engine.pcpus[lastIdler]);
  }

  /** Wakes an idle pCPU, which then counts as busy, so that the next wake-up selects another. */
  private void wakeIdler(Pcpu p) {
    idle &= ~p.bit;
    engine.poke(p);
  }

  @Override
  public Vcpu schedule(Pcpu p) {
    Vcpu current = p.current;
    CreditQueue queue = queue(p);
    long now = engine.now();
    if (current != null) {
      CreditVcpu unit = unit(current);
      burn(unit, now);
      if (current.runnable()) {
        long ran = now - p.since;
        if (ran < ratelimitNanos) {
          p.sliceEnd = p.since + ratelimitNanos;
          return current;
        }
        enqueue(queue, unit);
      }
    }
    CreditVcpu next = pick(p, queue, now);
    if (next == null) {
      idle |= p.bit;
      p.sliceEnd = Timers.NEVER;
      return null;
    }
    idle &= ~p.bit;
    next.chargedUntil = now;
    p.sliceEnd = now + timesliceNanos;
    if (!engine.timers.isSet(queue.tick)) {
      engine.timers.set(queue.tick, nextTick(queue, now));
    }
    return next.vcpu;
  }

  private CreditVcpu pick(Pcpu p, CreditQueue queue, long now) {
    CreditVcpu head = queue.head();
    if (waiting != 0 && (head == null || head.priority <= CreditVcpu.OVER)) {
      CreditVcpu stolen = steal(p, head == null ? CreditVcpu.IDLE : head.priority, now);
      if (stolen != null) {
        head = stolen;
      }
    }
    if (head != null) {
      dequeue(head);
    }
    return head;
  }

  /** A queued vCPU of strictly higher priority on another pCPU that may run here. */
  private CreditVcpu steal(Pcpu p, int priority, long now) {
    long others = waiting & ~p.bit;
    if (others == 0) {
      return null;
    }
    long later = others & (-1L << p.id);
    CreditVcpu found = stealFrom(later, p, priority, now);
    return found != null ? found : stealFrom(others & ~later, p, priority, now);
  }

  private CreditVcpu stealFrom(long peers, Pcpu p, int priority, long now) {
    for (long left = peers; left != 0; left &= left - 1) {
      CreditQueue peer = queue(engine.pcpus[Long.numberOfTrailingZeros(left)]);
      for (CreditVcpu unit = peer.head(); unit != null; unit = peer.after(unit)) {
        if (unit.priority <= priority) {
          break;
        }
        if (unit.vcpu.mayRunOn(p) && now - unit.lastRan >= migrationDelayNanos) {
          return unit;
        }
      }
    }
    return null;
  }

  private long nextTick(CreditQueue queue, long now) {
    long into = Math.floorMod(now - queue.phaseNanos, tickNanos);
    return now - into + tickNanos;
  }

  private void tick(Pcpu p, CreditQueue queue) {
    if (p.current == null) {
      return; // the tick sleeps with its pCPU, and keeps its phase
    }
    long now = engine.now();
    engine.timers.set(queue.tick, engine.late(now + tickNanos));
    CreditVcpu unit = unit(p.current);
    if (unit.priority == CreditVcpu.BOOST) {
      unit.priority = CreditVcpu.UNDER;
    }
    if (generation.sampledDebit()) {
      unit.credit -= CreditAccounting.CREDITS_PER_MILLI * (int) (tickNanos / 1_000_000);
    } else {
      burn(unit, now);
    }
    if (!unit.active) {
      accounting.activate(unit);
    } else if (queue.head() != null && (idle & unit.vcpu.allowed) != 0) {
      engine.rehome(unit.vcpu);
    }
    if (queue.sorted != accounting.round()) {
      queue.sorted = accounting.round();
      queue.sort();
    }
  }

  private void burn(CreditVcpu unit, long now) {
    if (!generation.sampledDebit()) {
      long owed = (now - unit.chargedUntil) * CreditAccounting.CREDITS_PER_MILLI + unit.residual;
      unit.credit -= (int) (owed / 1_000_000);
      unit.residual = owed % 1_000_000;
    }
    unit.chargedUntil = now;
    unit.lastRan = now;
  }

  @Override
  public void switchedOut(Pcpu p, Vcpu v) {
    long idlers = idle & v.allowed;
    if (v.runnable() && generation.prefersIdlers() && idlers != 0) {
      wakeIdlers(idlers); // displaced by one that could run nowhere else
    }
  }

  @Override
  public void close() {
    accounting.stop();
  }

  @Override
  public SchedulerParameters parameters(Vcpu v) {
    CreditDomain domain = unit(v).domain;
    return Credit.of(domain.weight, domain.cap);
  }

  @Override
  public void adjust(Vcpu v, SchedulerParameters wanted) {
    unit(v).domain.adjust(wanted.get(Credit.WEIGHT), wanted.get(Credit.CAP));
  }

  /** One pCPU's run queue: by priority, first come first served within a priority. */
  private static final class CreditQueue {
    private final CreditVcpu ring = new CreditVcpu(null, null);

    int tick;
    long phaseNanos;

    /** The accounting round this queue was last sorted after. */
    int sorted;

    CreditQueue() {
      ring.next = ring;
      ring.previous = ring;
    }

    CreditVcpu head() {
      return after(ring);
    }

    CreditVcpu after(CreditVcpu unit) {
      return unit.next == ring ? null : unit.next;
    }

    void insert(CreditVcpu unit) {
      CreditVcpu at = ring.next;
      while (at != ring && at.priority >= unit.priority) {
        at = at.next;
      }
      link(unit, at);
    }

    private static void link(CreditVcpu unit, CreditVcpu before) {
      unit.next = before;
      unit.previous = before.previous;
      before.previous.next = unit;
      before.previous = unit;
    }

    /** Removes a vCPU; returns whether it was the only one. */
    static boolean remove(CreditVcpu unit) {
      CreditVcpu next = unit.next;
      CreditVcpu previous = unit.previous;
      previous.next = next;
      next.previous = previous;
      unit.next = null;
      unit.previous = null;
      return next == previous;
    }

    /**
     * Moves vCPUs that are under or boosted ahead of those that are over; otherwise keeps the
     * order.
     */
    void sort() {
      CreditVcpu lastUnder = ring;
      CreditVcpu unit = ring.next;
      while (unit != ring) {
        CreditVcpu following = unit.next;
        if (unit.priority >= CreditVcpu.UNDER) {
          if (unit.previous != lastUnder) {
            remove(unit);
            link(unit, lastUnder.next);
          }
          lastUnder = unit;
        }
        unit = following;
      }
    }
  }

  /** The credit scheduler's view of a vCPU, and its link in a {@link CreditQueue}. */
  static final class CreditVcpu {
    static final int BOOST = 0;
    static final int UNDER = -1;
    static final int OVER = -2;
    static final int IDLE = -64;

    final Vcpu vcpu;
    final CreditDomain domain;

    int priority = UNDER;
    int credit;

    /** Run time of less than one credit, in 1/1,000,000 credit. */
    long residual;

    long chargedUntil;
    long lastRan = Long.MIN_VALUE / 2;

    /** Earns credits at accounting. */
    boolean active;

    /** Parked because its domain's cap is spent. */
    boolean parked;

    CreditVcpu next;
    CreditVcpu previous;

    CreditVcpu(Vcpu vcpu, CreditDomain domain) {
      this.vcpu = vcpu;
      this.domain = domain;
    }
  }

  /** The credit scheduler's data of a domain. */
  static final class CreditDomain {
    private static final int UNCHANGED_CAP = 0xFFFF;

    final SimDomain domain;
    int weight = 256;

    /** Percent of one pCPU; 0 = none. */
    int cap;

    int activeVcpus;

    CreditDomain(SimDomain domain) {
      this.domain = domain;
    }

    /** Sets weight and cap; 0 and 0xFFFF mean unchanged. */
    void adjust(int newWeight, int newCap) {
      if (newWeight < 0 || newWeight > 0xFFFF) {
        throw HypervisorRefusal.invalid("weight " + newWeight + " does not fit 16 bits");
      }
      if (newCap < 0 || newCap > UNCHANGED_CAP) {
        throw HypervisorRefusal.invalid("cap " + newCap + " does not fit 16 bits");
      }
      if (newWeight != 0) {
        weight = newWeight;
      }
      if (newCap != UNCHANGED_CAP) {
        cap = newCap;
      }
    }
  }
}
