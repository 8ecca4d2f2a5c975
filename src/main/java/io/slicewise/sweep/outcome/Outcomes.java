package io.slicewise.sweep.outcome;

import io.slicewise.base.units.Window;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where it is read what the users of a window experienced: the door to sources of outcomes. To add
 * one, write a class and its line in {@link #of}.
 */
public interface Outcomes extends AutoCloseable {
  /** Returns the source of a workload that has begun; the generator's samples if it has one. */
  static Outcomes of(Workload workload, Optional<RunningLoad> load) {
    return load.<Outcomes>map(running -> new GeneratedOutcomes(running, workload))
        .or(() -> workload.benchmark().map(BenchmarkOutcomes::new))
        .or(() -> workload.traffic().map(TrafficOutcomes::new))
        .or(() -> workload.counters().map(CounterOutcomes::new))
        .orElseGet(NoOutcomes::new);
  }

  /**
   * Begins a window.
   *
   * @param length planned
   * @param directory of the trial, which keeps the raw data
   * @throws io.slicewise.run.result.TrialFault if it cannot be read now
   */
  void begin(Duration length, Path directory);

  /**
   * What the users experienced in one second, by when their requests ended.
   *
   * @param errors those of the requests that failed
   * @param sumOfLogMillis of the natural logarithms of the durations in milliseconds
   */
  record Second(Instant at, long requests, long errors, double sumOfLogMillis) {}

  /**
   * Passes each second on from now on, in order and at most a few seconds late, from a thread of
   * its own. A source that does not know them while a window goes on passes nothing on.
   */
  default void watch(Consumer<Second> listener) {
    // Nothing is known before the window has ended.
  }

  /** Forgets what is no longer needed, while no window is measured for a long time. */
  default void rest() {
    // Nothing is kept.
  }

  /** Returns how long after a second it is known at the latest, as far as was seen. */
  default Duration lateness() {
    return Duration.ZERO;
  }

  /** Ends the window; the users go on, and another window may begin. */
  Ended cut(Path directory);

  /** Ends the last window, and the load. */
  Ended stop();

  /** Ends whatever still runs. */
  @Override
  void close();

  /** A window that has ended. */
  interface Ended {
    /** Returns what the users experienced in a window inside it; waits until it is known. */
    TrialLoad in(Window window);

    /** Returns whether it is known, so that nothing waits any more. */
    public default boolean isKnown(Window window) {
      return true;
    }

    /** Returns what was taken as what, in sentences. */
    public default List<String> remarks() {
      return List.of();
    }

    /** Returns the time from the first request to the last answer; empty if it is unknown. */
    public default Optional<Window> span() {
      return Optional.empty();
    }
  }

  /** The outcomes of a workload that only observes. */
  final class NoOutcomes implements Outcomes {
    @Override
    public void begin(Duration length, Path directory) {
      // Nothing is read.
    }

    @Override
    public Ended cut(Path directory) {
      return stop();
    }

    @Override
    public Ended stop() {
      return window -> TrialLoad.NONE;
    }

    @Override
    public void close() {
      // Nothing runs.
    }
  }
}
