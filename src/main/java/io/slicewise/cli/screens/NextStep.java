package io.slicewise.cli.screens;

import io.slicewise.profile.ParametersText;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

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
      case NOT_RESTORED -> restoring(directory);
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
      case RUNNING, TRIALS_FAILED, INTERRUPTED, HOST_LOST, DIRECTORY_GONE ->
          "slicewise resume " + run;
    };
  }

  /** Returns how to restore a host: what failed before fails again until its cause is removed. */
  private static String restoring(RunDirectory directory) {
    String again = "slicewise restore " + directory.root();
    Set<String> refused =
        JournalEvent.of(directory.events(), JournalEvent.Restored.class)
            .reduce((earlier, later) -> later)
            .map(last -> last.complaints().keySet())
            .orElse(Set.of());
    RunRecord record = directory.record();
    String values =
        refused.stream()
            .filter(record.changes()::containsKey)
            .map(
                domain ->
                    record
                        .foundFor(record.changes().get(domain).to().scheduler(), domain)
                        .map(found -> domain + " to " + ParametersText.of(found))
                        .orElse(domain))
            .sorted()
            .collect(Collectors.joining(", "));
    return values.isEmpty()
        ? again
        : "remove the cause, or set %s by hand; then %s verifies it".formatted(values, again);
  }
}
