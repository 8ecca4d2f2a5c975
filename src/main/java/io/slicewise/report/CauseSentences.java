package io.slicewise.report;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.runs.Cause;
import io.slicewise.evidence.runs.Cause.Station;
import io.slicewise.evidence.runs.Causes;
import io.slicewise.stats.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Explains changes of the response time by what a request waits for at each domain. */
public final class CauseSentences {
  private static final double CONFIDENCE = 0.95;
  private static final int MOST_DOMAINS = 3;

  private CauseSentences() {}

  /**
   * Returns one sentence per change, one on the monitor where its waits are in doubt, and one per
   * guest whose own kernel was read.
   */
  public static List<String> of(Causes causes) {
    List<String> sentences =
        new ArrayList<>(causes.changes().stream().map(CauseSentences::sentence).toList());
    if (!causes.caveat().isEmpty() && causes.changes().isEmpty()) {
      sentences.add("where the change comes from is not known: " + causes.caveat());
    } else if (!causes.caveat().isEmpty()
        && causes.changes().stream().anyMatch(CauseSentences::addsUp)) {
      sentences.add(causes.caveat() + ", so waiting may explain less of the change than this");
    }
    if (!causes.changes().isEmpty()) {
      sentences.addAll(causes.witnesses());
    }
    return sentences;
  }

  private static String sentence(Cause cause) {
    if (!addsUp(cause)) {
      return "%s, %s: a request takes %s ms instead of %s ms (%s ms), which cannot be attributed with this monitor: %s ms are not explained by waiting, more than the %s ms that all waits together explain; it shows how long vCPUs wait, and not how many requests wait for them"
          .formatted(
              cause.profile(),
              cause.load().text(),
              number(cause.response().to()),
              number(cause.response().from()),
              change(cause.response()),
              change(cause.unexplained()),
              signed(explained(cause)));
    }
    return "%s, %s: a request takes %s ms instead of %s ms (%s ms)%s; %s ms are not explained by waiting"
        .formatted(
            cause.profile(),
            cause.load().text(),
            number(cause.response().to()),
            number(cause.response().from()),
            change(cause.response()),
            waits(cause),
            change(cause.unexplained()));
  }

  /** Returns whether the waits explain more of the change than they leave unexplained. */
  private static boolean addsUp(Cause cause) {
    return Math.abs(cause.unexplained().value()) <= Math.abs(explained(cause));
  }

  private static double explained(Cause cause) {
    return cause.response().value() - cause.unexplained().value();
  }

  private static String waits(Cause cause) {
    List<String> shown =
        cause.stations().stream()
            .filter(station -> isShown(station.waiting()))
            .limit(MOST_DOMAINS)
            .map(
                station ->
                    "; %s ms because it waits %s ms instead of %s ms for %s's vCPUs%s"
                        .formatted(
                            change(station.waiting()),
                            number(station.waiting().to()),
                            number(station.waiting().from()),
                            station.domain(),
                            takers(station)))
            .toList();
    if (!shown.isEmpty()) {
      return String.join("", shown);
    }
    return cause.stations().stream()
            .anyMatch(station -> Double.isNaN(station.waiting().standardError()))
        ? "; waits for pCPUs were read once for each setting, which gives no interval for their change"
        : "; no domain's wait for a pCPU is shown to have changed";
  }

  /** Returns who had more of the pCPUs' time where the wait rose, or less where it fell. */
  private static String takers(Station station) {
    String shown =
        station.takers().stream()
            .filter(taker -> isShown(taker.share()))
            .filter(taker -> taker.share().value() * station.waiting().value() > 0)
            .limit(MOST_DOMAINS)
            .map(
                taker ->
                    Phrase.of(
                        "%s took %.1f %% instead of %.1f %%",
                        taker.who(), 100 * taker.share().to(), 100 * taker.share().from()))
            .collect(Collectors.joining(" and "));
    return shown.isEmpty() ? "" : ", of whose time " + shown;
  }

  /** Returns whether the interval excludes zero. */
  private static boolean isShown(Difference difference) {
    return difference.low(CONFIDENCE) > 0 || difference.high(CONFIDENCE) < 0;
  }

  private static String change(Difference difference) {
    return Double.isNaN(difference.standardError())
        ? signed(difference.value())
        : "%s [%s, %s]"
            .formatted(
                signed(difference.value()),
                signed(difference.low(CONFIDENCE)),
                signed(difference.high(CONFIDENCE)));
  }

  private static String number(double millis) {
    return Phrase.of("%.2f", millis);
  }

  private static String signed(double millis) {
    return Phrase.of("%+.2f", millis);
  }
}
