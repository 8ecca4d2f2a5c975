package io.slicewise.lab.fault;

import io.slicewise.base.units.EnumName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One scripted fault. It strikes {@code times} consecutive matching commands, starting with the
 * {@code occurrence}-th since the lab's start. A command matches if its line begins with {@code
 * command}.
 *
 * @param command the beginning of the command line without {@code sudo -n}; empty = any command
 * @param occurrence the first matching command to fail, from 1
 * @param times number of matching commands in a row that fail, at least 1
 * @param moment the moment in the command's life; only {@link FaultKind#DROP_CONNECTION} uses it
 * @param delay for {@link FaultKind#SLOW_NETWORK} the time added to each command; for the others
 *     the time from the command's start to the fault
 * @param guest the domain that crashes or reboots, or whose counters are concerned; empty for every
 *     machine's counters
 */
public record LabFault(
    FaultKind kind,
    String command,
    int occurrence,
    int times,
    Moment moment,
    Duration delay,
    String guest) {

  /** A moment in the life of a command. */
  public enum Moment {
    /** Before the command has run: nothing has changed. */
    BEFORE,
    /** After the command has run and before its answer is sent: its changes have taken effect. */
    AFTER
  }

  public LabFault {
    Objects.requireNonNull(kind);
    if (occurrence < 1 || times < 1) {
      throw new IllegalArgumentException("occurrence and times of a fault are at least 1");
    }
    if (kind.strikesGuest() && guest.isEmpty()) {
      throw new IllegalArgumentException(
          "fault %s needs a 'guest', a domain's name".formatted(kind.key()));
    }
    if (delay.isNegative()) {
      throw new IllegalArgumentException("the delay of a fault must not be negative");
    }
  }

  /** Returns a fault at the first command that begins with {@code command}. */
  public static LabFault at(FaultKind kind, String command) {
    return new LabFault(kind, command, 1, 1, Moment.BEFORE, Duration.ZERO, "");
  }

  /** Returns this fault of one guest's counters. */
  public LabFault of(String name) {
    return new LabFault(kind, command, occurrence, times, moment, delay, name);
  }

  public LabFault occurrence(int number) {
    return new LabFault(kind, command, number, times, moment, delay, guest);
  }

  public LabFault times(int number) {
    return new LabFault(kind, command, occurrence, number, moment, delay, guest);
  }

  /** Returns this fault, but after the command has run and before it is answered. */
  public LabFault afterwards() {
    return new LabFault(kind, command, occurrence, times, Moment.AFTER, delay, guest);
  }

  public LabFault delayed(Duration time) {
    return new LabFault(kind, command, occurrence, times, moment, time, guest);
  }

  public static LabFault crash(String guest, String command) {
    return new LabFault(FaultKind.CRASH_GUEST, command, 1, 1, Moment.BEFORE, Duration.ZERO, guest);
  }

  /** The faults that the lab can inject. */
  public enum FaultKind {
    /** The SSH connection breaks. */
    DROP_CONNECTION,
    /** The command fails with "Permission denied" and status 126 and is not run. */
    REFUSE_COMMAND,
    /** The command reports success but is not run. */
    IGNORE_SETTING,
    /**
     * xenmon loses its collector and ends early, with exit status 0 and the rows written so far.
     */
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

    public static Optional<FaultKind> of(String key) {
      return Arrays.stream(values()).filter(kind -> kind.key().equals(key)).findFirst();
    }
  }

  /** Counts the commands so far and returns the faults of the next one. Thread-safe. */
  public static final class FaultScript {
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
}
