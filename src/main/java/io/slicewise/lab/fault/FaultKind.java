package io.slicewise.lab.fault;

import java.util.Arrays;
import java.util.Locale;
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
  /** The machine reboots, with the settings of its first boot. */
  REBOOT_DOM0;

  /** Returns the name used in files, such as {@code drop-connection}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<FaultKind> of(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
  }
}
