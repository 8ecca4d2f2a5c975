package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.stats.SessionEffect;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * What a careful reader would object to a profile that a sweep shows to be better, by six rules
 * that were fixed before any sweep ran:
 *
 * <ol>
 *   <li><b>blocks</b>: enough that the verdict does not depend on normality: 2^(1−B) ≤ 0.05 / m,
 *       the least p of a sign test of B blocks at Holm's first step in a family of m; for profiles
 *       switched within sessions, three sessions, so that the interval includes restarts;
 *   <li><b>loads</b>: the profile is shown to be better at every load, not only at some;
 *   <li><b>order</b>: complete blocks in random order, without drift of the residuals;
 *   <li><b>control</b>: the sweep has an A/A control that did not differ from the baseline;
 *   <li><b>exclusions</b>: at most one trial in twenty left by a rule;
 *   <li><b>knob</b>: one parameter of one domain differs from the baseline, so that the effect has
 *       one cause.
 * </ol>
 *
 * <p>Drift, false alarms of controls and what a previous profile leaves in windows are judged
 * together by {@link Diagnostics}, which words them.
 *
 * @param met the rules that are met, as phrases
 * @param broken the others, as caveats
 * @param surer what would meet the first rule
 */
record Objections(List<String> met, List<String> broken, List<String> surer) {
  private static final double LEVEL = 0.05;
  private static final double MOST_EXCLUDED = 0.05;

  /** Applies the rules to the profile that a sweep shows to be better. */
  static Objections to(String profile, RunEvidence evidence) {
    Objections found = new Objections(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    Experiment experiment = evidence.experiment();
    Recommendation facts = evidence.facts();
    List<Comparison> its =
        facts.comparisons().stream()
            .filter(one -> one.kind() == Kind.PRIMARY && one.profile().equals(profile))
            .toList();
    if (its.stream().anyMatch(one -> one.means().basis() == Basis.PAIRS)) {
      found.met.add("exact by randomisation, valid at every look");
    } else if (its.stream().anyMatch(one -> one.means().basis().isSwitched())) {
      found.judgeSessions(its);
    } else {
      found.judgeBlocks(its, Comparisons.familySize(experiment));
    }
    long better = its.stream().filter(one -> one.verdict() == Verdict.BETTER).count();
    int loads = experiment.loads().size();
    found.judge(
        better == loads,
        "better at every load",
        "better at %d of %d loads only".formatted(better, loads));
    found.judgeOrder(experiment, facts);
    if (experiment.pairs().isEmpty()) {
      found.judgeControl(facts.control().outcome());
    }
    int finished = new Attempts(evidence.results()).trials();
    String excluded = "%d of %d trials excluded".formatted(facts.excluded(), finished);
    found.judge(
        facts.excluded() <= MOST_EXCLUDED * finished,
        excluded,
        excluded + ", more than one in twenty");
    int knobs = evidence.knobs(profile).size();
    found.judge(knobs == 1, "one knob differs", knobs + " knobs differ from the baseline");
    return found;
  }

  private void judge(boolean isMet, String good, String bad) {
    (isMet ? met : broken).add(isMet ? good : bad);
  }

  private void judgeSessions(List<Comparison> its) {
    judge(
        its.stream().noneMatch(one -> one.means().basis() == Basis.SESSION_BLOCKS),
        "at least %d sessions".formatted(SessionEffect.REPLICATES),
        "fewer than %d sessions: a restart may change the effect"
            .formatted(SessionEffect.REPLICATES));
  }

  private void judgeBlocks(List<Comparison> its, int family) {
    int blocks = its.stream().mapToInt(one -> one.means().effect().n()).min().orElse(0);
    int needed = (int) Math.ceil(1 + Math.log(Math.max(1, family) / LEVEL) / Math.log(2));
    String counted = Plural.of(blocks, "block");
    judge(
        blocks >= needed,
        counted,
        counted + ": fewer than " + needed + " assume normally distributed trials");
    if (blocks < needed) {
      surer.add(
          "%s would not assume normally distributed trials"
              .formatted(Plural.of(needed - blocks, "more block")));
    }
  }

  private void judgeOrder(Experiment experiment, Recommendation facts) {
    double p = facts.drift().p();
    if (!experiment.order().equals(Order.BLOCKS)) {
      broken.add("order as written: drift of the host cannot be distinguished from an effect");
    } else if (!facts.drift().found(LEVEL)) {
      met.add(Phrase.of("no drift (p %.2f)", Double.isNaN(p) ? 1 : p));
    }
  }

  private void judgeControl(ControlCheck.Outcome outcome) {
    switch (outcome) {
      case NO_FALSE_ALARM -> met.add("the baseline measured twice agrees with itself");
      case UNTESTED -> broken.add("too few trials of the baseline measured twice");
      case FALSE_ALARM -> {
        // Diagnostics has the sentence, with the size of the difference.
      }
      default -> broken.add("the baseline was not measured twice");
    }
  }
}
