package io.slicewise.lab.monitor;

import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.RunstateListener;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The hypervisor's trace buffers, which one reader has at a time: a new one takes them from the one
 * before, who then sees nothing more.
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

  /** Makes a reader at one moment of the machine and lets it have the buffers. */
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

  /** Gives the buffers back, if that reader still has them. */
  void stop(RunstateListener who) {
    if (reader.compareAndSet(who, null)) {
      driver.ignore(who);
    }
  }

  /** Takes the buffers from whoever has them: the reader's process has been killed. */
  public void kill() {
    RunstateListener before = reader.getAndSet(null);
    if (before != null) {
      driver.ignore(before);
    }
  }
}
