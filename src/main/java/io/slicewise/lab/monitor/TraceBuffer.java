package io.slicewise.lab.monitor;

import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.RunstateListener;
import java.util.ArrayList;
import java.util.List;

/** A buffer that collects changes on the machine's thread for another thread to read. */
final class TraceBuffer implements RunstateListener {
  private List<TraceRecord> records = new ArrayList<>();

  @Override
  public synchronized void changed(
      long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause) {
    records.add(new TraceRecord(nanos, domid, vcpu, pcpu, from, to, cause));
  }

  /** Returns all records since the last call. */
  synchronized List<TraceRecord> drain() {
    List<TraceRecord> drained = records;
    records = new ArrayList<>();
    return drained;
  }
}
