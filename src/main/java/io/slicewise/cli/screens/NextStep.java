package io.slicewise.cli.screens;

import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunState;
import java.nio.file.Path;

/** The next step for a run in a given state. */
public final class NextStep {
  private NextStep() {}

  public static String after(RunState state, RunDirectory directory) {
    Path run = directory.root();
    if (directory.origin().kind() == Origin.Kind.IMPORTED) {
      return "slicewise report " + run;
    }
    if (state == RunState.INTERRUPTED && directory.origin().isSimulated()) {
      return "simulate it again; the same seed gives the same trials";
    }
    return switch (state) {
      case DONE -> "slicewise report " + run;
      case NOT_RESTORED -> "slicewise restore " + run;
      case DISK_FULL -> "make room on the disk of the run directory, then: slicewise resume " + run;
      case CHANGED_BY_OTHERS ->
          "ask who changed it; slicewise restore --force %1$s overwrites that value; then: slicewise resume %1$s"
              .formatted(run);
      case NO_VALID_DATA ->
          "see above why each trial is excluded, fix the cause or the limits in the experiment, and"
              + " run it again";
      case NEEDS_REBOOT ->
          "reboot the host, or move the guests into a cpupool that runs the scheduler, then:"
              + " slicewise resume "
              + run;
      case RUNNING, TRIALS_FAILED, INTERRUPTED, HOST_LOST -> "slicewise resume " + run;
    };
  }
}
