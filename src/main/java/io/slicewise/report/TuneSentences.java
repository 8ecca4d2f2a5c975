package io.slicewise.report;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Correlation;
import io.slicewise.stats.Estimate;
import io.slicewise.tune.Answer;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.LimitCheck;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Rivals;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The sentences of a tune's report. */
final class TuneSentences {
  private TuneSentences() {}

  /** The answer with its confirmed effect. */
  static String answer(
      RaceCourse race, Answer answer, Optional<Confirmation> confirmation, List<String> set) {
    String where = loads(race.loads());
    if (TuneReport.verdict(race, answer, confirmation) == TuneReport.Verdict.OPEN) {
      return open(race, confirmation, set, where);
    }
    if (confirmation.isEmpty()) {
      return "Keep what you have%s: no candidate is better by more than %s"
          .formatted(
              where, TuneReport.within(race).replace("within ", "").replace(" of the best", ""));
    }
    Confirmation measured = confirmation.get();
    String effect = effect(race, measured);
    if (!measured.broken().isEmpty()) {
      return "Keep what you have%s: %s %s (%s)"
          .formatted(where, measured.choice(), String.join(", ", measured.broken()), effect);
    }
    if (measured.confirmed()) {
      String use =
          "Use %s%s: %s, confirmed in separate %ss"
              .formatted(measured.choice(), where, effect, race.unit());
      return answer.probability() >= race.confidence()
          ? "%s; %s with P >= %.3f".formatted(use, TuneReport.within(race), answer.probability())
          : use + others(race, measured.choice());
    }
    return answer.kind() == Answer.Kind.SET && set.size() > 1
        ? "The best is one of {%s}%s; %s was not confirmed (%s)"
            .formatted(names(set), where, measured.choice(), effect)
        : "Keep what you have%s: %s was not confirmed (%s)"
            .formatted(where, measured.choice(), effect);
  }

  /** {@code ; may be as good: w384; measured too seldom to compare: w128}; empty without any. */
  static String others(RaceCourse race, String choice) {
    Rivals rivals = Rivals.of(race, choice);
    return named("may be as good", rivals.asGood())
        + named("measured too seldom to compare", rivals.hardlyMeasured());
  }

  /** Lists settings, whose names may contain commas: {@code web 512, db 64 | web 256, db 64}. */
  static String names(Collection<String> names) {
    return String.join(" | ", names);
  }

  private static String named(String what, List<String> names) {
    return names.isEmpty() ? "" : "; %s: %s".formatted(what, names(names));
  }

  private static String open(
      RaceCourse race, Optional<Confirmation> confirmation, List<String> set, String where) {
    if (race.path().isEmpty()) {
      return "No answer yet%s: nothing was raced".formatted(where);
    }
    return "No answer yet%s: the best may be one of {%s}%s; 'slicewise tune --continue' adds to it"
        .formatted(
            where,
            names(set.isEmpty() ? race.survivors() : set),
            confirmation
                .map(
                    one ->
                        ", and %s was not confirmed (%s)"
                            .formatted(one.choice(), effect(race, one)))
                .orElse(""));
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

  /** {@code p95 402 -> 388 ms (-3.5 %, 95 % CI -4.2 to -2.8)}. */
  static String effect(RaceCourse race, Confirmation measured) {
    Estimate effect = measured.effect();
    return Phrase.of(
        "%s %s -> %s %s (%+.1f %%, %.0f %% CI %+.1f to %+.1f)",
        race.metric().name(),
        ChangeText.number(measured.before()),
        ChangeText.number(measured.after()),
        race.metric().unit(),
        100 * effect.mean(),
        100 * effect.confidence(),
        100 * effect.low(),
        100 * effect.high());
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
    return loads.stream().allMatch(load -> load.users() == 0)
        ? ""
        : loads.stream().map(Load::text).collect(Collectors.joining(", ", " at ", ""));
  }
}
