package io.slicewise.experiment;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * How a study measures pairs of windows: the settings found, the incumbent, and one candidate, in
 * the order that a fair coin decides. Everything that is drawn depends only on the experiment's
 * seed and on the number of the pair, so a resumed run draws the same.
 *
 * @param blocks the most pairs of all candidates
 * @param most where a study ends
 * @param observe whether both windows of a pair have the incumbent's settings
 * @param harm what may be spent under candidates that look worse
 * @param hours when pairs may run
 */
public record PairsDesign(
    int blocks,
    Duration window,
    Optional<Duration> washOut,
    Bounds most,
    boolean observe,
    Harm harm,
    StudyHours hours)
    implements SessionDesign {
  public static final String KIND = "pairs";
  public static final int PAIRS = 200;
  public static final Duration TIME = Duration.ofHours(8);
  public static final Duration WINDOW = Duration.ofSeconds(10);

  /** The most candidates of a study: each further one makes all intervals wider. */
  public static final int MOST_CANDIDATES = 8;

  /** The largest part by which a pair's windows are shorter or longer than asked. */
  private static final double VARIES = 0.2;

  private static final long WINDOWS = 0x57696e646f7773L;
  private static final long COINS = 0x436f696eL;
  private static final long TURNS = 0x5475726eL;

  public PairsDesign {
    Objects.requireNonNull(window);
    Objects.requireNonNull(washOut);
    Objects.requireNonNull(most);
    Objects.requireNonNull(harm);
    Objects.requireNonNull(hours);
  }

  /** Returns one: a study is one session, which goes on from night to night. */
  @Override
  public int sessions() {
    return 1;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public Map<String, String> fixed() {
    return Map.of("observe of pairs", String.valueOf(observe));
  }

  @Override
  public Optional<PairsDesign> pairs() {
    return Optional.of(this);
  }

  /**
   * Where a study ends, decided or not.
   *
   * @param pairs the most of each candidate
   * @param time the most of a night, since it began; a pair that would end later does not begin
   * @param nights the most in which the study goes on; empty = not limited
   */
  public record Bounds(int pairs, Duration time, Optional<Integer> nights) {
    public Bounds {
      if (pairs < 1) {
        throw new IllegalArgumentException("there must be at least 1 pair, not " + pairs);
      }
      Objects.requireNonNull(time);
    }
  }

  /**
   * A budget of harm: what users may go through in windows of candidates that look worse.
   *
   * @param requests empty = not limited
   * @param time empty = not limited
   */
  public record Harm(Optional<Long> requests, Optional<Duration> time) {
    public static final Harm UNLIMITED = new Harm(Optional.empty(), Optional.empty());
  }

  /** Returns whether the candidate comes first in that pair of a run. */
  static boolean candidateFirst(long seed, int pair) {
    return new SplittableRandom(mixed(seed, pair, COINS)).nextBoolean();
  }

  /**
   * Returns the length of both windows of a pair; it varies so that windows do not keep step with
   * anything that recurs.
   */
  public static Duration window(Duration asked, long seed, int pair) {
    double part = new SplittableRandom(mixed(seed, pair, WINDOWS)).nextDouble(-VARIES, VARIES);
    return Duration.ofMillis(Math.round(asked.toMillis() * (1 + part)));
  }

  /** Returns the longest window of any pair. */
  public static Duration longest(Duration asked) {
    return Duration.ofMillis(Math.round(asked.toMillis() * (1 + VARIES)));
  }

  /** Returns how long the longest pair takes, whose windows both begin with a wash-out. */
  public static Duration longestPair(Duration asked, Duration washOut) {
    return longest(asked).plus(washOut).multipliedBy(2);
  }

  /** Returns which of several candidates, whose turn it is alike, has that pair. */
  static int turn(long seed, int pair, int candidates) {
    return new SplittableRandom(mixed(seed, pair, TURNS)).nextInt(candidates);
  }

  private static long mixed(long seed, int pair, long use) {
    return new SplittableRandom(new SplittableRandom(seed ^ use).nextLong() + pair).nextLong();
  }
}
