package io.slicewise.lab.sim;

import java.util.function.ToLongFunction;

/** The queues of one pCPU. sEDF never looks at the queues of another pCPU. */
final class SedfQueues {
  static final long QUANTUM_NANOS = 500_000;

  /** vCPUs whose period has begun and whose slice is not used up, earliest deadline first. */
  private final SedfList ready = new SedfList();

  /** vCPUs waiting for their period to begin, earliest first. */
  private final SedfList waiting = new SedfList();

  /** vCPUs that lost guaranteed time. */
  private final SedfList penalty = new SedfList();

  /** vCPUs that take spare time, by weight. */
  private final SedfList utilisation = new SedfList();

  /**
   * The offset of all scores. After a vCPU has used a quantum, its score is subtracted from the
   * scores of all others. Scores are therefore stored as keys, the sum of score and clock.
   * Advancing the clock to that vCPU's key subtracts its score from all of them at once.
   */
  private long clock;

  /** Whether timers are on time. If not, they are late once per quantum. */
  private final boolean punctual;

  SedfQueues(boolean punctual) {
    this.punctual = punctual;
  }

  // ---- a vCPU comes and goes

  void wake(SedfVcpu unit, long now) {
    if (unit.deadline == 0) {
      unit.deadline = now + unit.sliceNanos;
    }
    if (now < unit.periodBegin()) {
      if (unit.owed) {
        penalty.insert(unit.penalty, unit.penalty.key);
      }
    } else if (now < unit.deadline) {
      forfeit(unit);
    } else {
      unit.deadline = now + unit.periodNanos;
      unit.used = 0;
    }
    if (unit.extratime) {
      competeForSpare(unit);
    }
    enqueue(unit, now);
  }

  /** Handles a short block: the rest of the slice is lost and recorded as owed. */
  private void forfeit(SedfVcpu unit) {
    unit.deadline += unit.periodNanos;
    long lost = unit.blockedNanos == 0 ? 0 : Math.max(unit.sliceNanos - unit.used, 0);
    if (lost > 0) {
      unit.owed = true;
      penalty.insert(unit.penalty, (unit.periodNanos << 10) / lost);
    }
    unit.used = 0;
  }

  void sleep(SedfVcpu unit) {
    unit.turn.remove();
    unit.penalty.remove();
    renounceSpare(unit);
  }

  private void competeForSpare(SedfVcpu unit) {
    utilisation.insert(unit.utilisation, clock + unit.score);
  }

  private void renounceSpare(SedfVcpu unit) {
    if (unit.utilisation.queued()) {
      unit.utilisation.remove();
      unit.score = unit.utilisation.key - clock;
    }
  }

  /** Updates the queue after periods may have changed. The order is kept. */
  void revisePeriods() {
    waiting.revise(SedfVcpu::periodBegin);
  }

  /** Updates the queue after extra time was switched on or off. */
  void reviseExtratime(SedfVcpu unit) {
    if (!unit.extratime && unit.runsAs == null) {
      renounceSpare(unit);
    } else if (unit.extratime && unit.vcpu.runnable() && !unit.utilisation.queued()) {
      competeForSpare(unit);
    }
  }

  private void enqueue(SedfVcpu unit, long now) {
    if (unit.periodBegin() > now) {
      await(unit);
    } else {
      ready.insert(unit.turn, unit.deadline);
    }
  }

  private void await(SedfVcpu unit) {
    waiting.insert(unit.turn, unit.periodBegin());
  }

  /** Returns whether a vCPU that has just woken up requires a new choice. */
  boolean disturbs(SedfVcpu unit, SedfVcpu current, long sliceEnd) {
    if (unit.periodBegin() < sliceEnd || current == null) {
      return true;
    }
    if (current.runsAs == null || !unit.owed) {
      return false;
    }
    return current.runsAs != current.penalty || unit.penalty.key < current.penalty.key;
  }

  // ---- the running vCPU stops, or goes on

  void stop(SedfVcpu unit, long now) {
    if (!unit.vcpu.runnable()) {
      unit.blockedNanos = now;
    }
    if (unit.runsAs == null) {
      stopGuaranteed(unit, now);
    } else {
      passQuanta(unit, now - 1);
      stopExtra(unit);
    }
  }

  private void stopGuaranteed(SedfVcpu unit, long now) {
    unit.used += now - unit.startedNanos;
    if (unit.used < unit.sliceNanos && unit.vcpu.runnable()) {
      return;
    }
    unit.turn.remove();
    if (unit.used >= unit.sliceNanos) {
      unit.used -= unit.sliceNanos;
      unit.deadline += unit.periodNanos;
    }
    if (unit.vcpu.runnable()) {
      await(unit);
    } else {
      sleep(unit);
    }
  }

