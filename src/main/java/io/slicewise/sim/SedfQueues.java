package io.slicewise.sim;

/** One pCPU's queues: sEDF never looks at another's. */
final class SedfQueues {
  static final long QUANTUM_NANOS = 500_000;

  /** Period begun, slice not used up; earliest deadline first. */
  private final SedfList ready = new SedfList();

  /** Waiting for the period to begin; earliest first. */
  private final SedfList waiting = new SedfList();

  private final SedfExtraQueue penalty = new SedfExtraQueue(true);
  private final SedfExtraQueue utilisation = new SedfExtraQueue(false);

  // ---- a vCPU comes and goes

  void wake(SedfVcpu unit, long now) {
    if (unit.deadline == 0) {
      unit.deadline = now + unit.sliceNanos;
    }
    if (now < unit.periodBegin()) {
      if (unit.owed) {
        penalty.insert(unit, 0);
      }
    } else if (now < unit.deadline) {
      forfeit(unit);
    } else {
      unit.deadline = now + unit.periodNanos;
      unit.used = 0;
    }
    if (unit.extratime) {
      utilisation.insert(unit, 0);
    }
    enqueue(unit, now);
  }

  /** A short block: what is left of the slice is lost, and remembered as owed. */
  private void forfeit(SedfVcpu unit) {
    unit.deadline += unit.periodNanos;
    long lost = unit.blockedNanos == 0 ? 0 : Math.max(unit.sliceNanos - unit.used, 0);
    if (lost > 0) {
      unit.penaltyScore = (unit.periodNanos << 10) / lost;
      unit.owed = true;
      penalty.insert(unit, 0);
    }
    unit.used = 0;
  }

  void sleep(SedfVcpu unit) {
    if (!waiting.remove(unit)) {
      ready.remove(unit);
    }
    if (unit.owed) {
      penalty.remove(unit);
    }
    utilisation.remove(unit);
  }

  /** Extra time was switched on or off. */
  void reviseExtratime(SedfVcpu unit) {
    if (!unit.extratime && unit.runsFrom == null) {
      utilisation.remove(unit);
    } else if (unit.extratime && unit.vcpu.runnable() && !utilisation.contains(unit)) {
      utilisation.insert(unit, 0);
    }
  }

  private void enqueue(SedfVcpu unit, long now) {
    if (unit.periodBegin() > now) {
      await(unit);
    } else {
      makeReady(unit);
    }
  }

  private void makeReady(SedfVcpu unit) {
    int at = 0;
    while (at < ready.size() && ready.get(at).deadline <= unit.deadline) {
      at++;
    }
    ready.insert(at, unit);
  }

  private void await(SedfVcpu unit) {
    int at = 0;
    while (at < waiting.size() && waiting.get(at).periodBegin() <= unit.periodBegin()) {
      at++;
    }
    waiting.insert(at, unit);
  }

  /** Whether a vCPU that has just woken up is reason enough to choose anew. */
  boolean disturbs(SedfVcpu unit, SedfVcpu current, long sliceEnd) {
    if (unit.periodBegin() < sliceEnd || current == null) {
      return true;
    }
    if (current.runsFrom == null || !unit.owed) {
      return false;
    }
    return !current.runsFrom.isPenalty() || unit.penaltyScore < current.penaltyScore;
  }

  // ---- the running vCPU stops, or goes on

  void stop(SedfVcpu unit, long now) {
    if (!unit.vcpu.runnable()) {
      unit.blockedNanos = now;
    }
    if (unit.runsFrom == null) {
      stopGuaranteed(unit, now);
    } else {
      stopExtra(unit);
    }
  }

  private void stopGuaranteed(SedfVcpu unit, long now) {
    unit.used += now - unit.startedNanos;
    if (unit.used < unit.sliceNanos && unit.vcpu.runnable()) {
      return;
    }
    ready.remove(unit);
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

  /** The debt is cancelled after one quantum, however large; else the score goes back to full. */
  private void stopExtra(SedfVcpu unit) {
    SedfExtraQueue from = unit.runsFrom;
    unit.runsFrom = null;
    unit.used = 0;
    from.remove(unit);
    long before = from.score(unit);
    if (from.isPenalty()) {
      unit.owed = false;
    } else {
      unit.utilisationScore = unit.fullScore;
    }
    if (!unit.vcpu.runnable()) {
      sleep(unit);
    } else if (!from.isPenalty() && unit.extratime) {
      from.insert(unit, before);
    }
  }

  // ---- the next one

  /** Chooses for this pCPU, and sets the end of its slice. */
  SedfVcpu choose(Pcpu p, long now) {
    beginPeriods(now);
    reviseReady(now);
    long nextBegin = waiting.isEmpty() ? Timers.NEVER : waiting.get(0).periodBegin();
    SedfVcpu next;
    if (!ready.isEmpty()) {
      next = ready.get(0);
      p.sliceEnd = Math.min(now + next.sliceNanos - next.used, nextBegin);
    } else {
      next = spare(nextBegin - now);
      p.sliceEnd = next == null ? nextBegin : now + quanta(nextBegin - now) * QUANTUM_NANOS;
    }
    if (next != null) {
      next.startedNanos = now;
    }
    return next;
  }

  /** One; but who is alone gets all that fit at once, to be cut short when company comes. */
  private long quanta(long nanos) {
    return penalty.size() + utilisation.size() == 1 ? nanos / QUANTUM_NANOS : 1;
  }

  /** Ends the run of one that was alone with the quantum it is in; says whether that is sooner. */
  boolean endsSolitude(Pcpu p, SedfVcpu current, long now) {
    if (current == null
        || current.runsFrom == null
        || p.sliceEnd - current.startedNanos <= QUANTUM_NANOS) {
      return false;
    }
    long quanta = (now - current.startedNanos) / QUANTUM_NANOS + 1;
    long end = current.startedNanos + quanta * QUANTUM_NANOS;
    boolean shortens = end < p.sliceEnd;
    p.sliceEnd = Math.min(p.sliceEnd, end);
    return shortens;
  }

  private SedfVcpu spare(long nanos) {
    SedfExtraQueue from = penalty.isEmpty() ? utilisation : penalty;
    if (nanos < QUANTUM_NANOS || from.isEmpty()) {
      return null;
    }
    from.head().runsFrom = from;
    return from.head();
  }

  private void beginPeriods(long now) {
    while (!waiting.isEmpty() && waiting.get(0).periodBegin() <= now) {
      makeReady(waiting.removeFirst());
    }
  }

  /** Sends those without a slice to their next period, and those too late to a fresh one. */
  private void reviseReady(long now) {
    while (!ready.isEmpty()) {
      SedfVcpu unit = ready.get(0);
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
      ready.removeFirst();
      if (unit.sliceNanos == 0) {
        await(unit);
      } else {
        enqueue(unit, now);
      }
    }
  }
}
