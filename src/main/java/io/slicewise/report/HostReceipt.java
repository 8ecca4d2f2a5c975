package io.slicewise.report;

import io.slicewise.experiment.Experiment;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.sweep.HostApply;
import java.util.Optional;

/** Whether a run left the host as it found it, from its journal. */
final class HostReceipt {
  private final RunDirectory run;
  private final Experiment experiment;

  HostReceipt(RunDirectory run, Experiment experiment) {
    this.run = run;
    this.experiment = experiment;
  }

  /** The newest profile applied from the run that was not undone since. */
  private Optional<RunDirectory> applied() {
    return HostApply.below(run.root()).stream()
        .map(RunDirectory::open)
        .filter(one -> !one.record().touched().isEmpty())
        .reduce((earlier, later) -> later);
  }

  String sentence() {
    if (run.isWorkedOn()) {
      return "the run is still under way; its settings are put back at its end";
    }
    RunRecord record = run.record();
    if (!record.touched().isEmpty() && experiment.lab().isEmpty()) {
      return "NOT RESTORED: "
          + String.join(", ", record.touched())
          + " still as the run set them; slicewise restore "
          + run.root();
    }
    Optional<RunDirectory> applied = applied();
    if (applied.isPresent()) {
      return applied
          .get()
          .record()
          .last()
          .map(JournalEvent.RunEnded::sentence)
          .orElse("was left half-way by an apply: slicewise restore " + applied.get().root());
    }
    return run.events().stream()
        .filter(JournalEvent.Restored.class::isInstance)
        .map(JournalEvent.Restored.class::cast)
        .reduce((earlier, later) -> later)
        .map(HostReceipt::putBack)
        .orElse("nothing is left changed");
  }

  private static String putBack(JournalEvent.Restored last) {
    int all = last.settings().size() + last.complaints().size();
    return "runs the settings found: "
        + last.settings().size()
        + " of "
        + all
        + " put back at the end read back equal";
  }
}
