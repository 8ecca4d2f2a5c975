package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The trials or windows whose numbers are in doubt, because the machine that measured them had no
 * CPU to spare: by the generator's run queue, CPU, pauses or lateness, the lab's lateness, and
 * Little's law; for shares of domains, by what the monitor covers. Those that do not count because
 * of other programs, and are measured again for that, are neither in doubt nor not.
 *
 * @param doubtful how many are in doubt
 * @param all how many there are, valid or not
 * @param disturbed how many others do not count because of other programs
 * @param byRule how many break each rule
 */
record Doubts(int doubtful, int all, int disturbed, Map<Rule, Long> byRule) {
  /** The share of doubtful windows above which nothing is confirmed. */
  static final double MOST = 0.2;

  private static final Set<Rule> OF_LOADS = EnumSet.of(Rule.GENERATOR, Rule.LAB, Rule.LITTLES_LAW);
  private static final Set<Rule> OF_SHARES = EnumSet.of(Rule.LAB, Rule.COVERAGE);

  /**
   * Counts the doubtful ones among trials or windows.
   *
   * @param shares whether the metric that decides is one of domains, from the monitor
   */
  static Doubts of(Collection<TrialResult> measured, boolean shares) {
    Set<Rule> rules = shares ? OF_SHARES : OF_LOADS;
    List<TrialResult> left = measured.stream().filter(one -> !one.disturbed()).toList();
    List<Set<Rule>> broken =
        left.stream()
            .map(
                one ->
                    one.findings().stream()
                        .map(Finding::rule)
                        .filter(rules::contains)
                        .collect(Collectors.toSet()))
            .filter(some -> !some.isEmpty())
            .toList();
    return new Doubts(
        broken.size(),
        left.size(),
        measured.size() - left.size(),
        broken.stream()
            .flatMap(Set::stream)
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())));
  }

  /** Returns whether so many are in doubt, or disturbed, that nothing is confirmed by them. */
  boolean tooMany() {
    return doubtful > MOST * all || disturbed > all;
  }

  /** Returns whether there is anything to say. */
  boolean any() {
    return doubtful > 0 || disturbed > all;
  }

  /** Returns how many are in doubt, and the rule that most of them break. */
  String sentence(String unit) {
    if (disturbed > all) {
      return "other programs disturbed %d of %s, more than half"
          .formatted(disturbed, Plural.of(disturbed + all, unit));
    }
    String most =
        byRule.entrySet().stream()
            .max(Comparator.comparingLong(Map.Entry::getValue))
            .map(one -> one.getKey().key() + ": " + one.getKey().statement())
            .orElse("");
    return Phrase.of(
        "%d of %s %s in doubt (limit %.0f %%)%s '%s'",
        doubtful,
        Plural.of(all, unit),
        doubtful == 1 ? "is" : "are",
        100 * MOST,
        byRule.size() == 1 ? " by" : ", most by",
        most);
  }
}
