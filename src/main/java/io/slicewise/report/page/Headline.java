package io.slicewise.report.page;

import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The answer as one sentence, with its evidence, its costs and the open questions. */
final class Headline {
  private static final double DRIFT_LEVEL = 0.05;

  private final Experiment experiment;
  private final Recommendation facts;

  Headline(Experiment experiment, Recommendation facts) {
    this.experiment = experiment;
    this.facts = facts;
  }

  /** Returns the answer as one sentence over all loads. */
  String answer() {
    if (primaries().isEmpty()) {
      return "Nothing can be recommended: no profile could be compared with %s."
          .formatted(experiment.baseline());
    }
    return facts.candidate().map(this::recommended).orElseGet(this::noneRecommended);
  }

  private String recommended(String profile) {
    List<Comparison> its = primaries().stream().filter(c -> c.profile().equals(profile)).toList();
    List<Comparison> better = its.stream().filter(c -> c.verdict() == Verdict.BETTER).toList();
    Comparison quoted = better.stream().max(Comparator.comparing(Comparison::load)).orElseThrow();
    String settings = Phrases.settings(experiment, profile);
    return "Set %s: %s %s%s against %s%s%s%s."
        .formatted(
            settings.isEmpty() ? profile : settings + " (profile " + profile + ")",
            quoted.metric().key(),
            Phrases.effect(quoted),
            Phrases.at(quoted.load()),
            experiment.baseline(),
            price(profile, quoted),
            its.size() == 1
                ? ""
                : "; better at " + better.size() + " of " + its.size() + " loads, worse at none",
            bestSet(quoted.load()));
  }

  /** Returns the cost at the quoted load: throughput, or p95 if throughput decides. */
  private String price(String profile, Comparison quoted) {
    Metric other = quoted.metric() == Metric.THROUGHPUT ? Metric.P95 : Metric.THROUGHPUT;
    return facts.comparisons().stream()
        .filter(c -> c.profile().equals(profile) && c.load().equals(quoted.load()))
        .filter(c -> c.metric() == other)
        .findFirst()
        .map(
            c ->
                ", %s %s"
                    .formatted(
                        other.key(),
                        c.verdict() == Verdict.SAME
                            ? "unchanged"
                            : Phrases.effect(c)
                                + (c.verdict() == Verdict.UNCLEAR ? " (not shown to differ)" : "")))
        .orElse("");
  }

  private String bestSet(Load load) {
    Optional<BestSet> found =
        facts.bestSets().stream()
            .filter(set -> set.load().equals(load) && set.degreesOfFreedom() > 0)
            .findFirst();
    return found
        .map(
            set ->
                "; best set {%s} of %s%s"
                    .formatted(
                        String.join(", ", set.profiles()),
                        set.places().size(),
                        set.profiles().contains(experiment.baseline())
                            ? ", including the baseline"
                            : ", without the baseline"))
        .orElse("");
  }

  private String noneRecommended() {
    List<String> mixed =
        primaries().stream()
            .filter(c -> c.verdict() == Verdict.BETTER)
            .map(Comparison::profile)
            .distinct()
            .toList();
    String head = "Keep " + experiment.baseline() + ": no other profile was shown to be better in ";
    String metric = facts.question().primary().key();
    return mixed.isEmpty()
        ? head + metric + " at any load."
        : ("%s%s without being worse at another load (%s%s better at some loads and worse"
                + " at others).")
            .formatted(head, metric, Phrases.list(mixed), mixed.size() == 1 ? " is" : " are");
  }

  /** Returns the unclear comparisons and the repetitions that would decide them, fewest first. */
  List<String> notShown() {
    return primaries().stream()
        .filter(c -> c.verdict() == Verdict.UNCLEAR)
        .sorted(Comparator.comparingInt((Comparison c) -> c.moreBlocks().orElse(Integer.MAX_VALUE)))
        .map(Headline::open)
        .toList();
  }

  private static String open(Comparison c) {
    String unit = c.basis().isSwitched() ? c.basis().unit() : "repetition";
    String needed =
        c.moreBlocks().isPresent()
            ? "%s of %s would decide assuming the same effect and variance"
                .formatted(
                    Phrases.count(c.moreBlocks().getAsInt(), "more " + unit),
                    c.basis().isSwitched() ? "all cells at this load" : "both cells")
            : Double.isFinite(c.low())
                ? "undecidable even with 1,000 %ss".formatted(unit)
                : "one %s gives no variance; run at least two more".formatted(unit);
    return c.profile() + Phrases.at(c.load()) + ": " + Phrases.effect(c) + "; " + needed;
  }

  /** Returns why the answer is unreliable: carry-over, a false alarm of the control, or drift. */
  List<String> warnings() {
    List<String> sentences = new ArrayList<>();
    facts.sessions().ifPresent(evidence -> sentences.addAll(evidence.washOutWarnings()));
    for (Comparison c : facts.control().falseAlarms()) {
      sentences.add(
          ("The control %s%s differs from the identical baseline by %s, so any result of"
                  + " this sweep may be a false alarm.")
              .formatted(c.profile(), Phrases.at(c.load()), Phrases.effect(c)));
    }
    if (facts.drift().found(DRIFT_LEVEL)) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "The host drifted during the sweep (p %.3f for the slope, %.3f for successive"
                  + " trials): intervals may be too narrow.",
              facts.drift().slopeP(),
              facts.drift().lagOneP()));
    }
    return sentences;
  }

  private List<Comparison> primaries() {
    return facts.comparisons().stream()
        .filter(comparison -> comparison.kind() == Comparison.Kind.PRIMARY)
        .toList();
  }
}
