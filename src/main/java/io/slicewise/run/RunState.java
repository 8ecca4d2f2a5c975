package io.slicewise.run;

import io.slicewise.base.units.ExitCode;

/** How a run stands, or how its last process left it. */
public enum RunState {
  /** A process works on it, or was killed before it could say otherwise. */
  RUNNING("under way", ExitCode.INTERNAL),
  DONE("done", ExitCode.OK),
  TRIALS_FAILED("done, but some trials failed", ExitCode.TRIALS_FAILED),
  NO_VALID_DATA("done, but no trial is valid", ExitCode.NO_VALID_DATA),
  NEEDS_REBOOT("waits for a reboot into another scheduler", ExitCode.NEEDS_REBOOT),
  INTERRUPTED("interrupted", ExitCode.INTERRUPTED),
  HOST_LOST("the host was lost", ExitCode.HOST_LOST),
  DISK_FULL("stopped: the run directory cannot be written", ExitCode.STORAGE),
  NOT_RESTORED("the host is not restored", ExitCode.HOST_NOT_RESTORED);

  private final String words;
  private final ExitCode exitCode;

  RunState(String words, ExitCode exitCode) {
    this.words = words;
    this.exitCode = exitCode;
  }

  public String words() {
    return words;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
