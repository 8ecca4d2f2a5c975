package io.slicewise.lab.monitor;

import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.RunstateListener;
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
}
