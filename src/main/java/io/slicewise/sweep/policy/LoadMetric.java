package io.slicewise.sweep.policy;

import io.slicewise.base.units.Phrase;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load by which a policy chooses settings.
 *
 * @param domain whose share of its vCPUs' time is the load, in percent; empty for requests per
 *     second
 */
public record LoadMetric(Optional<String> domain) {
  public static final LoadMetric REQUESTS = new LoadMetric(Optional.empty());

  /** The rule of its text, for files, options and schemas. */
  public static final String PATTERN = "^(requests/s|run share of \\S(.*\\S)?)$";

  public static final String RULE = "must be requests/s or 'run share of DOMAIN'";

  /** The fewest readings that a mean of the load is made of. */
  public static final int FEWEST = 5;

  private static final Pattern TEXT = Pattern.compile(PATTERN);
  private static final String SHARE = "run share of ";

  /**
   * Returns the metric of that name.
   *
   * @throws IllegalArgumentException with the rule as its message
   */
  public static LoadMetric parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(RULE);
    }
    String name = matcher.group(1);
    return name.startsWith(SHARE)
        ? new LoadMetric(Optional.of(name.substring(SHARE.length()).strip()))
        : REQUESTS;
  }

  public String unit() {
    return domain.isPresent() ? "%" : "requests/s";
  }

  /** Returns the time between two readings; a host's listing of domains resolves 0.1 s. */
  public Duration pause() {
    return Duration.ofSeconds(domain.isPresent() ? 10 : 1);
  }

  /** Returns the shortest window that has enough readings, also if one of them comes late. */
  public Duration shortestWindow() {
    return pause().multipliedBy(domain.isPresent() ? FEWEST + 1 : FEWEST);
  }

  /** Returns a value with its unit: {@code 42.5 requests/s}. */
  public String text(double value) {
    return number(value) + " " + unit();
  }

  /** Returns a range with its unit: {@code 18.2 to 21.4 requests/s}. */
  public String range(double low, double high) {
    return number(low) + " to " + number(high) + " " + unit();
  }

  static String number(double value) {
    return Phrase.of(value < 10 ? "%.2f" : "%.1f", value);
  }

  @Override
  public String toString() {
    return domain.map(name -> SHARE + name).orElse("requests/s");
  }
}
