package io.slicewise.load.access;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import java.util.List;
import java.util.Optional;

/**
 * Times in which no request started although some would have: the log was silent, or the server was
 * down, which no log shows as an error. If requests start at random times at the window's rate r, n
 * in all, a pause of g seconds is less likely than n e^(-r g).
 */
final class Silence {
  private static final double UNLIKELY = 1e-6;
  private static final double SHORTEST_SECONDS = 3;

  /** The shortest pause that may be no chance. */
  static final long SHORTEST_MICROS = (long) (1e6 * SHORTEST_SECONDS);

  private Silence() {}

  /**
   * Returns the longest pause that reaches into a window as a clause, if it is not by chance.
   *
   * @param requests that started in it
   * @param around when requests are known that started before and after, at the window's border
   *     without one
   */
  static Optional<String> of(Window window, List<Seen> requests, Window around) {
    if (requests.isEmpty()) {
      return Optional.of("no request that counts started in it");
    }
    long[] starts = requests.stream().mapToLong(Seen::startMicros).sorted().toArray();
    long before = Seen.micros(around.start());
    double longest = 0;
    for (int i = 0; i <= starts.length; i++) {
      long next = i < starts.length ? starts[i] : Seen.micros(around.end());
      longest = Math.max(longest, (next - before) / 1e6);
      before = next;
    }
    double rate = requests.size() / window.seconds();
    boolean byChance =
        longest < SHORTEST_SECONDS || requests.size() * Math.exp(-rate * longest) > UNLIKELY;
    return byChance
        ? Optional.empty()
        : Optional.of(
            Phrase.of(
                "no request started for %.1f s, at %.1f/s: the log was silent or the server down",
                longest, rate));
  }
}
