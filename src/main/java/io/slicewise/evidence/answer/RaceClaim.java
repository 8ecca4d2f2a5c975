package io.slicewise.evidence.answer;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.answer.Answer.Claim;
import io.slicewise.evidence.answer.Answer.Effect;
import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.answer.Answer.Kind;
import io.slicewise.experiment.load.Load;
import io.slicewise.stats.Band;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Estimate;
import io.slicewise.tune.Race;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.RaceCourse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one race of a tune claims. Only its confirmation supports a claim: the data of the race
 * chose the winner, so that they would make it look better than it is.
 *
 * @param ended whether the budget is spent or the race decided, so that nothing more is measured
 * @param worth what a claim is worth that the confirmation's interval supports
 */
record RaceClaim(RaceCourse race, boolean ended, Grade worth) {
  Claim claim() {
    Kind kind = kind();
    return new Claim(
        kind,
        grade(kind),
        race.loads(),
        names(kind),
        race.confirmation().map(this::effect),
        sentence(kind));
  }

  private Kind kind() {
    Optional<Confirmation> measured = race.confirmation();
    if (race.path().isEmpty() || !worth.holds()) {
      return Kind.OPEN;
    }
    if (measured.isEmpty()) {
      return race.keeps() && (ended || race.decided()) ? Kind.KEEP : Kind.OPEN;
    }
    Confirmation one = measured.get();
    if (one.confirmed()) {
      return one.isSame(Band.DEFAULT.delta()) ? Kind.KEEP : Kind.USE;
    }
    boolean breaks = !one.broken().isEmpty();
    if (one.better() && !breaks) {
      return Kind.OPEN;
    }
    if (race.keeps() || (!breaks && isNotWorthIt(one))) {
      return Kind.KEEP;
    }
    return race.answer().kind() == Race.Answer.Kind.SET && !breaks ? Kind.SET : Kind.OPEN;
  }

  private boolean isNotWorthIt(Confirmation one) {
    return one.isSame(race.within()) || (isNotBetter(one) && race.knowsTheBest());
  }

  private boolean isNotBetter(Confirmation one) {
    return one.isNotBetter(race.within(), race.metric().lowerIsBetter());
  }

  private Grade grade(Kind kind) {
    boolean shown =
        race.confirmation()
            .filter(one -> one.confirmed() || isNotBetter(one) || !one.broken().isEmpty())
            .isPresent();
    boolean claimed = kind == Kind.USE || (kind == Kind.KEEP && shown);
    return claimed || (!worth.holds() && !race.path().isEmpty()) ? worth : Grade.UNDECIDED;
  }

  private List<String> names(Kind kind) {
    return switch (kind) {
      case USE -> List.of(race.confirmation().orElseThrow().choice());
      case SET, OPEN -> set();
      case KEEP -> List.of();
    };
  }

  private String names() {
    return String.join(" | ", set());
  }

  private List<String> set() {
    List<String> set = race.answer().set().stream().map(race.names()::get).toList();
    return set.isEmpty() ? race.survivors() : set;
  }

  private String sentence(Kind kind) {
    String at = at(race.loads());
    Optional<Confirmation> measured = race.confirmation();
    String effect = measured.map(one -> effect(one).text()).orElse("");
    return switch (kind) {
      case USE ->
          "Use %s%s: %s, %s"
              .formatted(measured.orElseThrow().choice(), at, effect, confirmed(measured.get()));
      case KEEP ->
          "Keep what you have%s: %s"
              .formatted(
                  at,
                  measured
                      .map(one -> one.choice() + " " + why(one) + " (" + effect + ")")
                      .orElse(
                          "no candidate is better by more than " + PercentText.of(race.within())));
      case SET ->
          "The best%s is one of {%s}; %s was not confirmed (%s)"
              .formatted(at, names(), measured.orElseThrow().choice(), effect);
      case OPEN -> "No answer yet%s: %s".formatted(at, open(effect));
    };
  }

  /** Returns what would turn an open claim into an answer; empty if that is unknown. */
  Optional<String> decisive() {
    return race.needed()
        .filter(any -> kind() == Kind.OPEN && worth.holds())
        .map(
            one ->
                "%s of %s and the settings found%s would show a gain, or that it is below %s, assuming the same effect and variance"
                    .formatted(
                        Plural.of(one.blocks(), "block"),
                        one.name(),
                        at(race.loads()),
                        PercentText.of(race.within())));
  }

  private String open(String effect) {
    if (race.path().isEmpty()) {
      return "nothing was raced";
    }
    String before =
        worth.holds() ? "the best may be one of {%s}".formatted(names()) : worth.words();
    return race.confirmation()
        .map(
            one ->
                "%s; %s %s (%s)"
                    .formatted(
                        before,
                        one.choice(),
                        worth.holds() ? why(one) : "is not confirmed",
                        effect))
        .orElse(before);
  }

  private String confirmed(Confirmation one) {
    String where = "confirmed in %s of its own".formatted(counted(one.effect()));
    return worth == Grade.THIS_SESSION ? where + ", which " + worth.words() : where;
  }

  private String why(Confirmation one) {
    if (!one.broken().isEmpty()) {
      return String.join(", ", one.broken());
    }
    if (one.better() && !one.unclear().isEmpty()) {
      return String.join(", ", one.unclear());
    }
    if (one.confirmed()) {
      return "is better by too little to matter";
    }
    return isNotBetter(one)
        ? "is the best of the race and not better by more than " + PercentText.of(race.within())
        : "was not confirmed";
  }

  private Effect effect(Confirmation one) {
    Estimate effect = one.effect();
    return new Effect(
        one.choice(),
        race.metric().name(),
        race.metric().unit(),
        one.before(),
        one.after(),
        new Change(100 * effect.mean(), 100 * effect.low(), 100 * effect.high()),
        effect.confidence(),
        counted(effect));
  }

  private static String counted(Estimate effect) {
    return Plural.of(effect.n(), "block");
  }

  /** {@code at 10, 50 users}; nothing where nothing is loaded. */
  static String at(List<Load> loads) {
    if (Load.areNone(loads)) {
      return "";
    }
    return loads.stream().map(Load::text).collect(Collectors.joining(", ", " at ", ""));
  }
}
