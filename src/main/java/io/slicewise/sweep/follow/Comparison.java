package io.slicewise.sweep.follow;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.stats.CoinBets;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Compares a policy with one fixed profile under the load of the site: pairs of windows, one in
 * which the policy is followed and one with the fixed profile, in an order that a coin decides. A
 * window's outcome is the mean of the logarithms of the durations of its requests, those that end
 * after the wash-out. The interval is that of {@link CoinBets}: valid at every look, whatever the
 * load does.
 */
public final class Comparison {
  private static final String FILE = "comparison.json";
  private static final double LEVEL = 0.05;

  private final Policy policy;
  private final Duration window;
  private final Duration washOut;
  private final long seed;
  private final List<Double> pairs = new ArrayList<>();
  private Path file;
  private int turn = -1;
  private Instant since = Instant.MAX;
  private long requests;
  private double logs;
  private double first;

  /**
   * @param window the length of each window, of which the first fifth is wash-out
   */
  Comparison(Policy policy, Duration window) {
    this(policy, window, new SecureRandom().nextLong());
  }

  /** Creates a comparison with a known coin. */
  Comparison(Policy policy, Duration window, long seed) {
    this.seed = seed;
    this.policy = policy;
    this.window = window;
    this.washOut = window.dividedBy(5);
  }

  /** Writes the seed of the coin before it is used. */
  void begin(Path directory) {
    file = directory.resolve(FILE);
    write();
  }

  /** Returns whether the present window has the fixed profile. */
  boolean isFixed() {
    return turn >= 0 && isFixed(turn);
  }

  private boolean isFixed(int number) {
    boolean fixedFirst = new SplittableRandom(seed + number / 2).nextBoolean();
    return fixedFirst == (number % 2 == 0);
  }

  /** Takes what ended in a second. */
  void take(LoadSource.Reading reading) {
    if (!reading.at().isBefore(since)) {
      requests += reading.requests();
      logs += reading.sumOfLogMillis();
    }
  }

  /** Begins the next window if the present one is over; returns whether a pair has ended. */
  boolean turn(Instant now) {
    if (turn >= 0 && now.isBefore(since.minus(washOut).plus(window))) {
      return false;
    }
    boolean ended = turn >= 0 && end();
    turn++;
    since = now.plus(washOut);
    requests = 0;
    logs = 0;
    return ended;
  }

  private boolean end() {
    double mean = requests == 0 ? Double.NaN : logs / requests;
    if (turn % 2 == 0) {
      first = mean;
      return false;
    }
    double difference = isFixed(turn) ? first - mean : mean - first;
    // A window without a request has no outcome, and its pair none, whichever arm it was.
    if (Double.isFinite(difference)) {
      pairs.add(difference);
    }
    write();
    return true;
  }

  private CoinBets bets() {
    return CoinBets.of(LEVEL, pairs.stream().mapToDouble(x -> x).toArray());
  }

  /** Returns the result so far: {@code 8 pairs: response time -12.3 % [-15.0, -9.1]}. */
  public String text() {
    CoinBets bets = bets();
    return "%s: geometric mean of response times %s"
        .formatted(Plural.of(pairs.size(), "pair"), change(bets));
  }

  /** Returns what will be compared: {@code with w512, a pair of windows in 20m}. */
  String plan() {
    return "it is compared with %s, and a pair of windows takes %s"
        .formatted(policy.fixed(), DurationText.of(window.multipliedBy(2)));
  }

  private static String change(CoinBets bets) {
    if (bets.n() == 0) {
      return "not known yet";
    }
    if (Double.isNaN(bets.low())) {
      return "not known: no constant effect fits these pairs";
    }
    return Double.isInfinite(bets.low()) || Double.isInfinite(bets.high())
        ? Phrase.of("%+.1f %%, too few pairs for an interval", percent(bets.estimate()))
        : Phrase.of(
            "%+.1f %% [%+.1f, %+.1f]",
            percent(bets.estimate()), percent(bets.low()), percent(bets.high()));
  }

  private static double percent(double logRatio) {
    return 100 * Math.expm1(logRatio);
  }

  private void write() {
    CoinBets bets = bets();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("policy", PolicyFile.identify(policy));
    values.put("against", policy.fixed());
    values.put("seed", Long.toString(seed));
    values.put("window_seconds", window.toSeconds());
    values.put("log_ratios", pairs);
    values.put("percent", pairs.isEmpty() ? Double.NaN : percent(bets.estimate()));
    values.put("low", pairs.isEmpty() ? Double.NaN : percent(bets.low()));
    values.put("high", pairs.isEmpty() ? Double.NaN : percent(bets.high()));
    try {
      WholeFile.write(file, Json.text(values));
    } catch (IOException fault) {
      throw StorageFault.of("cannot write " + file, fault);
    }
  }

  /**
   * Returns the proof that a finished comparison gives a policy.
   *
   * @param directory of the comparison
   * @throws SlicewiseException if it compared something else, or shows no gain
   */
  public static Policy.Proof proof(Policy policy, Path directory) {
    Path file = directory.resolve(FILE);
    JsonNode read;
    try {
      read = Json.mapper().readTree(Files.readAllBytes(file));
    } catch (IOException missing) {
      throw SlicewiseException.input(
          directory + " is no comparison of a policy with a fixed setting",
          "make one with 'slicewise follow POLICY FILE --compare'",
          missing);
    }
    if (!read.path("policy").asText().equals(PolicyFile.identify(policy))) {
      throw SlicewiseException.input(
          directory + " compared other bands or settings than those of policy " + policy.name(),
          "compare this policy: 'slicewise follow POLICY FILE --compare'");
    }
    List<Double> pairs = new ArrayList<>();
    read.path("log_ratios").forEach(pair -> pairs.add(pair.asDouble()));
    CoinBets bets = CoinBets.of(LEVEL, pairs.stream().mapToDouble(x -> x).toArray());
    if (pairs.isEmpty() || !(bets.high() < 0)) {
      throw SlicewiseException.input(
          "%s does not show that the policy is better than %s: %s, mean response time %s"
              .formatted(directory, policy.fixed(), Plural.of(pairs.size(), "pair"), change(bets)),
          "keep %s, or compare longer".formatted(policy.fixed()));
    }
    return new Policy.Proof(
        directory.toAbsolutePath().normalize().getFileName().toString(),
        read.path("against").asText(),
        pairs.size(),
        rounded(percent(bets.estimate())),
        rounded(percent(bets.low())),
        rounded(percent(bets.high())));
  }

  private static double rounded(double percent) {
    return Math.round(percent * 10) / 10.0;
  }
}
