package io.slicewise.lab.fault;

import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.fault.LabFault.FaultScript;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The injected faults of one machine's counters; readings take the place of commands. */
public final class CounterFaults {
  private static final long WRAP = 1L << 32;
  private static final long BELOW_WRAP_MILLIS = 500;

  private final List<LabFault> faults;
  private final FaultScript readings;
  private Duration ahead = Duration.ZERO;

  private CounterFaults(List<LabFault> faults) {
    this.faults = faults;
    this.readings = new FaultScript(faults.stream().filter(fault -> !standing(fault)).toList());
  }

  /** Returns those that concern a machine. */
  public static CounterFaults of(List<LabFault> all, String machine) {
    return new CounterFaults(
        all.stream()
            .filter(fault -> fault.kind().ofCounters())
            .filter(fault -> fault.guest().isEmpty() || fault.guest().equals(machine))
            .toList());
  }

  private static boolean standing(LabFault fault) {
    return fault.kind() == FaultKind.NO_PSI || fault.kind() == FaultKind.WRAP_DISKSTATS;
  }

  private boolean has(FaultKind kind) {
    return faults.stream().anyMatch(fault -> fault.kind() == kind);
  }

  /** Whether the kernel counts pressure. */
  public boolean pressure() {
    return !has(FaultKind.NO_PSI);
  }

  /** Returns where 32-bit counters of milliseconds begin. */
  public long diskMillis() {
    return has(FaultKind.WRAP_DISKSTATS) ? WRAP - BELOW_WRAP_MILLIS : 0;
  }

  /** Returns how far the clock is ahead. */
  public synchronized Duration ahead() {
    return ahead;
  }

  /** Counts a reading, which may be late or find the clock ahead. */
  public void reading() {
    for (LabFault fault : readings.arrived("")) {
      if (fault.kind() == FaultKind.LATE_PROBE) {
        late(fault.delay());
      } else {
        jump(fault.delay());
      }
    }
  }

  private synchronized void jump(Duration by) {
    ahead = ahead.plus(by);
  }

  private static void late(Duration by) {
    try {
      TimeUnit.NANOSECONDS.sleep(by.toNanos());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
