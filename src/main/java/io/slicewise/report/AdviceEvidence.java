package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.evidence.runs.UnitTime;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.report.table.ChangeText;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The evidence for and against a profile, as sentences. */
record AdviceEvidence(Experiment experiment, List<TrialResult> results, Recommendation facts) {
  static boolean isPrimary(Comparison comparison) {
    return comparison.kind() == Kind.PRIMARY;
  }

  /** Returns one sentence per load, then a summary over all loads. */
  List<String> of(String profile) {
    List<String> sentences = new ArrayList<>();
    List<Comparison> its = primaryOf(profile);
    for (Comparison comparison : its) {
      sentences.add(
          "%s: %s, p %s: %s"
              .formatted(
                  comparison.load().text(),
                  ChangeText.sentence(comparison),
                  ChangeText.p(comparison.tests().adjustedP()),
                  ChangeText.verdict(comparison.verdict())));
    }
    if (its.size() > 1) {
      long better = its.stream().filter(c -> c.verdict() == Verdict.BETTER).count();
      sentences.add(
          "over all loads: better at %s of %s, worse at none, %s"
              .formatted(
                  better,
                  its.size(),
                  facts.sameDirection()
                      ? "same direction at every load"
                      : "not the same direction"));
    }
    return sentences;
  }

  /** Returns the best set of each load, and whether the recommended profile is in it. */
  List<String> bestSets(String answer) {
    return facts.bestSets().stream()
        .filter(BestSet::known)
        .map(set -> bestSet(set, answer))
        .toList();
  }

  private static String bestSet(BestSet set, String answer) {
    return "%s: the best set is {%s}, of %s profiles (Hsu, 95 %% at this load alone)%s"
        .formatted(
            set.load().text(),
            String.join(", ", set.profiles()),
            set.places().size(),
            set.profiles().contains(answer) ? "" : "; %s is not in it here".formatted(answer));
  }

  /** Returns what the profile costs, or may cost, in the other metric. */
  List<String> price(String profile) {
    List<String> sentences = new ArrayList<>();
    Metric other = facts.question().primary().companion();
    facts.comparisons().stream()
        .filter(c -> c.kind() == Kind.EXPLORATORY && c.metric().equals(other))
        .filter(c -> c.profile().equals(profile))
        .filter(c -> c.verdict() == Verdict.WORSE || c.verdict() == Verdict.UNCLEAR)
        .forEach(
            c ->
                sentences.add(
                    "%s: %s: %s (not part of the test)"
                        .formatted(
                            c.load().text(),
                            ChangeText.sentence(c),
                            ChangeText.verdict(c.verdict()))));
    return sentences;
  }

  /** Returns the domain whose run-queue wait grew most, by the mean of its trials. */
  Optional<String> largestWait(String profile) {
    return growths(profile)
        .filter(growth -> Double.isFinite(growth.points()))
        .max(Comparator.comparingDouble(Growth::points))
        .map(Growth::sentence);
  }

  /** Returns the increase in wait of each domain at each load. */
  private Stream<Growth> growths(String profile) {
    List<CellSummary> cells = Summaries.summarise(experiment, results, List.of()).cells();
    return cells.stream()
        .filter(now -> now.profile().equals(profile))
        .flatMap(
            now ->
                cells.stream()
                    .filter(before -> before.profile().equals(experiment.baseline()))
                    .filter(before -> before.load().equals(now.load()))
                    .flatMap(before -> growths(before, now)));
  }

  private static Stream<Growth> growths(CellSummary before, CellSummary now) {
    return now.domains().stream()
        .flatMap(
            after ->
                before.domains().stream()
                    .filter(its -> its.domain().equals(after.domain()))
                    .map(
                        its ->
                            new Growth(
                                now.load(),
                                after.domain(),
                                its.waiting().mean(),
                                after.waiting().mean())));
  }

  /** The share of vCPU time that a domain waits, with the baseline and with the profile. */
  private record Growth(Load load, String domain, double from, double to) {
    double points() {
      return 100 * (to - from);
    }

    String sentence() {
      return points() < 1
          ? "no domain's wait for a pCPU rises by more than 1 % of its vCPU time"
          : Phrase.of(
              "%s%s waits %.1f -> %.1f %% of its vCPU time, the largest rise",
              load.heading(), domain, 100 * from, 100 * to);
    }
  }

  /** Returns for each other profile why it is not recommended. */
  List<String> whyNot(String recommended) {
    return experiment.profiles().stream()
        .map(SchedulerProfile::name)
        .filter(name -> !name.equals(recommended) && !name.equals(experiment.baseline()))
        .filter(name -> !Comparisons.isControl(experiment, name))
        .filter(name -> experiment.workload().loads())
        .map(name -> name + ": " + reason(name, recommended))
        .toList();
  }

  private String reason(String name, String recommended) {
    List<Comparison> its = primaryOf(name);
    if (its.isEmpty()) {
      return "no valid trials to compare";
    }
    String verdicts =
        its.stream()
            .collect(Collectors.groupingBy(Comparison::verdict, TreeMap::new, Collectors.toList()))
            .entrySet()
            .stream()
            .map(entry -> EnumName.of(entry.getKey()) + at(entry.getValue()))
            .collect(Collectors.joining(", "));
    boolean beside =
        facts.bestSets().stream()
            .anyMatch(set -> set.profiles().contains(name) && set.profiles().contains(recommended));
    List<Load> without =
        experiment.loads().stream()
            .filter(load -> its.stream().noneMatch(one -> one.load().equals(load)))
            .toList();
    return verdicts
        + (without.isEmpty() ? "" : "; nothing to compare at " + ChangeText.loads(without))
        + (beside ? "; as good as " + recommended + " at some loads" : "");
  }

  private static String at(List<Comparison> comparisons) {
    return comparisons.stream()
        .map(
            c ->
                "%s (%s)"
                    .formatted(
                        c.load().text(),
                        c.means().effect().n() > 1 ? ChangeText.change(c.change()) : "one block"))
        .collect(Collectors.joining(", ", " at ", ""));
  }

  /** Returns which comparisons more repetitions would decide, and how long they take. */
  List<String> wouldDecide() {
    return facts.comparisons().stream()
        .filter(AdviceEvidence::isPrimary)
        .filter(c -> c.verdict() == Verdict.UNCLEAR)
        .map(c -> c.profile() + ", " + c.load().text() + ": " + decides(experiment, c))
        .toList();
  }

  static String decides(Experiment experiment, Comparison comparison) {
    return ChangeText.decides(comparison, UnitTime.of(experiment));
  }

  private List<Comparison> primaryOf(String profile) {
    return facts.comparisons().stream()
        .filter(AdviceEvidence::isPrimary)
        .filter(comparison -> comparison.profile().equals(profile))
        .toList();
  }
}
