package io.slicewise.lab.sim;

import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.List;

/**
 * Xen's credit2 scheduler: a queue shared by neighbouring pCPUs, in order of credit; credits burn
 * at a rate inverse to weight and are distributed to all once the richest has none left.
 *
 * <p>The topology is flat (no SMT), and soft affinity is not modelled. Xen 4.17 ends its search at
 * a queued vCPU whose cap is spent; here the search continues, as in later versions.
 */
final class Credit2Policy implements Policy {
  private static final long LEAST_SLICE_NANOS = 500_000;
  private static final long MIGRATION_RESISTANCE = 500_000;
  private static final long MIGRATION_COMPENSATION = 50_000;
  private static final long RATELIMIT_TOLERANCE_NANOS = 50_000;
  private static final long IDLE_CREDIT = -(1L << 30);

  private final Pool pool;
  private final Engine engine;
  private final List<Credit2Queue> queues = new ArrayList<>();
  private final Credit2Balancer balancer;
  private SchedulerOptions.Credit2 options;
  private long ratelimitNanos;
  private long longestSliceNanos;

  Credit2Policy(Pool pool, Engine engine, SchedulerOptions.Credit2 options) {
    this.pool = pool;
    this.engine = engine;
    this.balancer = new Credit2Balancer(engine, queues);
    for (int i = 0; i < engine.pcpus.length; i += options.pcpusPerRunqueue()) {
      queues.add(new Credit2Queue());
    }
    adopt(options);
  }

  private void adopt(SchedulerOptions.Credit2 wanted) {
    options = wanted;
    ratelimitNanos = wanted.ratelimit().toNanos();
    longestSliceNanos = wanted.longestSlice().toNanos();
  }

  @Override
  public SchedulerOptions options() {
    return options;
  }

  @Override
  public void configure(SchedulerOptions wanted) {
    if (!(wanted instanceof SchedulerOptions.Credit2 credit2)
        || credit2.pcpusPerRunqueue() != options.pcpusPerRunqueue()) {
      throw HypervisorRefusal.invalid("the pool runs " + options + ", not " + wanted);
    }
    adopt(credit2);
  }

  private Credit2Queue queue(Pcpu p) {
    return queues.get(p.id / options.pcpusPerRunqueue());
  }

  private static Credit2Vcpu unit(Vcpu v) {
    return (Credit2Vcpu) v.data;
  }

  @Override
  public void addPcpu(Pcpu p) {
    queue(p).mask |= p.bit;
    queue(p).idle |= p.bit;
  }

  @Override
  public void removePcpu(Pcpu p) {
    queue(p).mask &= ~p.bit;
    queue(p).idle &= ~p.bit;
  }

  @Override
  public void join(Vcpu v) {
    if (v.domain.data == null) {
      v.domain.data = new Credit2Domain(v.domain, engine);
    }
    v.data = new Credit2Vcpu(v, (Credit2Domain) v.domain.data);
    v.pcpu = place(v);
  }

  @Override
  public void leave(Vcpu v) {
    Credit2Vcpu unit = unit(v);
    unit.queue.dismiss(unit);
    unit.domain.forget(unit);
    if (v.index == v.domain.vcpus.length - 1) {
      unit.domain.close();
    }
    v.data = null;
  }

  @Override
  public Pcpu place(Vcpu v) {
    Credit2Vcpu unit = unit(v);
    Credit2Queue best = null;
    for (Credit2Queue queue : queues) {
      if ((queue.mask & v.allowed & pool.mask) != 0 && (best == null || lighter(queue, best))) {
        best = queue;
      }
    }
    if (unit.queue != best) {
      balancer.assign(unit, best);
    }
    long allowed = best.mask & v.allowed & pool.mask;
    long idlers = allowed & best.idle;
    return pool.leastPopulated(idlers != 0 ? idlers : allowed);
  }

  private static boolean lighter(Credit2Queue queue, Credit2Queue than) {
    return queue.load < than.load
        || (queue.load == than.load && queue.members.size() < than.members.size());
  }

  @Override
  public void wake(Vcpu v) {
    Credit2Vcpu unit = unit(v);
    unit.queue.track(engine.now(), unit, 1);
    unit.queue.insert(unit);
    tickle(unit);
  }

  @Override
  public void sleep(Vcpu v) {
    Credit2Vcpu unit = unit(v);
    unit.queue.track(engine.now(), unit, -1);
    Credit2Queue.remove(unit);
  }

  /**
   * Pokes the pCPU that should take a queued vCPU: an idle one, otherwise the one with the largest
   * gain.
   */
  private void tickle(Credit2Vcpu unit) {
    Pcpu home = unit.vcpu.pcpu;
    long candidates = unit.queue.mask & unit.vcpu.allowed;
    long idlers = 0;
    for (long left = candidates & unit.queue.idle; left != 0; left &= left - 1) {
      Pcpu p = engine.pcpus[Long.numberOfTrailingZeros(left)];
      idlers |= engine.isPoked(p) ? 0 : p.bit;
    }
    Pcpu chosen;
    if (idlers != 0) {
      chosen = (idlers & home.bit) != 0 ? home : engine.pcpus[Long.numberOfTrailingZeros(idlers)];
    } else {
      chosen = weakest(unit, home, candidates & ~unit.queue.idle);
    }
    if (chosen != null) {
      unit.poked = chosen;
      engine.poke(chosen);
    }
  }

