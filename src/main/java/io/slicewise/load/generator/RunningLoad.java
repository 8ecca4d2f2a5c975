package io.slicewise.load.generator;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A running plan. */
public interface RunningLoad extends AutoCloseable {
  /** The latest progress, at most about a second old. Never blocks. */
  LoadProgress progress();

  /** Whether users may still be active: false once the plan or the generator's JVM has ended. */
  boolean isAlive();

  /** Returns why the load is not alive although nobody stopped it, if that is known. */
  Optional<String> failure();

  /** Returns the last error or warning in a generator's log; empty if there is none. */
  default Optional<String> lastWords() {
    return Optional.empty();
  }

  /** Returns the name of the generator whose loss ended the load, if it is one of several. */
  default Optional<String> lostGenerator() {
    return Optional.empty();
  }

  /** Marks the start of the measured window for the generator's health counters. */
  void beginWindow();

  /**
   * Completes the samples up to this call as that file, while the users go on. Returns them, and
   * the health from {@link #beginWindow} to this call, so call it at a window's end. Samples that
   * end later are in the next file, the last ones in {@link #stop}'s.
   *
   * @param samples in a directory of the file system that the load writes to
   * @throws io.slicewise.base.units.SlicewiseException if the generator had ended by itself
   */
  FinishedLoad cut(Path samples);

  /**
   * Ends the load within 12 s, usually within one response time: asks the users to stop, interrupts
   * them, then kills the process. The samples are complete up to the call. Returns each generator's
   * samples and its health from {@link #beginWindow} to this call, so call it at the window's end.
   * The file also contains samples that end after the window; interrupted ones are failed.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the generator had ended unexpectedly
   */
  FinishedLoad stop();

  /** Ends the process at once if it still runs. */
  @Override
  void close();

  /** The outputs of a load's generators. */
  record FinishedLoad(List<GeneratorOutput> generators) {
    public FinishedLoad {
      generators = List.copyOf(generators);
    }
  }
}
