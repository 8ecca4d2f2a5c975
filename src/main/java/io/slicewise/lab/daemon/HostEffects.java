package io.slicewise.lab.daemon;

import io.slicewise.lab.fault.LabFault;

/** Applies the faults that affect the host rather than the connection. */
@FunctionalInterface
public interface HostEffects {
  /** Triggers a fault now and returns at once. */
  void inject(LabFault fault);
}