  private Pcpu weakest(Credit2Vcpu unit, Pcpu home, long busy) {
    Pcpu best = null;
    long most = 0;
    if ((busy & home.bit) != 0) {
      most = Math.max(score(unit, home), 0);
      best = most > 0 ? home : null;
    }
    for (long left = busy & ~home.bit; left != 0; left &= left - 1) {
      Pcpu p = engine.pcpus[Long.numberOfTrailingZeros(left)];
      long score = score(unit, p) - MIGRATION_RESISTANCE;
      if (score > most) {
        most = score;
        best = p;
      }
    }
    return best;
  }

  /**
   * The excess of a vCPU's credit over that of the running one; none if that one must not be
   * preempted yet.
   */
  private long score(Credit2Vcpu unit, Pcpu p) {
    long now = engine.now();
    boolean tooEarly =
        ratelimitNanos > 0 && now - p.since < ratelimitNanos - RATELIMIT_TOLERANCE_NANOS;
    if (p.current == null || tooEarly || engine.isPoked(p)) {
      return 0;
    }
    Credit2Vcpu current = unit(p.current);
    current.burn(now);
    return unit.credit - current.credit;
  }

  @Override
  public Vcpu schedule(Pcpu p) {
    long now = engine.now();
    Credit2Vcpu current = p.current == null ? null : unit(p.current);
    if (current != null) {
      current.burn(now);
      if (current.domain.capped() && current.budget <= 0) {
        current.domain.grab(current);
      }
    }
    Credit2Queue queue = queue(p);
    Credit2Vcpu next = candidate(p, queue, current, now);
    if (next == null) {
      queue.idle |= p.bit;
      p.sliceEnd = Timers.NEVER;
      return null;
    }
    queue.idle &= ~p.bit;
    if (next != current) {
      Credit2Queue.remove(next);
      next.chargedUntil = now;
      next.poked = null;
    }
    if (passedOver == 0 && next.credit <= 0) {
      reset(queue, next, now);
      balancer.request(queue);
    }
    if (next.vcpu.pcpu != p) {
      next.credit += MIGRATION_COMPENSATION;
    }
    p.sliceEnd = now + slice(p, queue, next, next == current, now);
    return next.vcpu;
  }

  /** The number of queued vCPUs that the last search left for other pCPUs. */
  private int passedOver;

  private Credit2Vcpu candidate(Pcpu p, Credit2Queue queue, Credit2Vcpu current, long now) {
    passedOver = 0;
    boolean stays = current != null && current.vcpu.runnable();
    if (stays && now - p.since < ratelimitNanos) {
      return current;
    }
    long credit = stays ? current.credit : IDLE_CREDIT;
    Credit2Vcpu following;
    for (Credit2Vcpu unit = queue.head(); unit != null; unit = following) {
      following = queue.after(unit);
      if (isForAnother(unit, p, credit)) {
        passedOver++;
      } else if (unit.credit <= credit) {
        break;
      } else if (!unit.domain.capped() || unit.domain.grab(unit)) {
        return unit;
      }
    }
    return stays ? current : null;
  }

  private boolean isForAnother(Credit2Vcpu unit, Pcpu p, long credit) {
    return !unit.vcpu.mayRunOn(p)
        || (unit.poked != null && unit.poked != p && engine.isPoked(unit.poked))
        || (unit.vcpu.pcpu != p && credit + MIGRATION_RESISTANCE > unit.credit);
  }

  private static void reset(Credit2Queue queue, Credit2Vcpu next, long now) {
    long grant = Credit2Vcpu.CREDIT_INIT;
    if (next.credit <= Credit2Vcpu.CREDIT_LEAST) {
      grant *= 2;
    }
    for (Credit2Vcpu unit : queue.members) {
      if (unit.vcpu.running) {
        unit.burn(now);
      }
      unit.credit = Math.min(unit.credit + grant, Credit2Vcpu.CREDIT_MOST);
    }
  }

  private long slice(Pcpu p, Credit2Queue queue, Credit2Vcpu next, boolean stays, long now) {
    long least = LEAST_SLICE_NANOS;
    if (ratelimitNanos > 0) {
      least = Math.max(least, ratelimitNanos - (stays ? now - p.since : 0));
    }
    Credit2Vcpu waiting = queue.head();
    long lead = next.credit - (waiting != null && waiting.credit > 0 ? waiting.credit : 0);
    long nanos = lead > 0 ? next.nanosFor(lead) : 0;
    if (next.domain.capped()) {
      nanos = Math.min(nanos, next.budget);
    }
    return Math.min(Math.max(nanos, least), longestSliceNanos);
  }