  /**
   * Ends extra time. A debt is cancelled after one quantum, however large; otherwise the score
   * returns to its full value.
   */
  private void stopExtra(SedfVcpu unit) {
    SedfLink place = unit.runsAs;
    unit.runsAs = null;
    unit.used = 0;
    place.remove();
    if (place == unit.penalty) {
      unit.owed = false;
    } else {
      unit.score = unit.fullScore;
    }
    if (!unit.vcpu.runnable()) {
      sleep(unit);
    } else if (place == unit.utilisation && unit.extratime) {
      clock = place.key;
      competeForSpare(unit);
    }
  }

  // ---- the next one

  /** Chooses the next vCPU for this pCPU and sets the end of its slice. */
  SedfVcpu choose(Pcpu p, long now) {
    beginPeriods(now);
    reviseReady(now);
    long nextBegin = waiting.firstKey();
    SedfVcpu next;
    if (!ready.isEmpty()) {
      next = ready.first();
      p.sliceEnd = Math.min(now + next.sliceNanos - next.used, nextBegin);
    } else {
      next = spare(nextBegin - now);
      p.sliceEnd = next == null ? nextBegin : now + quanta(next, nextBegin - now) * QUANTUM_NANOS;
    }
    if (next != null) {
      next.startedNanos = now;
    }
    return next;
  }

  /**
   * Returns the number of quanta to run. Quanta are granted one at a time, but consecutive ones for
   * the same vCPU are combined and cut short when another vCPU arrives. A vCPU without competitors
   * gets all quanta that fit, and they count as one.
   */
  private long quanta(SedfVcpu unit, long nanos) {
    unit.quanta = 1;
    if (unit.runsAs == unit.penalty) {
      return penalty.isSingle() && utilisation.isEmpty() ? nanos / QUANTUM_NANOS : 1;
    }
    if (utilisation.isSingle()) {
      return nanos / QUANTUM_NANOS;
    }
    long lead = utilisation.secondKey() - unit.utilisation.key;
    if (punctual && lead > unit.fullScore) {
      long ahead = 1 + (lead - 1) / Math.max(unit.fullScore, 1);
      unit.quanta = Math.min(nanos / QUANTUM_NANOS, ahead);
    }
    return unit.quanta;
  }

  /** Marks the completed quanta of the running vCPU's run as used. */
  private void passQuanta(SedfVcpu unit, long now) {
    if (unit.quanta > 1) {
      long over = Math.min((now - unit.startedNanos) / QUANTUM_NANOS, unit.quanta - 1);
      unit.quanta -= over;
      unit.startedNanos += over * QUANTUM_NANOS;
      unit.utilisation.key += over * unit.fullScore;
      clock = over == 0 ? clock : unit.utilisation.key - unit.fullScore;
    }
  }

  /** Ends a run of several quanta after the current one. Returns whether this shortens the run. */
  boolean endsRun(Pcpu p, SedfVcpu current, long now) {
    if (current.runsAs == null || p.sliceEnd - current.startedNanos <= QUANTUM_NANOS) {
      return false;
    }
    passQuanta(current, now);
    current.quanta = 1;
    long quanta = (now - current.startedNanos) / QUANTUM_NANOS + 1;
    long end = current.startedNanos + quanta * QUANTUM_NANOS;
    boolean shortens = end < p.sliceEnd;
    p.sliceEnd = Math.min(p.sliceEnd, end);
    return shortens;
  }

  private SedfVcpu spare(long nanos) {
    if (nanos < QUANTUM_NANOS) {
      return null;
    }
    SedfVcpu owed = penalty.first();
    if (owed != null) {
      owed.runsAs = owed.penalty;
      return owed;
    }
    SedfVcpu next = utilisation.first();
    if (next != null) {
      next.runsAs = next.utilisation;
    }
    return next;
  }

  private void beginPeriods(long now) {
    while (waiting.firstKey() <= now) {
      SedfVcpu unit = waiting.first();
      unit.turn.remove();
      ready.insert(unit.turn, unit.deadline);
    }
  }

