package io.slicewise.lab.sim;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.List;

/**
 * Xen's null scheduler: each vCPU has a pCPU of its own, which runs nothing else. A vCPU for which
 * none is left waits until one is.
 */
final class NullPolicy implements Policy {
  private final Pool pool;
  private final Engine engine;

  /** vCPUs without a pCPU, first come, first served. */
  private final List<Vcpu> waiting = new ArrayList<>();

  NullPolicy(Pool pool, Engine engine) {
    this.pool = pool;
    this.engine = engine;
  }

  @Override
  public SchedulerOptions options() {
    return SchedulerOptions.Null.ANY;
  }

  @Override
  public void addPcpu(Pcpu p) {
    p.data = null;
    serve(p);
  }

  @Override
  public void join(Vcpu v) {
    v.pcpu = place(v);
  }

  @Override
  public void leave(Vcpu v) {
    waiting.remove(v);
    release(v);
  }

  private void release(Vcpu v) {
    if (v.pcpu != null && v.pcpu.data == v) {
      v.pcpu.data = null;
      serve(v.pcpu);
    }
  }

  /** Gives a pCPU without a vCPU to the first one that waits and may use it. */
  private void serve(Pcpu p) {
    for (Vcpu v : waiting) {
      if (v.mayRunOn(p) && p.data == null) {
        p.data = v;
        v.pcpu = p;
      }
    }
    if (p.data != null) {
      waiting.remove((Vcpu) p.data);
      engine.poke(p);
    }
  }

  @Override
  public Pcpu place(Vcpu v) {
    waiting.remove(v);
    release(v);
    for (long left = v.allowed & pool.mask; left != 0; left &= left - 1) {
      Pcpu p = engine.pcpus[Long.numberOfTrailingZeros(left)];
      if (p.data == null) {
        p.data = v;
        return p;
      }
    }
    waiting.add(v);
    return pool.first(v.allowed);
  }

  @Override
  public void wake(Vcpu v) {
    if (v.pcpu.data == v) {
      engine.poke(v.pcpu);
    }
  }

  @Override
  public void sleep(Vcpu v) {
    // Its pCPU stays its own.
  }

  @Override
  public Vcpu schedule(Pcpu p) {
    p.sliceEnd = Timers.NEVER;
    Vcpu its = (Vcpu) p.data;
    return its != null && its.runnable() ? its : null;
  }

  @Override
  public SchedulerParameters parameters(Vcpu v) {
    return SchedulerParameters.defaults(Scheduler.NULL);
  }
}
