package io.slicewise.experiment;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How an experiment measures its profiles inside running sessions: every block of a session has a
 * window of each profile, or is a pair of windows. A repeated baseline for an A/A check is a
 * control of the experiment ({@link Experiment#controls}) and therefore a profile of every block.
 *
 * @param sessions number for each load
 * @param blocks number in each session
 * @param window the time measured under one profile
 * @param washOut between a change of settings and the window after it; empty = computed from the
 *     host and the load
 * @param pairs how pairs are drawn and when they end; empty where blocks have every profile
 */
public record SwitchbackDesign(
    int sessions,
    int blocks,
    Duration window,
    Optional<Duration> washOut,
    Optional<PairsDesign> pairs) {
  public static final int SESSIONS = 3;
  public static final int BLOCKS = 10;
  public static final Duration WINDOW = Duration.ofSeconds(30);

  /** The shortest wait of {@code auto}. */
  public static final Duration LEAST_WASH_OUT = Duration.ofSeconds(2);

  public SwitchbackDesign {
    if (sessions < 1 || blocks < 1) {
      throw new IllegalArgumentException(
          "sessions and blocks must be at least 1, not %d and %d".formatted(sessions, blocks));
    }
    Objects.requireNonNull(window);
    Objects.requireNonNull(washOut);
    Objects.requireNonNull(pairs);
  }

  /** Blocks that have a window of every profile. */
  public SwitchbackDesign(int sessions, int blocks, Duration window, Optional<Duration> washOut) {
    this(sessions, blocks, window, washOut, Optional.empty());
  }

  /** Returns the number of windows of every profile at every load. */
  public int windows() {
    return Math.multiplyExact(sessions, blocks);
  }
}
