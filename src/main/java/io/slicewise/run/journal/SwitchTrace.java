package io.slicewise.run.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The dead man's switches in a run's journal. */
public final class SwitchTrace {
  private SwitchTrace() {}

  /** Returns the switches that may still be on the host, oldest first. */
  public static List<JournalEvent.DeadManArmed> left(List<JournalEvent> events) {
    Map<String, JournalEvent.DeadManArmed> left = new LinkedHashMap<>();
    for (JournalEvent event : events) {
      if (event instanceof JournalEvent.DeadManArmed armed) {
        left.put(armed.name(), armed);
      } else if (event instanceof JournalEvent.DeadManFired fired) {
        left.remove(fired.name());
      } else if (event instanceof JournalEvent.DeadManEnded ended) {
        left.remove(ended.name());
      }
    }
    return new ArrayList<>(left.values());
  }

  /** Returns how many switches the run has had. */
  public static int count(List<JournalEvent> events) {
    return (int) events.stream().filter(JournalEvent.DeadManArmed.class::isInstance).count();
  }

  /** Returns what the last switch that fired did. */
  public static Optional<JournalEvent.DeadManFired> lastFired(List<JournalEvent> events) {
    return JournalEvent.of(events, JournalEvent.DeadManFired.class)
        .reduce((earlier, later) -> later);
  }
}
