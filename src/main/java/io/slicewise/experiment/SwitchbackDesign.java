package io.slicewise.experiment;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How an experiment measures its profiles inside running sessions: every block of a session has a
 * window of each profile. The settings found twice, for an A/A check, are a control of the
 * experiment ({@link Experiment#controls}) and so a profile of every block.
 *
 * @param sessions of each load
 * @param blocks of each session
 * @param window that is measured under one profile
 * @param washOut between a change of settings and the window after it; empty = worked out from what
 *     the host and the load need
 */
public record SwitchbackDesign(
    int sessions, int blocks, Duration window, Optional<Duration> washOut) {
  public static final int SESSIONS = 3;
  public static final int BLOCKS = 10;
  public static final Duration WINDOW = Duration.ofSeconds(30);

  /** The least that {@code auto} waits. */
  public static final Duration LEAST_WASH_OUT = Duration.ofSeconds(2);

  public SwitchbackDesign {
    if (sessions < 1 || blocks < 1) {
      throw new IllegalArgumentException(
          "sessions and blocks must be at least 1, not %d and %d".formatted(sessions, blocks));
    }
    Objects.requireNonNull(window);
    Objects.requireNonNull(washOut);
  }

  /** Returns how many windows every profile has at every load. */
  public int windows() {
    return Math.multiplyExact(sessions, blocks);
  }
}
