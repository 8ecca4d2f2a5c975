package io.slicewise.report;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Correlation;
import io.slicewise.tune.course.LimitCheck;
import io.slicewise.tune.course.RaceCourse;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The sentences of a tune's report. */
final class TuneSentences {
  private TuneSentences() {}

  /** Lists settings, whose names may contain commas: {@code web 512, db 64 | web 256, db 64}. */
  static String names(Collection<String> names) {
    return String.join(" | ", names);
  }

  /** {@code as-found at 50 users: p95 < 200 ms is not met: 213 ms (95 % CI 204 to 222)}. */
  static String limit(RaceCourse race, LimitCheck check) {
    String metric = race.metric().limited();
    String unit = check.highest() ? "ms" : "/s";
    return Phrase.of(
        "%s%s: %s %s %s %s %s: %s %s (%.0f %% CI %s to %s)",
        check.name(),
        loads(List.of(check.load())),
        metric,
        check.highest() ? "<" : ">",
        ChangeText.number(check.limit()),
        unit,
        switch (check.outcome()) {
          case MET -> "is met";
          case NOT_MET -> "is not met";
          case UNDECIDED -> "is not decided";
        },
        ChangeText.number(check.level()),
        unit,
        100 * race.confidence(),
        ChangeText.number(check.low()),
        ChangeText.number(check.high()));
  }

  /** {@code 3 windows have no valid result and are missing: web 512: 2 | as-found: 1}. */
  static String missing(RaceCourse race) {
    Map<String, Integer> missing = race.missing();
    int number = missing.values().stream().mapToInt(Integer::intValue).sum();
    return number == 0
        ? ""
        : "%d without a valid result: %s"
            .formatted(
                number,
                missing.entrySet().stream()
                    .map(one -> one.getKey() + ": " + one.getValue())
                    .collect(Collectors.joining(" | ")));
  }

  /** The rank correlation of simulated and measured effects; empty without a simulation. */
  static String agreement(RaceCourse race) {
    Optional<Correlation> agreement = race.agreement();
    return agreement
        .map(
            one ->
                Phrase.of(
                    "simulated and measured effects of %d candidates: rank correlation %.2f (95 %%"
                        + " CI %.2f to %.2f), %s",
                    one.n(),
                    one.spearman(),
                    one.low(),
                    one.high(),
                    one.low() > 0.5
                        ? "so the simulation's choice of candidates is sound"
                        : "not shown above 0.5"
                            + (race.widened().isEmpty()
                                ? ""
                                : ", so discarded candidates were measured, too")))
        .orElse("");
  }

  private static String loads(List<Load> loads) {
    return Load.areNone(loads)
        ? ""
        : loads.stream().map(Load::text).collect(Collectors.joining(", ", " at ", ""));
  }
}
