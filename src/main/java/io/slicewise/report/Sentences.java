package io.slicewise.report;

import io.slicewise.evidence.analysis.LikeSentences;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.analysis.SweepSummary.Exclusion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sentences about a sweep, shared by screens and page. */
final class Sentences {
  private Sentences() {}

  /** Returns the experiment's name, marked if nothing was measured. */
  static String title(SweepSummary summary) {
    return summary.experiment() + (summary.origin().isSimulated() ? " (simulated)" : "");
  }

  static String headline(SweepSummary summary) {
    return "%s   %s   %s of %s %s finished, %s excluded, %s failed"
        .formatted(
            title(summary),
            summary.workload(),
            summary.trialsFinished(),
            summary.trialsPlanned(),
            summary.sessions().isPresent() ? "windows" : "trials",
            summary.trialsExcluded(),
            summary.failed().size());
  }

  /** Returns the notes, then the excluded trials, grouped by reason. */
  static List<String> footnotes(SweepSummary summary) {
    List<String> lines = new ArrayList<>(summary.notes());
    lines.addAll(
        together(summary.excluded().stream().filter(one -> !one.replaced()).toList(), "excluded"));
    lines.addAll(
        together(summary.excluded().stream().filter(Exclusion::replaced).toList(), "tried again"));
    lines.addAll(together(summary.failed(), "failed"));
    return List.copyOf(lines);
  }

  private static List<String> together(List<Exclusion> trials, String what) {
    Map<Integer, List<String>> reasons = new TreeMap<>();
    trials.forEach(
        trial ->
            reasons
                .computeIfAbsent(trial.trial(), number -> new ArrayList<>())
                .addAll(trial.reasons()));
    return LikeSentences.of(reasons).stream().map(like -> one(like, what)).toList();
  }

  private static String one(LikeSentences like, String what) {
    return "%s %s %s: %s%s"
        .formatted(
            like.trials().size(),
            like.trials().size() == 1 ? "trial" : "trials",
            what,
            like.sentence(),
            like.trials().stream()
                .map(number -> String.format(Locale.ROOT, "%04d", number))
                .collect(Collectors.joining(", ", ": ", "")));
  }
}