  /**
   * Moves vCPUs without a slice to their next period, and those past their deadline to a new one.
   */
  private void reviseReady(long now) {
    while (!ready.isEmpty()) {
      SedfVcpu unit = ready.first();
      long late;
      if (unit.sliceNanos == 0) {
        unit.deadline += unit.periodNanos;
        late = now - unit.periodBegin();
      } else if (unit.deadline < now || unit.used > unit.sliceNanos) {
        unit.deadline += unit.periodNanos;
        late = now - unit.deadline;
        unit.used = 0;
      } else {
        return;
      }
      if (late > 0) {
        unit.deadline += (late + unit.periodNanos - 1) / unit.periodNanos * unit.periodNanos;
      }
      unit.turn.remove();
      if (unit.sliceNanos == 0) {
        await(unit);
      } else {
        enqueue(unit, now);
      }
    }
  }

  /**
   * A short list of vCPUs in ascending order of a key. Equal keys keep their order of insertion.
   */
  private static final class SedfList {
    private final SedfLink ring = new SedfLink(null);

    SedfList() {
      ring.key = Timers.NEVER;
    }

    boolean isEmpty() {
      return !ring.queued();
    }

    boolean isSingle() {
      return ring.next == ring.previous && ring.queued();
    }

    SedfVcpu first() {
      return ring.next.unit;
    }

    /**
     * Returns the key of the second vCPU, or {@link Timers#NEVER} if the list has fewer than two.
     */
    long secondKey() {
      return ring.next.next.key;
    }

    /** Returns the least key, or {@link Timers#NEVER} if the list is empty. */
    long firstKey() {
      return ring.next.key;
    }

    /** Replaces all keys but keeps the order. */
    void revise(ToLongFunction<SedfVcpu> key) {
      for (SedfLink at = ring.next; at != ring; at = at.next) {
        at.key = key.applyAsLong(at.unit);
      }
    }

    void insert(SedfLink link, long key) {
      SedfLink at = ring.next;
      while (at != ring && at.key <= key) {
        at = at.next;
      }
      link.key = key;
      link.next = at;
      link.previous = at.previous;
      at.previous.next = link;
      at.previous = link;
    }
  }

  /** A vCPU's node in one of its pCPU's {@link SedfList}s. It links to itself while in no list. */
  private static final class SedfLink {
    final SedfVcpu unit;

    /** The key by which it is or was last queued. */
    long key;

    SedfLink next = this;
    SedfLink previous = this;

    SedfLink(SedfVcpu unit) {
      this.unit = unit;
    }

    boolean queued() {
      return next != this;
    }

    /** Removes it from its queue, if it is in one. */
    void remove() {
      previous.next = next;
      next.previous = previous;
      next = this;
      previous = this;
    }
  }

  /** sEDF's view of a vCPU. */
  static final class SedfVcpu {
    static final long WEIGHT_PERIOD_NANOS = 100_000_000;

    final Vcpu vcpu;

    /**
     * Its node in the queue of ready vCPUs, by deadline, or of waiting ones, by start of the
     * period.
     */
    final SedfLink turn = new SedfLink(this);

    /**
     * Its node in the queue of owed time, where those that lost most of their period come first.
     */
    final SedfLink penalty = new SedfLink(this);

    /** Its node in the queue for spare time, by {@link SedfQueues}'s clock plus its score. */
    final SedfLink utilisation = new SedfLink(this);

    long periodNanos = WEIGHT_PERIOD_NANOS;
    long sliceNanos;
    long latencyNanos;
    boolean extratime = true;
    int extraWeight = 1;

    /** The real-time weight; 0 when period and slice are given. */
    int weight;

    /** The end of the period, which begins one period earlier; 0 until the first wake-up. */
    long deadline;

    /** The time it has run in this period. */
    long used;

    long startedNanos;

    /** The number of consecutive quanta of spare time granted; see {@link SedfQueues#choose}. */
    long quanta;

    long blockedNanos;

    /**
     * Its node in the queue that granted it spare time; null in guaranteed time or off the pCPU.
     */
    SedfLink runsAs;

    /** Whether it lost guaranteed time to a short block and is owed compensation. */
    boolean owed;

    /** The score it returns to after each quantum; cached because it needs a division. */
    long fullScore = 1 << 17;

    /** Its score when it left the queue for spare time. */
    long score;

    SedfVcpu(Vcpu vcpu) {
      this.vcpu = vcpu;
    }

    /** Updates the full score; called after any of its inputs has changed. */
    void reviseFullScore() {
      fullScore =
          extraWeight == 0
              ? (periodNanos << 10) / Math.max(sliceNanos, 1)
              : (1 << 17) / extraWeight;
    }

    long periodBegin() {
      return deadline - periodNanos;
    }
  }
}
