package io.slicewise.report.page;

import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SettingDifference;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.power.Resolution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Phrases for the page's sentences. */
final class Phrases {
  private Phrases() {}

  /** Returns {@code −18.6 % [−22.0, −15.1]}, without the interval if there is none. */
  static String effect(Comparison comparison) {
    Change change = comparison.change();
    if (Resolution.isTooWide(change.low(), change.high())) {
      return Resolution.NONE;
    }
    String percent = signed(change.percent()) + " %";
    return Double.isFinite(change.low()) && Double.isFinite(change.high())
        ? percent + " [" + signed(change.low()) + ", " + signed(change.high()) + "]"
        : percent;
  }

  /** Returns a signed number with one decimal and a typographic minus. */
  static String signed(double value) {
    return NumberText.signed(value).replace('-', '−');
  }

  /** {@code a}, {@code a and b}, {@code a, b and c}. */
  static String list(List<String> things) {
    int last = things.size() - 1;
    return last < 1
        ? String.join("", things)
        : String.join(", ", things.subList(0, last)) + " and " + things.get(last);
  }

  /**
   * Returns the settings that differ from the baseline, as {@code weight 512 cap 0 for
   * Apache_Server}; empty if there are none.
   */
  static String settings(Experiment experiment, String profile) {
    Map<String, SchedulerParameters> before =
        experiment.settings(experiment.profile(experiment.baseline()));
    Map<String, List<String>> domains = new LinkedHashMap<>();
    for (SettingDifference differing :
        SettingDifference.between(before, experiment.settings(experiment.profile(profile)))) {
      domains
          .computeIfAbsent(ParametersText.of(differing.wanted()), any -> new ArrayList<>())
          .add(differing.domain());
    }
    List<String> parts = new ArrayList<>();
    domains.forEach((words, names) -> parts.add(words + " for " + list(names)));
    return String.join("; ", parts);
  }
}