  @Override
  public void switchedOut(Pcpu p, Vcpu v) {
    Credit2Vcpu unit = unit(v);
    if (unit.domain.capped()) {
      unit.domain.giveBack(unit);
    }
    if (v.runnable()) {
      unit.queue.insert(unit);
      tickle(unit);
    } else {
      unit.queue.track(engine.now(), unit, -1);
    }
  }

  @Override
  public void close() {
    balancer.close();
  }

  @Override
  public SchedulerParameters parameters(Vcpu v) {
    Credit2Domain domain = unit(v).domain;
    return Credit2.of(domain.weight, domain.cap());
  }

  @Override
  public void adjust(Vcpu v, SchedulerParameters wanted) {
    unit(v).domain.adjust(wanted.get(Credit.WEIGHT), wanted.get(Credit.CAP));
    unit(v).queue.weigh();
  }

  /** Credit2's view of a vCPU, and its link in a {@link Credit2Queue}. Credits are nanoseconds. */
  static final class Credit2Vcpu {
    static final long CREDIT_INIT = 10_000_000;
    static final long CREDIT_MOST = CREDIT_INIT + 500_000;
    static final long CREDIT_LEAST = -CREDIT_INIT;

    final Vcpu vcpu;
    final Credit2Domain domain;

    Credit2Queue queue;
    long credit = CREDIT_INIT;
    long residual;
    long chargedUntil;

    /** The remaining run time within the domain's cap, while it runs. */
    long budget;

    boolean parked;

    /** The pCPU that was poked for it. */
    Pcpu poked;

    /** Decayed average of being runnable or running, 0..1. */
    double load;

    long loadUpdated;

    Credit2Vcpu next;
    Credit2Vcpu previous;

    Credit2Vcpu(Vcpu vcpu, Credit2Domain domain) {
      this.vcpu = vcpu;
      this.domain = domain;
    }

    /**
     * Charges run time up to now; the heaviest vCPU of the queue pays 1 for 1, lighter ones more.
     */
    void burn(long now) {
      long ran = now - chargedUntil;
      if (ran > 0) {
        long owed = ran * queue.maxWeight + residual;
        credit = Math.max(credit - owed / domain.weight, CREDIT_LEAST);
        residual = owed % domain.weight;
        if (domain.capped()) {
          budget -= ran;
        }
      }
      chargedUntil = now;
    }

    /** The time to burn an amount of credit. */
    long nanosFor(long credits) {
      return credits * domain.weight / queue.maxWeight;
    }
  }

  /** The shared run queue of a group of pCPUs, by credit, richest first. */
  static final class Credit2Queue {
    private static final double LOAD_WINDOW_NANOS = 1L << 30;

    private final Credit2Vcpu ring = new Credit2Vcpu(null, null);

    /** Every vCPU assigned to the queue, runnable or not. */
    final List<Credit2Vcpu> members = new ArrayList<>();

    long mask;
    long idle;
    int maxWeight = 1;

    /** Runnable and running vCPUs: now, and as a decayed average. */
    int runnable;

    double load;
    private long loadUpdated;

    Credit2Queue() {
      ring.next = ring;
      ring.previous = ring;
    }

    Credit2Vcpu head() {
      return after(ring);
    }

    Credit2Vcpu after(Credit2Vcpu unit) {
      return unit.next == ring ? null : unit.next;
    }

    void insert(Credit2Vcpu unit) {
      Credit2Vcpu at = ring.next;
      while (at != ring && at.credit >= unit.credit) {
        at = at.next;
      }
      unit.next = at;
      unit.previous = at.previous;
      at.previous.next = unit;
      at.previous = unit;
    }

    static void remove(Credit2Vcpu unit) {
      unit.previous.next = unit.next;
      unit.next.previous = unit.previous;
      unit.next = null;
      unit.previous = null;
    }

    void assign(Credit2Vcpu unit) {
      members.add(unit);
      unit.queue = this;
      weigh();
    }

    void dismiss(Credit2Vcpu unit) {
      members.remove(unit);
      unit.queue = null;
      weigh();
    }

    /** Finds the heaviest member. */
    void weigh() {
      maxWeight = 1;
      for (Credit2Vcpu unit : members) {
        maxWeight = Math.max(maxWeight, unit.domain.weight);
      }
    }

    /** Updates the load averages before the number of runnable vCPUs changes. */
    void track(long now, Credit2Vcpu unit, int change) {
      load = decay(load, runnable, now - loadUpdated);
      loadUpdated = now;
      runnable += change;
      if (unit != null) {
        int before = change < 0 ? 1 : 0;
        unit.load = decay(unit.load, before, now - unit.loadUpdated);
        unit.loadUpdated = now;
      }
    }

    static double decay(double average, int value, long nanos) {
      return nanos >= LOAD_WINDOW_NANOS
          ? value
          : average + (value - average) * (nanos / LOAD_WINDOW_NANOS);
    }
  }
}
