package io.slicewise.report.page;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.GroupedNote;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Experiment;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The answer on one line, the warnings against it, and the open questions. */
public record Headline(Experiment experiment, Recommendation facts, SweepSummary summary) {
  private static final double DRIFT_LEVEL = 0.05;

  /** Returns the answer on one line; without a valid trial, the main reason for that. */
  public String answer() {
    Optional<String> invalid = noValid();
    if (invalid.isPresent()) {
      return invalid.get();
    }
    if (primaries().isEmpty()) {
      return experiment.profiles().size() < 2
          ? "Nothing to compare: the experiment has only one profile"
          : "No answer yet: no profile could be compared with " + experiment.baseline();
    }
    return facts.candidate().map(this::recommended).orElseGet(this::noneRecommended);
  }

  /** Returns that no trial is valid, and why; empty if some are, or none has finished. */
  public Optional<String> noValid() {
    int lost = summary.excluded().size() + summary.failed().size();
    boolean some = summary.cells().stream().anyMatch(cell -> cell.n() > 0);
    return lost == 0 || some
        ? Optional.empty()
        : GroupedNote.mainReason(summary)
            .map(reason -> "No valid %s: %s".formatted(summary.unit(), reason));
  }

  private String recommended(String profile) {
    List<Comparison> its = primaries().stream().filter(c -> c.profile().equals(profile)).toList();
    List<Comparison> better = its.stream().filter(c -> c.verdict() == Verdict.BETTER).toList();
    Comparison quoted = better.stream().max(Comparator.comparing(Comparison::load)).orElseThrow();
    return "Use %s: %s %s %%%s%s"
        .formatted(
            profile,
            quoted.metric().key(),
            Phrases.signed(quoted.percent()),
            Phrases.at(quoted.load()),
            its.size() == 1
                ? ""
                : "; better at %d of %d loads, worse at none".formatted(better.size(), its.size()));
  }

  private String noneRecommended() {
    List<String> mixed =
        primaries().stream()
            .filter(c -> c.verdict() == Verdict.BETTER)
            .map(Comparison::profile)
            .distinct()
            .toList();
    String metric = facts.question().primary().key();
    return mixed.isEmpty()
        ? "Keep %s: no other profile is shown to be better in %s"
            .formatted(experiment.baseline(), metric)
        : "Keep %s: %s better in %s at some loads, but not without a price at others"
            .formatted(
                experiment.baseline(),
                mixed.size() == 1 ? mixed.get(0) + " is" : mixed.size() + " profiles are",
                metric);
  }

  /** Returns how many comparisons are open, and what would decide the first of them. */
  List<String> openSummary() {
    List<String> open = notShown();
    if (primaries().isEmpty()) {
      return List.of("nothing was compared");
    }
    return open.isEmpty()
        ? List.of("every comparison is decided")
        : List.of("%s undecided, %s".formatted(Plural.of(open.size(), "comparison"), open.get(0)));
  }

  /** Returns the unclear comparisons and the repetitions that would decide them, fewest first. */
  public List<String> notShown() {
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
                    Plural.of(c.moreBlocks().getAsInt(), "more " + unit),
                    c.basis().isSwitched() ? "all cells at this load" : "both cells")
            : Double.isFinite(c.low())
                ? "undecidable even with 1,000 %ss".formatted(unit)
                : "one %s gives no variance; run at least two more".formatted(unit);
    return c.profile() + Phrases.at(c.load()) + ": " + Phrases.effect(c) + "; " + needed;
  }

  /** Returns why the answer is unreliable: carry-over, a false alarm of the control, or drift. */
  public List<String> warnings() {
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
          Phrase.of(
              "The host drifted during the sweep (p %.3f): intervals may be too narrow.",
              facts.drift().p()));
    }
    return sentences;
  }

  private List<Comparison> primaries() {
    return facts.comparisons().stream()
        .filter(comparison -> comparison.kind() == Comparison.Kind.PRIMARY)
        .toList();
  }
}
