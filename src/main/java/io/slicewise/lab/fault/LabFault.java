package io.slicewise.lab.fault;

import java.time.Duration;
import java.util.Objects;

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
}
