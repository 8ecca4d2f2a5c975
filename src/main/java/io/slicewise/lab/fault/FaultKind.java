package io.slicewise.lab.fault;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What can be made to go wrong. */
public enum FaultKind {
  /** The SSH connection breaks. */
  DROP_CONNECTION,
  /** The command is answered with "Permission denied" and status 126, and not run. */
  REFUSE_COMMAND,
  /** The command is answered with success, and not run. */
  IGNORE_SETTING,
  /** xenmon loses its collector and ends early, with success and the rows written so far. */
  KILL_XENMON,
  /** The log files of xenmon lose their second half when it ends. */
  TRUNCATE_XENMON,
  /** From now on every command takes longer by {@code delay}. */
  SLOW_NETWORK,
  /** The control domain's disk has no room left from now on. */
  FILL_DISK,
  /** A guest crashes. */
  CRASH_GUEST,
  /** The machine reboots, with the settings of its first boot. */
  REBOOT_DOM0;

  /** As written in files: {@code drop-connection}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<FaultKind> of(String key) {
    return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
  }
}
