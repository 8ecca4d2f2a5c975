package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.load.generator.GeneratorHealth.Passes;
import io.slicewise.run.validity.Judgement.Finding;
import java.util.Optional;

/**
 * Little's law. For a closed load: N = X·(R + Z), users = rate × (response time + think time).
 *
 * <p>Source: J. D. C. Little, <i>A Proof for the Queuing Formula: L = λW</i>, Operations Research 9
 * (1961); for closed systems Lazowska et al., <i>Quantitative System Performance</i> (1984),
 * chapter 3.
 *
 * <p>Two tolerances apply: times have a resolution of 1 ms, and a generator needs some time between
 * an answer and the next request (together one millisecond per request); requests that cross the
 * window's ends count with their whole time or not at all, up to one cycle for each user. A
 * deviation of less than one of the window's cycles is therefore none, and a window must span at
 * least twenty for a violation to exclude a trial.
 *
 * <p>Worked example: 25 users, 127.57 requests/s, 220.30 ms, no think time: 127.57 · 0.2203 = 28.10
 * active users where at most 25 are possible, 12.4 % too many.
 */
public final class LittlesLaw {
  private static final double BLUR_SECONDS = 0.001;
  private static final double FEWEST_SPANS = 20;

  /** In standard deviations of a Poisson number at each end of the window. */
  private static final double EDGES = 3;

  private LittlesLaw() {}

  /** X·(R+Z)/N, which the law says is 1. Rate in requests/s, times in milliseconds. */
  public static double ratio(int users, double throughput, double meanMillis, double thinkMillis) {
    return throughput * (meanMillis + thinkMillis) / 1000 / users;
  }

  /**
   * Returns the violation, if any; empty if a number is unknown.
   *
   * @param limit maximum deviation from 1, e.g. 0.05
   */
  static Optional<Finding> judge(int users, TrialFacts.Cycle cycle, double seconds, double limit) {
    double ratio = ratio(users, cycle.perSecond(), cycle.responseMillis(), cycle.thinkMillis());
    double blur = cycle.perSecond() * BLUR_SECONDS / users;
    double span = cycle.millis() / 1000;
    double tolerance = Math.max(limit, span / seconds);
    if (!(Math.abs(ratio - 1) > tolerance + blur)) {
      return Optional.empty();
    }
    String message = message(users, cycle, ratio, tolerance);
    if (seconds < FEWEST_SPANS * span) {
      return Optional.of(
          Finding.warning(
              Rule.LITTLES_LAW,
              message
                  + Phrase.of(
                      "; the window spans only %.1f request cycles, too few to exclude the trial",
                      seconds / span),
              "the window is short for these response times: measure longer"));
    }
    return Optional.of(Finding.excluding(Rule.LITTLES_LAW, message, cause(ratio)));
  }

  /**
   * Returns the violation by an open load, if any: L = λ·W passes are in flight at each end of the
   * window, and no more than their scatter may begin in it without an end. Passes are compared with
   * arrivals, since a pass has any number of requests.
   *
   * @param arrivals that began in the window
   * @param limit the largest share of them beyond that
   */
  static Optional<Finding> judgeOpen(long arrivals, Passes passes, double limit) {
    double scatter = EDGES * Math.sqrt(2.0 * Math.max(1, passes.inFlight()));
    if (!(arrivals - passes.ended() > limit * arrivals + scatter)) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.excluding(
            Rule.LITTLES_LAW,
            Phrase.of(
                "%d arrivals began and %d passes ended in the window, %.1f %% fewer (limit"
                    + " %.0f %%), which the %d in flight at its beginning do not explain",
                arrivals,
                passes.ended(),
                100 - 100.0 * passes.ended() / arrivals,
                100 * limit,
                passes.inFlight()),
            "the target falls behind this rate, so its queue grows: use a lower rate"));
  }

  private static String message(int users, TrialFacts.Cycle cycle, double ratio, double limit) {
    return Phrase.of(
        "Little's law is off by %+.1f %% (limit %.0f %%): %.2f/s x %.2f ms = %.1f active users,"
            + " %d were requested",
        100 * (ratio - 1), 100 * limit, cycle.perSecond(), cycle.millis(), ratio * users, users);
  }

  /** The usual cause of a ratio on this side of 1. */
  public static String cause(double ratio) {
    return ratio > 1
        ? "the rate is too high or times too long: rate over another window than the samples,"
            + " samples counted twice (transaction parents), or more users than requested"
        : "fewer active users than requested: not all started, some hung or ended, the server or"
            + " generator queues connections, or the plan pauses between requests";
  }
}
