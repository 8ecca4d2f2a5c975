package io.slicewise.base.units;

/** What kind of error ended the work; the command line chooses the exit code for it. */
public enum ErrorKind {
  /** A fault in Slicewise itself. */
  INTERNAL,
  /** Wrong options, or a faulty file. */
  INPUT,
  /** The host, a guest, the target or the generator is not as the work needs it. */
  NOT_READY,
  /** Another process holds the host, the run or the lab. */
  LOCKED,
  /** The data contain nothing that counts. */
  NO_VALID_DATA,
  /** A trial failed, and others may still succeed. */
  TRIAL_FAILED,
  /** The host became unreachable. */
  HOST_LOST,
  /** The run directory cannot be written. */
  STORAGE,
  /** The run directory was moved or removed while a process worked on it. */
  DIRECTORY_GONE,
  /** The run directory is damaged. */
  DAMAGED,
  /** The host's settings could not be restored. */
  NOT_RESTORED,
  /** Someone else changed the host's settings during a run. */
  CHANGED_BY_OTHERS,
  /** A wait was interrupted. */
  INTERRUPTED
}
