package io.slicewise.lab.fault;

import java.time.Duration;
import java.util.Objects;

/**
 * One scripted fault. It happens at the {@code occurrence}-th command whose line begins with {@code
 * command}, counted from the lab's start, and as often as {@code times} says.
 *
 * @param command the beginning of the command line, {@code sudo -n} left out; empty = any command
 * @param occurrence 1 = the first such command
 * @param times how many such commands in a row are hit, at least 1
 * @param moment when in the command's life; only {@link FaultKind#DROP_CONNECTION} tells them apart
 * @param delay for {@link FaultKind#SLOW_NETWORK} what is added to each command; for the others how
 *     long after the command's start it happens
 * @param guest for {@link FaultKind#CRASH_GUEST} the domain's name, empty otherwise
 */
public record LabFault(
    FaultKind kind,
    String command,
    int occurrence,
    int times,
    Moment moment,
    Duration delay,
    String guest) {

  /** When in the life of a command. */
  public enum Moment {
    /** Before it has run: nothing has changed. */
    BEFORE,
    /** After it has run, before its answer is sent: what it changed is changed. */
    AFTER
  }

  public LabFault {
    Objects.requireNonNull(kind);
    if (occurrence < 1 || times < 1) {
      throw new IllegalArgumentException("occurrence and times of a fault are at least 1");
    }
    if (kind == FaultKind.CRASH_GUEST && guest.isEmpty()) {
      throw new IllegalArgumentException("fault crash-guest needs a 'guest', a domain's name");
    }
    if (delay.isNegative()) {
      throw new IllegalArgumentException("the delay of a fault must not be negative");
    }
  }

  /** That fault at the first command that begins so. */
  public static LabFault at(FaultKind kind, String command) {
    return new LabFault(kind, command, 1, 1, Moment.BEFORE, Duration.ZERO, "");
  }

  public LabFault occurrence(int number) {
    return new LabFault(kind, command, number, times, moment, delay, guest);
  }

  public LabFault times(int number) {
    return new LabFault(kind, command, occurrence, number, moment, delay, guest);
  }

  /** The same, after the command has run and before it is answered. */
  public LabFault afterwards() {
    return new LabFault(kind, command, occurrence, times, Moment.AFTER, delay, guest);
  }

  public LabFault delayed(Duration time) {
    return new LabFault(kind, command, occurrence, times, moment, time, guest);
  }

  /** A crash of that guest. */
  public static LabFault crash(String guest, String command) {
    return new LabFault(FaultKind.CRASH_GUEST, command, 1, 1, Moment.BEFORE, Duration.ZERO, guest);
  }
}
