package io.slicewise.run.journal;

/** The state of a run. */
public enum RunState {
  /** A process is working on it, or was killed before it could record another state. */
  RUNNING("under way"),
  DONE("done"),
  TRIALS_FAILED("done, but some trials failed"),
  NO_VALID_DATA("done, but no trial is valid"),
  NEEDS_REBOOT("waits for a reboot into another scheduler"),
  INTERRUPTED("interrupted"),
  HOST_LOST("the host was lost"),
  DISK_FULL("stopped: the run directory cannot be written"),
  DIRECTORY_GONE("stopped: the run directory was moved or removed"),
  CHANGED_BY_OTHERS("stopped: someone else changes the host's settings"),
  NOT_RESTORED("the host is not restored");

  private final String words;

  RunState(String words) {
    this.words = words;
  }

  public String text() {
    return words;
  }
}
