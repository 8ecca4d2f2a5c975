package io.slicewise.report;

import io.slicewise.experiment.Experiment;
import io.slicewise.sweep.JournalEvent;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.sweep.RunRecord;
import java.util.List;

/** Whether a run left the host as it found it, from its journal. */
final class HostReceipt {
  private final RunDirectory run;
  private final Experiment experiment;

  HostReceipt(RunDirectory run, Experiment experiment) {
    this.run = run;
    this.experiment = experiment;
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
    List<JournalEvent.Restored> restored =
        run.events().stream()
            .filter(JournalEvent.Restored.class::isInstance)
            .map(JournalEvent.Restored.class::cast)
            .toList();
    if (restored.isEmpty()) {
      return "nothing is left changed";
    }
    JournalEvent.Restored last = restored.get(restored.size() - 1);
    int all = last.settings().size() + last.complaints().size();
    return "runs the settings found: "
        + last.settings().size()
        + " of "
        + all
        + " put back at the end read back equal";
  }
}
