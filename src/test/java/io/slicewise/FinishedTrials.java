package io.slicewise;

import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** The trials or windows that a run has finished, as its journal has them. */
public final class FinishedTrials {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private FinishedTrials() {}

  /** Returns their numbers, in the order in which they finished. */
  public static List<Integer> of(RunDirectory run) {
    return run.events().stream()
        .filter(JournalEvent.TrialFinished.class::isInstance)
        .map(event -> ((JournalEvent.TrialFinished) event).trial())
        .toList();
  }

  /** Waits until the newest run has finished that many, or has ended before. */
  public static void await(Path results, int number, BooleanSupplier ended) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                ended.getAsBoolean()
                    || RunDirectory.newest(results)
                        .filter(run -> of(run).size() >= number)
                        .isPresent());
  }
}
