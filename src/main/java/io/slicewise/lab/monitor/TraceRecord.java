package io.slicewise.lab.monitor;

import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.RunstateListener.Cause;
import java.nio.ByteBuffer;
import java.util.List;

/** One runstate change in a trace file: 16 bytes, big-endian. */
record TraceRecord(
    long nanos, int domid, int vcpu, int pcpu, Runstate from, Runstate to, Cause cause) {
  static final int BYTES = 16;

  /** The codes in the file are indexes into these lists. */
  private static final List<Runstate> STATES =
      List.of(Runstate.RUNNING, Runstate.RUNNABLE, Runstate.BLOCKED, Runstate.OFFLINE);

  private static final List<Cause> CAUSES = List.of(Cause.NONE, Cause.WAKE, Cause.PREEMPT);

  static TraceRecord read(ByteBuffer buffer) {
    return new TraceRecord(
        buffer.getLong(),
        buffer.getShort(),
        buffer.getShort(),
        buffer.get(),
        STATES.get(buffer.get()),
        STATES.get(buffer.get()),
        CAUSES.get(buffer.get()));
  }

  void write(ByteBuffer buffer) {
    buffer.putLong(nanos).putShort((short) domid).putShort((short) vcpu).put((byte) pcpu);
    buffer.put((byte) STATES.indexOf(from)).put((byte) STATES.indexOf(to));
    buffer.put((byte) CAUSES.indexOf(cause));
  }
}
