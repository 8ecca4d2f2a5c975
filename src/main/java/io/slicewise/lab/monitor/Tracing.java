package io.slicewise.lab.monitor;

import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.Runstate.RunstateListener;
import io.slicewise.lab.sim.Runstate.RunstateListener.Cause;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The hypervisor's trace buffers, which have one reader at a time. A new reader takes them over,
 * and the previous one receives nothing more.
 */
public final class Tracing {
  private final Driver driver;
  private final AtomicReference<RunstateListener> reader = new AtomicReference<>();

  public Tracing(Driver driver) {
    this.driver = driver;
  }

  Driver driver() {
    return driver;
  }

  /** Creates a reader on the machine's thread and gives it the buffers. */
  <T extends RunstateListener> T start(Function<Machine, T> maker) {
    return driver.ask(
        machine -> {
          T made = maker.apply(machine);
          RunstateListener before = reader.getAndSet(made);
          if (before != null) {
            driver.ignore(before);
          }
          driver.listen(made);
          return made;
        });
  }

  boolean has(RunstateListener who) {
    return reader.get() == who;
  }

  /** Releases the buffers if that reader still has them. */
  void stop(RunstateListener who) {
    if (reader.compareAndSet(who, null)) {
      driver.ignore(who);
    }
  }

  /** Takes the buffers from their reader, as when its process is killed. */
  public void kill() {
    RunstateListener before = reader.getAndSet(null);
    if (before != null) {
      driver.ignore(before);
    }
  }

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
}
