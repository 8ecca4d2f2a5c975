package io.slicewise.lab.monitor;

import io.slicewise.lab.monitor.TracedDomain.PairUse;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.DomainView;
import io.slicewise.lab.sim.Machine.VcpuView;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * xenbaked's accounting: one state for each pair of pCPU and domain, changed only by events on that
 * pCPU. Used on the machine's thread only.
 *
 * <p>Blocked time therefore overlaps with waiting time. A wake-up is recorded on the pCPU of the
 * waker, and the sleeper's pCPU remains blocked in these records until the vCPU runs again. On a
 * machine with one pCPU, waker and sleeper share one record and the three times add up. Waiting
 * time comes from the switch record and is always correct.
 */
final class Xenbaked implements RunstateListener {
  /** The domain number that xenmon gives to the idle domain. */
  static final int IDLE = -1;

  private final boolean onePcpu;
  private final Map<Long, Books> books = new HashMap<>();
  private final Map<Long, Long> runnableSince = new HashMap<>();
  private long lastLook;

  /** Starts accounting with the vCPUs that run or wait now. */
  Xenbaked(Machine machine, int pcpus) {
    onePcpu = pcpus == 1;
    lastLook = machine.now();
    for (int pcpu = 0; pcpu < pcpus; pcpu++) {
      pair(pcpu, IDLE, machine.now()).state = Runstate.RUNNING;
    }
    for (DomainView domain : machine.domains()) {
      for (VcpuView vcpu : machine.vcpus(domain.domid())) {
        open(vcpu, machine.now());
      }
    }
  }

  private void open(VcpuView vcpu, long now) {
    if (vcpu.state() == Runstate.RUNNING) {
      pair(vcpu.pcpu(), vcpu.domid(), now).state = Runstate.RUNNING;
      pair(vcpu.pcpu(), IDLE, now).state = Runstate.BLOCKED;
    } else if (vcpu.state() == Runstate.RUNNABLE) {
      runnableSince.put(key(vcpu.domid(), vcpu.vcpu()), now);
    }
  }

  @Override
  public void changed(
      long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause) {
    Books pair = pair(pcpu, domid, nanos);
    long vcpuKey = key(domid, vcpu);
    if (from == Runstate.RUNNING) {
      pair.turn(to, nanos);
      pair(pcpu, IDLE, nanos).dispatch(nanos, 0);
    }
    if (to == Runstate.RUNNABLE) {
      runnableSince.put(vcpuKey, nanos);
      if (onePcpu) {
        pair.turn(Runstate.RUNNABLE, nanos);
      }
    } else if (to == Runstate.RUNNING) {
      pair(pcpu, IDLE, nanos).leave(nanos);
      pair.waited += nanos - runnableSince.getOrDefault(vcpuKey, nanos);
      pair.dispatch(nanos, vcpu);
    }
  }

  private Books pair(int pcpu, int domid, long nanos) {
    return books.computeIfAbsent(key(pcpu, domid), key -> new Books(pcpu, domid, nanos));
  }

  private static long key(int high, int low) {
    return ((long) high << 32) | (low & 0xffffffffL);
  }

  /**
   * The activity of every pair since the last reading, in no particular order.
   *
   * @param elapsedNanos time since the last reading, at least 1
   */
  record Taken(long elapsedNanos, List<PairUse> uses) {}

  Taken take(long nanos) {
    List<PairUse> uses = new ArrayList<>();
    books.values().forEach(pair -> uses.add(pair.taken(nanos)));
    Taken taken = new Taken(Math.max(1, nanos - lastLook), uses);
    lastLook = nanos;
    return taken;
  }

  private static final class Books {
    private final int pcpu;
    private final int domid;
    private Runstate state = Runstate.BLOCKED;
    private long since;
    private long run;
    private long blocked;
    private long waited;
    private long dispatches;
    private long vcpuIds;

    Books(int pcpu, int domid, long since) {
      this.pcpu = pcpu;
      this.domid = domid;
      this.since = since;
    }

    void dispatch(long nanos, int vcpu) {
      turn(Runstate.RUNNING, nanos);
      dispatches++;
      vcpuIds += vcpu;
    }

    /** Ends idle time. An idle period of zero length is not counted. */
    void leave(long nanos) {
      if (state == Runstate.RUNNING && since == nanos && dispatches > 0) {
        dispatches--;
      }
      turn(Runstate.RUNNABLE, nanos);
    }

    void turn(Runstate next, long nanos) {
      long passed = nanos - since;
      run += state == Runstate.RUNNING ? passed : 0;
      blocked += state == Runstate.BLOCKED && domid != IDLE ? passed : 0;
      state = next;
      since = nanos;
    }

    PairUse taken(long nanos) {
      turn(state, nanos);
      PairUse use = new PairUse(pcpu, domid, run, blocked, waited, dispatches, vcpuIds);
      run = 0;
      blocked = 0;
      waited = 0;
      dispatches = 0;
      vcpuIds = 0;
      return use;
    }
  }
}
