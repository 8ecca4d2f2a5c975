package io.slicewise.experiment;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Blocks that have a window of every profile. A repeated baseline for an A/A check is a control of
 * the experiment ({@link Experiment#controls}) and therefore a profile of every block.
 *
 * @param sessions number for each load
 * @param blocks number in each session
 */
public record SwitchbackDesign(
    int sessions, int blocks, Duration window, Optional<Duration> washOut)
    implements SessionDesign {
  public static final String KIND = "switchback";
  public static final int SESSIONS = 3;
  public static final int BLOCKS = 10;
  public static final Duration WINDOW = Duration.ofSeconds(30);

  public SwitchbackDesign {
    if (sessions < 1 || blocks < 1) {
      throw new IllegalArgumentException(
          "sessions and blocks must be at least 1, not %d and %d".formatted(sessions, blocks));
    }
    Objects.requireNonNull(window);
    Objects.requireNonNull(washOut);
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public Map<String, String> fixed() {
    return Map.of("blocks of a session", String.valueOf(blocks));
  }
}
