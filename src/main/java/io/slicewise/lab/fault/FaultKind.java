package io.slicewise.lab.fault;

import io.slicewise.base.units.EnumName;
import java.util.Arrays;
import java.util.Optional;

/** The faults that the lab can inject. */
public enum FaultKind {
  /** The SSH connection breaks. */
  DROP_CONNECTION,
  /** The command fails with "Permission denied" and status 126 and is not run. */
  REFUSE_COMMAND,
  /** The command reports success but is not run. */
  IGNORE_SETTING,
  /** xenmon loses its collector and ends early, with exit status 0 and the rows written so far. */
  KILL_XENMON,
  /** The log files of xenmon lose their second half when it ends. */
  TRUNCATE_XENMON,
  /** Every command takes longer by {@code delay} from now on. */
  SLOW_NETWORK,
  /** The control domain's disk is full from now on. */
  FILL_DISK,
  /** A guest crashes. */
  CRASH_GUEST,
  /** A guest reboots: its kernel starts anew, under another domain id. */
  REBOOT_GUEST,
  /** The counters of a machine are read later by {@code delay}. */
  LATE_PROBE,
  /** A machine's clock jumps ahead by {@code delay} and stays there. */
  CLOCK_JUMP,
  /** A machine's kernel does not count pressure. */
  NO_PSI,
  /** The 32-bit times of a machine's disks begin just below their wrap. */
  WRAP_DISKSTATS,
  /** The machine reboots, with the settings of its first boot. */
  REBOOT_DOM0;

  /** Whether a guest crashes or reboots. */
  public boolean strikesGuest() {
    return this == CRASH_GUEST || this == REBOOT_GUEST;
  }

  /** Whether it concerns the counters of one machine, or of all if none is named. */
  boolean ofCounters() {
    return this == LATE_PROBE || this == CLOCK_JUMP || this == NO_PSI || this == WRAP_DISKSTATS;
  }

  /** Returns the name used in files, such as {@code drop-connection}. */
  public String key() {
    return EnumName.of(this);
  }

  static Optional<FaultKind> of(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
  }
}
