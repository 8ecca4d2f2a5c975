package io.slicewise.sweep.window;

import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.RunningLoad;
import java.nio.file.Path;

/** A load that has ended before anybody asked it for anything. */
public interface DeadLoad extends RunningLoad {
  @Override
  default LoadProgress progress() {
    return LoadProgress.NONE;
  }

  @Override
  default boolean isAlive() {
    return false;
  }

  @Override
  default void beginWindow() {
    throw new IllegalStateException("it has ended");
  }

  @Override
  default FinishedLoad cut(Path samples) {
    throw new IllegalStateException("it has ended");
  }

  @Override
  default FinishedLoad stop() {
    throw new IllegalStateException("it has ended");
  }

  @Override
  default void close() {
    // Nothing runs.
  }
}
