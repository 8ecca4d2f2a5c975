package io.slicewise.lab.daemon;

import io.slicewise.lab.fault.LabFault;

/** Carries out the faults that strike the host and not the connection. */
@FunctionalInterface
public interface HostEffects {
  /** Makes it happen, now; returns at once. */
  void inject(LabFault fault);
}
