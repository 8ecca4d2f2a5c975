package io.slicewise.report.page;

import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.stats.Verdict;
import java.util.Comparator;
import java.util.List;

/** The open questions. */
record Headline(Experiment experiment, Recommendation facts) {
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

  private List<Comparison> primaries() {
    return facts.comparisons().stream()
        .filter(comparison -> comparison.kind() == Comparison.Kind.PRIMARY)
        .toList();
  }
}
