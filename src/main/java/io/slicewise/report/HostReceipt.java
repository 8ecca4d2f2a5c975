package io.slicewise.report;

import io.slicewise.run.JournalEvent;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.sweep.HostApply;
import java.util.Optional;

/** Reports from the journal whether a run left the host as it found it. */
record HostReceipt(LoadedRun run) {
  /** Returns the newest profile that was applied from the run and not undone. */
  private Optional<RunDirectory> applied() {
    return HostApply.inForce(run.root()).stream().reduce((earlier, later) -> later);
  }

  String sentence() {
    if (run.directory().isWorkedOn()) {
      return "the run is in progress; the host is restored at its end";
    }
    RunRecord record = run.record();
    if (!record.touched().isEmpty() && run.experiment().lab().isEmpty()) {
      return "NOT RESTORED: %s still changed by the run; slicewise restore %s"
          .formatted(String.join(", ", record.touched()), run.root());
    }
    Optional<RunDirectory> applied = applied();
    if (applied.isPresent()) {
      return applied
          .get()
          .record()
          .last()
          .map(JournalEvent.RunEnded::sentence)
          .orElse("an apply was interrupted: slicewise restore " + applied.get().root());
    }
    return run.events().stream()
        .filter(JournalEvent.Restored.class::isInstance)
        .map(JournalEvent.Restored.class::cast)
        .reduce((earlier, later) -> later)
        .map(HostReceipt::putBack)
        .orElse("no changes left");
  }

  private static String putBack(JournalEvent.Restored last) {
    int all = last.settings().size() + last.complaints().size();
    return last.complaints().isEmpty()
        ? (all == 1 ? "1 setting" : "all %d settings".formatted(all)) + " restored and verified"
        : "%d of %d settings restored and verified".formatted(last.settings().size(), all);
  }
}
