package io.slicewise.workload;

import io.slicewise.base.units.Window;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the users did in a window, request by request, whatever is counted: a turn is a pause and
 * the request after it. A pause lasts from the end of a user's request to the start of the next
 * one; it holds the plan's timers and what the generator does between requests.
 *
 * @param requests that ended in the window
 * @param meanMillis their mean response time
 * @param pauseMillis the mean pause before each
 */
public record Turns(long requests, double meanMillis, double pauseMillis) {
  private static final String TRANSACTION = "Number of samples in transaction";

  /** The turns of the requests that ended in the window. */
  public static Turns read(Path samples, Window window) {
    Count count = new Count(window);
    SampleRows.read(samples, count::add);
    return new Turns(
        count.requests,
        (double) count.elapsedMillis / count.requests,
        (double) count.pausedMillis / count.pauses);
  }

  private static final class Count {
    private final Window window;
    private final Map<String, Long> lastEnd = new HashMap<>();
    private long requests;
    private long elapsedMillis;
    private long pauses;
    private long pausedMillis;

    Count(Window window) {
      this.window = window;
    }

    void add(SampleRows.Row row) {
      if (row.text("responseMessage").startsWith(TRANSACTION)) {
        return;
      }
      Long before = lastEnd.put(row.text("threadName"), row.end());
      if (!window.contains(row.ended())) {
        return;
      }
      requests++;
      elapsedMillis += row.elapsed();
      if (before != null) {
        pauses++;
        pausedMillis += Math.max(0, row.start() - before);
      }
    }
  }
}
