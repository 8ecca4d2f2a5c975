package io.slicewise.workload;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.GeneratorSamples.SampleCount;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The pauses and requests of the users in a window, whatever is counted: a turn is a pause and the
 * request after it. A pause lasts from the end of a user's request to the start of the next one; it
 * includes the plan's timers and the generator's work between requests.
 *
 * @param requests that ended in the window
 * @param meanMillis their mean response time
 * @param pauseMillis the mean pause before each
 */
public record Turns(long requests, double meanMillis, double pauseMillis) {
  private static final String TRANSACTION = "Number of samples in transaction";

  /** Returns the turns of the requests that ended in the window, for the users of all files. */
  public static Turns read(List<GeneratorSamples> samples, Window window) {
    List<Count> counts =
        samples.stream().map(file -> file.count(new Users(file.window(window)))).toList();
    long requests = sum(counts, count -> count.requests);
    return new Turns(
        requests,
        (double) sum(counts, count -> count.elapsedMillis) / requests,
        (double) sum(counts, count -> count.pausedMillis) / sum(counts, count -> count.pauses));
  }

  /** Returns the time from the first request's start to the last answer's end; empty if none. */
  public static Optional<Window> span(List<GeneratorSamples> samples) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (GeneratorSamples file : samples) {
      LongSummaryStatistics starts = new LongSummaryStatistics();
      LongSummaryStatistics ends = new LongSummaryStatistics();
      SampleRows.read(
          file.path(),
          row -> {
            starts.accept(row.start() - file.ahead().toMillis());
            ends.accept(row.end() - file.ahead().toMillis());
          });
      first = Math.min(first, starts.getMin());
      last = Math.max(last, ends.getMax());
    }
    return first <= last
        ? Optional.of(new Window(Instant.ofEpochMilli(first), Instant.ofEpochMilli(last + 1)))
        : Optional.empty();
  }

  private static long sum(List<Count> counts, ToLongFunction<Count> of) {
    return counts.stream().mapToLong(of).sum();
  }

  /** Counts the users of one file: their threads have the same names as those of another. */
  private record Users(Window window) implements SampleCount<Count> {
    @Override
    public Count of(Path samples) {
      Count count = new Count();
      Map<String, Long> lastEnd = new HashMap<>();
      SampleRows.read(samples, row -> count.add(row, window, lastEnd));
      return count;
    }

    @Override
    public Class<Count> type() {
      return Count.class;
    }
  }

  private static final class Count implements Serializable {
    private static final long serialVersionUID = 1L;

    private long requests;
    private long elapsedMillis;
    private long pauses;
    private long pausedMillis;

    void add(SampleRows.Row row, Window window, Map<String, Long> lastEnd) {
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
