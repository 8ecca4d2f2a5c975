package io.slicewise.cli.screens;

import io.slicewise.base.units.Phrase;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The current state of the host by the run's journal.
 *
 * @param events that are on disk
 * @param domains whose settings differ from those found
 */
record ChangedSettings(int events, int domains) {
  static ChangedSettings of(RunDirectory run) {
    List<JournalEvent> events = run.events();
    Map<String, SchedulerParameters> now = new HashMap<>();
    for (JournalEvent event : events) {
      if (event instanceof JournalEvent.Applying applying) {
        now.put(applying.domain(), applying.to());
      } else if (event instanceof JournalEvent.Restored restored) {
        now.putAll(restored.settings());
      }
    }
    RunRecord record = run.record();
    long changed =
        now.entrySet().stream()
            .filter(
                entry ->
                    record
                        .foundFor(entry.getValue().scheduler(), entry.getKey())
                        .filter(entry.getValue()::equals)
                        .isEmpty())
            .count();
    return new ChangedSettings(events.size(), (int) changed);
  }

  /** {@code journal 41 events on disk | 2 domains differ from as-found}. */
  List<String> text() {
    return List.of(
        Phrase.of("journal %d events on disk", events),
        domains == 0
            ? "host as found"
            : domains + (domains == 1 ? " domain differs" : " domains differ") + " from as-found");
  }
}
