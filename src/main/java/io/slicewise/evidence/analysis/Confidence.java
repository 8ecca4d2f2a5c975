package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.experiment.Experiment;
import io.slicewise.stats.OrderDrift;
import io.slicewise.stats.SessionEffect;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The confidence in a recommendation, by six rules that were fixed before any sweep ran:
 *
 * <ol>
 *   <li><b>blocks</b>: enough that the verdict does not depend on normality: 2^(1−B) ≤ 0.05 / m,
 *       the least p of a sign test of B blocks at Holm's first step in a family of m; for profiles
 *       switched within sessions, three sessions, so that the interval includes restarts;
 *   <li><b>loads</b>: the profile is shown to be better at every load, not only at some;
 *   <li><b>order</b>: complete blocks in random order, and no drift of the residuals against run
 *       order at 5 %; within sessions, nothing of a previous profile is found in windows;
 *   <li><b>control</b>: the sweep has an A/A control that did not differ from the baseline;
 *   <li><b>exclusions</b>: at most one trial in twenty left by a rule;
 *   <li><b>knob</b>: one parameter of one domain differs from the baseline, so that the effect has
 *       one cause.
 * </ol>
 *
 * <p>A: all rules are met. B: one is not. C: several are not, or the control raised a false alarm.
 *
 * @param holds the rules that are met, as phrases
 * @param lacks the others
 * @param moreBlocks that the first rule still needs; empty if it is met
 */
public record Confidence(
    Grade grade, List<String> holds, List<String> lacks, OptionalInt moreBlocks) {
  private static final double LEVEL = 0.05;
  private static final double MOST_EXCLUDED = 0.05;

  public Confidence {
    holds = List.copyOf(holds);
    lacks = List.copyOf(lacks);
  }

  /** The grades, best first. */
  public enum Grade {
    A("nothing to object"),
    B("one objection"),
    C("several objections, or a false alarm");

    private final String meaning;

    Grade(String meaning) {
      this.meaning = meaning;
    }

    /** Returns what the grade says. */
    public String meaning() {
      return meaning;
    }
  }

  /**
   * Grades the recommendation of a profile.
   *
   * @param finished number of finished trials, valid or not
   * @param knobs in which the profile differs from the baseline
   */
  public static Confidence of(
      Experiment experiment, Recommendation facts, String profile, int finished, List<Knob> knobs) {
    Judge judge = new Judge();
    List<Comparison> its =
        facts.comparisons().stream()
            .filter(c -> c.kind() == Kind.PRIMARY && c.profile().equals(profile))
            .toList();
    OptionalInt more = blocks(judge, its, Comparisons.familySize(experiment));
    long better = its.stream().filter(c -> c.verdict() == Verdict.BETTER).count();
    judge.rule(
        better == experiment.loads().size(),
        "better at every load",
        "better at " + better + " of " + experiment.loads().size() + " loads only");
    order(judge, experiment, facts);
    boolean falseAlarm = control(judge, facts.control());
    judge.rule(
        facts.excluded() <= MOST_EXCLUDED * finished,
        facts.excluded() + " of " + finished + " trials excluded",
        facts.excluded() + " of " + finished + " trials excluded, more than one in twenty");
    judge.rule(
        knobs.size() == 1, "one knob differs", knobs.size() + " knobs differ from the baseline");
    Grade grade =
        falseAlarm || judge.lacks.size() > 1 ? Grade.C : judge.lacks.isEmpty() ? Grade.A : Grade.B;
    return new Confidence(grade, judge.holds, judge.lacks, more);
  }

  private static OptionalInt blocks(Judge judge, List<Comparison> its, int family) {
    int blocks = its.stream().mapToInt(c -> c.effect().n()).min().orElse(0);
    if (its.stream().anyMatch(c -> c.basis().isSwitched())) {
      return sessions(judge, its);
    }
    int needed = (int) Math.ceil(1 + Math.log(Math.max(1, family) / LEVEL) / Math.log(2));
    String told = Plural.of(blocks, "block");
    judge.rule(
        blocks >= needed,
        told,
        told + ": fewer than " + needed + " assume normally distributed trials");
    return blocks >= needed ? OptionalInt.empty() : OptionalInt.of(needed - blocks);
  }

  private static OptionalInt sessions(Judge judge, List<Comparison> its) {
    judge.rule(
        its.stream().noneMatch(c -> c.basis() == Basis.SESSION_BLOCKS),
        "at least %d sessions".formatted(SessionEffect.REPLICATES),
        "fewer than %d sessions: a restart may change the effect"
            .formatted(SessionEffect.REPLICATES));
    return OptionalInt.empty();
  }

  private static void order(Judge judge, Experiment experiment, Recommendation facts) {
    if (experiment.order() != Experiment.Order.BLOCKS) {
      judge.lacks.add("order as written: drift of the host cannot be distinguished from an effect");
      return;
    }
    OrderDrift drift = facts.drift();
    if (facts.sessions().filter(SessionEvidence::carriesOver).isPresent()) {
      judge.lacks.add("the wash-out is too short: a previous profile is left in windows");
      return;
    }
    double p = Double.isNaN(drift.p()) ? 1 : drift.p();
    judge.rule(
        !drift.found(LEVEL),
        Phrase.of("no drift (p %.2f)", p),
        Phrase.of("drift against run order (p %.3f)", p));
  }

  private static boolean control(Judge judge, ControlCheck check) {
    ControlCheck.Outcome outcome = check.outcome();
    judge.rule(
        outcome == ControlCheck.Outcome.NO_FALSE_ALARM,
        "the baseline measured twice agrees with itself",
        switch (outcome) {
          case FALSE_ALARM -> "the baseline measured twice differs from itself";
          case UNTESTED -> "too few trials of the baseline measured twice";
          default -> "the baseline was not measured twice";
        });
    return outcome == ControlCheck.Outcome.FALSE_ALARM;
  }

  private static final class Judge {
    private final List<String> holds = new ArrayList<>();
    private final List<String> lacks = new ArrayList<>();

    void rule(boolean holdsTrue, String good, String bad) {
      (holdsTrue ? holds : lacks).add(holdsTrue ? good : bad);
    }
  }
}
