package io.slicewise.report;

import io.slicewise.experiment.Load;
import io.slicewise.stats.Correlation;
import io.slicewise.stats.Estimate;
import io.slicewise.tune.Answer;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.RaceCourse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The sentences of a tune's report. */
final class TuneSentences {
  private TuneSentences() {}

  /** The answer with its confirmed effect. */
  static String answer(
      RaceCourse race, Answer answer, Optional<Confirmation> confirmation, List<String> set) {
    String where = loads(race.loads());
    if (race.path().isEmpty()) {
      return "No answer yet%s: nothing was raced".formatted(where);
    }
    if (confirmation.isEmpty()) {
      return unconfirmed(race, answer, set, where);
    }
    Confirmation measured = confirmation.get();
    String effect = effect(race, measured);
    if (!measured.broken().isEmpty()) {
      return "Keep what you have%s: %s %s (%s)"
          .formatted(where, measured.choice(), String.join(", ", measured.broken()), effect);
    }
    if (measured.confirmed()) {
      String use =
          "Use %s%s: %s, confirmed in trials that took no part in the choice"
              .formatted(measured.choice(), where, effect);
      return answer.probability() >= race.confidence()
          ? "%s; %s with P >= %.3f".formatted(use, TuneReport.within(race), answer.probability())
          : "%s; as good may be %s"
              .formatted(
                  use,
                  set.stream()
                      .filter(name -> !name.equals(measured.choice()))
                      .filter(name -> !name.equals(race.names().get(0)))
                      .collect(Collectors.joining(", ")));
    }
    return answer.kind() == Answer.Kind.SET && set.size() > 1
        ? "The best is one of {%s}%s; %s was not confirmed (%s)"
            .formatted(String.join(", ", set), where, measured.choice(), effect)
        : "Keep what you have%s: %s was not confirmed (%s)"
            .formatted(where, measured.choice(), effect);
  }

  private static String unconfirmed(
      RaceCourse race, Answer answer, List<String> set, String where) {
    if (answer.kind() == Answer.Kind.KEEP) {
      return answer.choice() <= 0
          ? "Keep what you have%s: no candidate is better by more than %s"
              .formatted(
                  where, TuneReport.within(race).replace("within ", "").replace(" of the best", ""))
          : "Keep what you have%s: no candidate is shown to be better; the best may be one of {%s}"
              .formatted(where, String.join(", ", set));
    }
    return "%s leads%s, not confirmed yet".formatted(race.choice(), where);
  }

  /** {@code p95 402 -> 388 ms (-3.5 %, 95 % CI -4.2 to -2.8)}. */
  static String effect(RaceCourse race, Confirmation measured) {
    Estimate effect = measured.effect();
    String metric = race.metric().label().split(" ", 2)[0];
    return String.format(
        Locale.ROOT,
        "%s %s -> %s %s (%+.1f %%, %.0f %% CI %+.1f to %+.1f)",
        race.metric().label().startsWith("run share")
            ? race.metric().label().replace(" %", "")
            : metric,
        number(measured.before()),
        number(measured.after()),
        race.metric().unit(),
        100 * effect.mean(),
        100 * effect.confidence(),
        100 * effect.low(),
        100 * effect.high());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.1f", value);
  }

  /** The rank correlation of simulated and measured effects; empty without a simulation. */
  static String agreement(RaceCourse race) {
    Optional<Correlation> agreement = race.agreement();
    return agreement
        .map(
            one ->
                String.format(
                    Locale.ROOT,
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
                                : ", so candidates that it had discarded were measured, too")))
        .orElse("");
  }

  private static String loads(List<Load> loads) {
    return loads.stream().allMatch(load -> load.users() == 0)
        ? ""
        : loads.stream().map(Load::text).collect(Collectors.joining(", ", " at ", ""));
  }
}
