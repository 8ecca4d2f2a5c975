package io.slicewise.lab.fault;

import java.util.ArrayList;
import java.util.List;

/** Counts the commands so far and returns the faults of the next one. Thread-safe. */
public final class FaultScript {
  private final List<LabFault> faults;
  private final int[] seen;

  public FaultScript(List<LabFault> faults) {
    this.faults = List.copyOf(faults);
    this.seen = new int[faults.size()];
  }

  /** Counts a command and returns the faults that it triggers, in the script's order. */
  public synchronized List<LabFault> arrived(String line) {
    String bare = line.startsWith("sudo -n ") ? line.substring("sudo -n ".length()) : line;
    List<LabFault> now = new ArrayList<>();
    for (int i = 0; i < faults.size(); i++) {
      LabFault fault = faults.get(i);
      if (bare.startsWith(fault.command())) {
        seen[i]++;
        if (seen[i] >= fault.occurrence() && seen[i] < fault.occurrence() + fault.times()) {
          now.add(fault);
        }
      }
    }
    return now;
  }
}
