package io.slicewise.base.units;

/**
 * What the {@code slicewise} command answers to the shell. Picocli keeps 1 and 2 for itself, so
 * they mean the same here. {@link #HOST_NOT_RESTORED} wins over every other code.
 */
public enum ExitCode {
  OK(0, "done"),
  INTERNAL(1, "a fault in Slicewise itself"),
  USAGE(2, "wrong options, or a faulty experiment or profile file"),
  PREFLIGHT(3, "the preflight found something that blocks the run"),
  LOCKED(4, "another run holds the host, or the directory is a copy of a run"),
  WORSE(10, "the setting asked for is worse, or a guard is broken"),
  UNDECIDED(11, "the evidence does not decide"),
  CONTROL_FAILED(12, "an A/A control raised a false alarm"),
  NO_VALID_DATA(13, "no trial gave valid samples"),
  TRIALS_FAILED(14, "the sweep ended, but some trials failed"),
  HOST_LOST(15, "the host could not be reached any more"),
  NEEDS_REBOOT(16, "trials are left that need another scheduler; reboot and resume"),
  RULES_BROKEN(17, "a check found numbers that break a rule"),
  STORAGE(18, "the run directory cannot be written: its disk is full, or read-only"),
  DAMAGED(19, "the run directory is damaged, and this needs a sound one"),
  HOST_NOT_RESTORED(20, "the host's settings could not be restored"),
  INTERRUPTED(130, "interrupted; the host is restored and the sweep can be resumed");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
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
