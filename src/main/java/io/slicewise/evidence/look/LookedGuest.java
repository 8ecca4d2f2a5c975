package io.slicewise.evidence.look;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A guest in a look. Shares are of its vCPUs' time; {@code NaN} if not measured.
 *
 * @param held in which its own cap or quota kept it from running, where the monitor counts that
 * @param others who else ran on its pCPUs, as shares of their time, the largest first
 * @param settings as found; empty if it has none that could be read
 * @param note why a share is not measured or in doubt; otherwise empty
 */
public record LookedGuest(
    String name,
    int vcpus,
    double run,
    double waiting,
    double held,
    List<Other> others,
    String settings,
    Ceiling ceiling,
    String note) {
  /** Less is not listed. */
  private static final double LEAST_OTHER = 0.005;

  private static final Pattern WEIGHT = Pattern.compile("\\b(weight|shares) (\\d{1,6})\\b");

  /** Within the range of every scheduler. */
  private static final int MOST_WEIGHT = 10_000;

  /** A name that a shell takes as it is between single quotes. */
  private static final Pattern NAME = Pattern.compile("[^':]+");

  public LookedGuest {
    others = List.copyOf(others);
  }

  /** Another guest, or tasks of no guest. */
  public record Other(String who, double share) {}

  /**
   * Returns what a monitor measured of a guest.
   *
   * @param all the guests that share its pCPUs, by the same monitor
   * @param pcpus that they share
   */
  static LookedGuest of(
      DomainShares shares,
      List<DomainShares> all,
      int pcpus,
      Optional<SchedulerParameters> settings) {
    OptionalDouble cap =
        settings
            .map(found -> found.ceiling(Math.max(1, shares.vcpus())))
            .filter(OptionalDouble::isPresent)
            .filter(limit -> limit.getAsDouble() < Math.max(1, shares.vcpus()))
            .orElse(OptionalDouble.empty());
    return new LookedGuest(
        shares.domain(),
        shares.vcpus(),
        shares.run(),
        shares.waiting(),
        Ceiling.held(shares),
        others(shares, all, pcpus),
        settings.map(ParametersText::of).orElse(""),
        Ceiling.of(shares, cap),
        shares.note());
  }

  /** A monitor that does not know who ran on a guest's pCPUs knows what all others ran. */
  private static List<Other> others(DomainShares own, List<DomainShares> all, int pcpus) {
    Stream<Other> known =
        own.outsideRun().isPresent()
            ? Stream.concat(
                own.takers().stream().map(taker -> new Other(taker.name(), taker.value())),
                Stream.of(new Other("tasks of no guest", own.outsideRun().getAsDouble())))
            : all.stream()
                .filter(other -> !other.domain().equals(own.domain()))
                .map(other -> new Other(other.domain(), other.run() * other.vcpus() / pcpus));
    return known
        .filter(other -> other.share() >= LEAST_OTHER)
        .sorted(Comparator.comparingDouble(Other::share).reversed())
        .toList();
  }

  /** Returns how many pCPUs it used or waited for; {@code NaN} if that is not known. */
  double wanted() {
    return (run + (Double.isNaN(waiting) ? 0 : waiting)) * Math.max(1, vcpus);
  }

  /** Returns four times its weight, or its cap raised, as a setting to try. */
  Optional<String> proposal() {
    if (!NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    Matcher weight = WEIGHT.matcher(settings);
    if (has(Ceiling.Verdict.CAPPED)) {
      return Optional.of(name + ": cap none");
    }
    return weight.find()
        ? Optional.of(
            "%s: %s %d"
                .formatted(
                    name,
                    weight.group(1),
                    Math.min(MOST_WEIGHT, 4 * Integer.parseInt(weight.group(2)))))
        : Optional.empty();
  }

  boolean has(Ceiling.Verdict verdict) {
    return ceiling.verdict() == verdict;
  }

  /** Returns that it waited and who ran meanwhile, as a sentence. */
  String waited() {
    String meanwhile =
        others.stream()
            .limit(2)
            .map(other -> "%s %s".formatted(other.who(), percent(other.share())))
            .collect(Collectors.joining(", "));
    return "%s waited %s of its vCPUs' time%s."
        .formatted(
            name,
            percent(waiting),
            meanwhile.isEmpty() ? "" : "; of its pCPUs' time others ran: " + meanwhile);
  }

  static String percent(double share) {
    return share < 0.0995 ? Phrase.of("%.1f %%", share * 100) : Phrase.of("%.0f %%", share * 100);
  }
}
