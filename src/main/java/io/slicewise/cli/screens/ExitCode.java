package io.slicewise.cli.screens;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.run.journal.RunState;

/**
 * The exit codes of the {@code slicewise} command. Picocli reserves 1 and 2, so they mean the same
 * here. {@link #HOST_NOT_RESTORED} wins over every other code.
 */
public enum ExitCode {
  OK(0, "done"),
  INTERNAL(1, "a fault in Slicewise itself"),
  USAGE(2, "wrong options, or a faulty experiment or profile file"),
  PREFLIGHT(3, "the preflight found something that blocks the run"),
  LOCKED(4, "another run holds the host, or the directory is a copy of a run"),
  WORSE(10, "a selected setting is worse, or a guard is broken"),
  UNDECIDED(11, "the evidence does not decide"),
  CONTROL_FAILED(12, "an A/A control raised a false alarm"),
  NO_VALID_DATA(13, "no trial gave valid samples"),
  TRIALS_FAILED(14, "the sweep ended, but some trials failed"),
  HOST_LOST(15, "the host became unreachable"),
  NEEDS_REBOOT(16, "trials are left that need another scheduler; reboot and resume"),
  RULES_BROKEN(17, "a check found numbers that break a rule"),
  STORAGE(18, "the run directory cannot be written: its disk is full, or read-only"),
  DAMAGED(19, "the run directory is damaged, and the command needs an intact one"),
  HOST_NOT_RESTORED(20, "the host's settings could not be restored"),
  KEPT(21, "nothing is better: keep what you have"),
  NO_ANSWER(22, "a tune ended without an answer; it prints what would decide"),
  CHANGED_BY_OTHERS(23, "someone else changed the host's settings during the run"),
  TOO_BUSY(24, "measured on a machine that was too busy: nothing is confirmed"),
  DIRECTORY_GONE(25, "the run directory was moved or removed during the run; the host is restored"),
  INTERRUPTED(130, "interrupted; the host is restored and the sweep can be resumed");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  public static ExitCode of(ErrorKind kind) {
    return switch (kind) {
      case INTERNAL -> INTERNAL;
      case INPUT -> USAGE;
      case NOT_READY -> PREFLIGHT;
      case LOCKED -> LOCKED;
      case NO_VALID_DATA -> NO_VALID_DATA;
      case TRIAL_FAILED -> TRIALS_FAILED;
      case HOST_LOST -> HOST_LOST;
      case STORAGE -> STORAGE;
      case DIRECTORY_GONE -> DIRECTORY_GONE;
      case DAMAGED -> DAMAGED;
      case NOT_RESTORED -> HOST_NOT_RESTORED;
      case CHANGED_BY_OTHERS -> CHANGED_BY_OTHERS;
      case INTERRUPTED -> INTERRUPTED;
    };
  }

  /** Returns the code for the state in which a run was left. */
  public static ExitCode of(RunState state) {
    return switch (state) {
      case RUNNING -> INTERNAL;
      case DONE -> OK;
      case TRIALS_FAILED -> TRIALS_FAILED;
      case NO_VALID_DATA -> NO_VALID_DATA;
      case NEEDS_REBOOT -> NEEDS_REBOOT;
      case INTERRUPTED -> INTERRUPTED;
      case HOST_LOST -> HOST_LOST;
      case DISK_FULL -> STORAGE;
      case DIRECTORY_GONE -> DIRECTORY_GONE;
      case CHANGED_BY_OTHERS -> CHANGED_BY_OTHERS;
      case NOT_RESTORED -> HOST_NOT_RESTORED;
    };
  }

  /**
   * Returns the code for an answer.
   *
   * @param tune whether it is that of a tune, whose budget ended
   */
  public static ExitCode of(Answer answer, boolean tune) {
    if (answer.grade() == Answer.Grade.TOO_BUSY) {
      return TOO_BUSY;
    }
    return switch (answer.kind()) {
      case USE -> OK;
      case KEEP -> KEPT;
      case SET -> UNDECIDED;
      case OPEN -> tune ? NO_ANSWER : UNDECIDED;
    };
  }

  /** The process exit status, 0..255. */
  public int code() {
    return code;
  }

  /** One line for {@code --help} and the documents. */
  public String meaning() {
    return meaning;
  }
}
