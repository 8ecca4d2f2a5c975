package io.slicewise.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * A domain whose settings differ from those wanted.
 *
 * @param current empty if the domain is not running or its settings are not known
 */
public record SettingDifference(
    String domain, Optional<SchedulerParameters> current, SchedulerParameters wanted) {

  /**
   * Returns all differences, in the order of the wanted settings.
   *
   * @param current by domain
   * @param wanted by domain; other domains are ignored
   * @param same whether a wanted setting (first) matches a current one (second)
   */
  public static List<SettingDifference> between(
      Map<String, SchedulerParameters> current,
      Map<String, SchedulerParameters> wanted,
      BiPredicate<SchedulerParameters, SchedulerParameters> same) {
    List<SettingDifference> differences = new ArrayList<>();
    wanted.forEach(
        (domain, parameters) -> {
          Optional<SchedulerParameters> now = Optional.ofNullable(current.get(domain));
          if (now.filter(shown -> same.test(parameters, shown)).isEmpty()) {
            differences.add(new SettingDifference(domain, now, parameters));
          }
        });
    return List.copyOf(differences);
  }

  /** Returns all differences; only equal settings match. */
  public static List<SettingDifference> between(
      Map<String, SchedulerParameters> current, Map<String, SchedulerParameters> wanted) {
    return between(current, wanted, SchedulerParameters::equals);
  }

  /**
   * Returns whether the domain can be switched while it runs, or is not running.
   *
   * @param live whether the host switches a running domain from the first to the second
   */
  public boolean switchesLive(BiPredicate<SchedulerParameters, SchedulerParameters> live) {
    return current.map(now -> live.test(now, wanted)).orElse(true);
  }

  /** Returns whether the domain runs under a scheduler other than the wanted one. */
  public boolean isOtherScheduler() {
    return current.filter(now -> now.scheduler() != wanted.scheduler()).isPresent();
  }
}
