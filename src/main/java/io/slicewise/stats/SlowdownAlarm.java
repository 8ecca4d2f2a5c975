package io.slicewise.stats;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * Notices within seconds that users wait longer than usual, from what each second saw.
 *
 * <p>g is the mean of ln(duration) of the requests that ended in a second, if there were at least
 * five; z = (g − median) / max(1.4826·MAD, 0.05), with median and MAD of the reference: at most the
 * last 30 minutes of calm seconds, at least 30. S = max(0, S + min(z, 4) − 1) rises while z is
 * above 1, and the alarm is given at S &gt; 12. Beside it there are hard limits, at which no doubt
 * is left: for ten seconds three times as slow as usual, or failing more often than allowed; and
 * for five seconds less than a quarter of the usual rate.
 *
 * <p>Source: E. S. Page, <i>Continuous inspection schemes</i>, Biometrika 41 (1954); F. R. Hampel,
 * <i>The influence curve and its role in robust estimation</i>, JASA 69 (1974), on the MAD.
 *
 * <p>Worked example: reference seconds of ln 100 ms with 1.4826·MAD below 0.05; seconds of 200 ms
 * have z = ln 2 / 0.05 = 13.9, capped at 4: S = 3, 6, 9, 12, 15, so the alarm is given in the
 * fifth.
 */
public final class SlowdownAlarm {
  private static final int FEWEST_REQUESTS = 5;
  private static final int FEWEST_SECONDS = 30;
  private static final int MOST_SECONDS = 1_800;
  private static final double LEAST_SCATTER = 0.05;
  private static final double TO_DEVIATION = 1.4826;
  private static final double MOST_Z = 4;
  private static final double DRIFT = 1;
  private static final double ALARM = 12;
  private static final int HARD_SECONDS = 10;
  private static final double HARD_FACTOR = 3;
  private static final int STALL_SECONDS = 5;
  private static final double STALL = 0.25;

  private final double mostErrors;
  private final Deque<Second> calm = new ArrayDeque<>();
  private final Deque<Second> recent = new ArrayDeque<>();
  private Reference reference = Reference.NONE;
  private double sum;

  /**
   * Creates an alarm without a reference.
   *
   * @param mostErrors share of failed requests that is allowed
   */
  public SlowdownAlarm(double mostErrors) {
    this.mostErrors = mostErrors;
  }

  /**
   * What ended in a second.
   *
   * @param sumOfLogs of durations in milliseconds
   */
  public record Second(long requests, long errors, double sumOfLogs) {
    private double mean() {
      return sumOfLogs / requests;
    }
  }

  /** What an alarm is about. */
  public enum Kind {
    /** Users wait longer than usual. */
    SLOWER,
    /** A hard limit is broken, which leaves no doubt. */
    LIMIT,
    /** Hardly any request ends: the server has stopped, or its log has. */
    STALL
  }

  /**
   * An alarm.
   *
   * @param sentence why it is given
   */
  public record Alarm(Kind kind, String sentence) {}

  private record Reference(double median, double scatter, double rate) {
    static final Reference NONE = new Reference(Double.NaN, Double.NaN, Double.NaN);

    static Reference of(Deque<Second> calm) {
      double[] logs =
          calm.stream()
              .filter(second -> second.requests() >= FEWEST_REQUESTS)
              .mapToDouble(Second::mean)
              .toArray();
      if (logs.length < FEWEST_SECONDS) {
        return NONE;
      }
      double median = median(logs);
      double mad = median(Arrays.stream(logs).map(log -> Math.abs(log - median)).toArray());
      return new Reference(
          median,
          Math.max(LEAST_SCATTER, TO_DEVIATION * mad),
          median(calm.stream().mapToDouble(Second::requests).toArray()));
    }

    private static double median(double... values) {
      Arrays.sort(values);
      return Sample.median(values, values.length);
    }

    boolean isKnown() {
      return !Double.isNaN(median);
    }
  }

  /** Adds a second that is known to be as usual. */
  public void learn(Second second) {
    calm.addLast(second);
    if (calm.size() > MOST_SECONDS) {
      calm.removeFirst();
    }
  }

  /** Begins to watch anew, against the reference that is known by now. */
  public void begin() {
    sum = 0;
    recent.clear();
    reference = Reference.of(calm);
  }

  /** Returns whether enough is known to watch. */
  public boolean isReady() {
    return reference.isKnown();
  }

  /** Returns S as a share of the sum at which the alarm is given. */
  public double nearness() {
    return sum / ALARM;
  }

  /** Adds a second that is watched; returns the alarm if it is given. */
  public Optional<Alarm> watch(Second second) {
    if (!reference.isKnown()) {
      return Optional.empty();
    }
    recent.addLast(second);
    if (recent.size() > HARD_SECONDS) {
      recent.removeFirst();
    }
    if (second.requests() >= FEWEST_REQUESTS) {
      double z = (second.mean() - reference.median()) / reference.scatter();
      sum = Math.max(0, sum + Math.min(z, MOST_Z) - DRIFT);
    }
    return hard().or(this::soft);
  }

  private Optional<Alarm> soft() {
    return sum > ALARM
        ? Optional.of(
            new Alarm(Kind.SLOWER, "requests have become slower than the settings found allow"))
        : Optional.empty();
  }

  private Optional<Alarm> hard() {
    double rate =
        recent.stream()
                .skip(Math.max(0, recent.size() - STALL_SECONDS))
                .mapToLong(Second::requests)
                .sum()
            / (double) STALL_SECONDS;
    if (recent.size() >= STALL_SECONDS
        && reference.rate() >= FEWEST_REQUESTS
        && rate < STALL * reference.rate()) {
      return Optional.of(
          new Alarm(
              Kind.STALL,
              "less than a quarter of the usual requests were answered for 5 s: the site or its log"
                  + " stopped"));
    }
    if (recent.size() < HARD_SECONDS) {
      return Optional.empty();
    }
    long requests = recent.stream().mapToLong(Second::requests).sum();
    long errors = recent.stream().mapToLong(Second::errors).sum();
    double mean = recent.stream().mapToDouble(Second::sumOfLogs).sum() / requests;
    if (errors >= FEWEST_REQUESTS && errors > mostErrors * requests) {
      return Optional.of(new Alarm(Kind.LIMIT, "too many requests failed for 10 s"));
    }
    return mean > reference.median() + Math.log(HARD_FACTOR)
        ? Optional.of(new Alarm(Kind.LIMIT, "requests took three times as long as usual for 10 s"))
        : Optional.empty();
  }
}
