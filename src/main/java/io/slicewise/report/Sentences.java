package io.slicewise.report;

import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.GroupedNote;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.report.table.Wrap;
import java.util.ArrayList;
import java.util.List;

/** Sentences about a sweep, shared by screens and page. */
final class Sentences {
  private Sentences() {}

  /** Returns the experiment's name, marked if nothing was measured. */
  static String title(SweepSummary summary) {
    return summary.experiment() + (summary.origin().isSimulated() ? " (simulated)" : "");
  }

  static String headline(SweepSummary summary) {
    return "%s   %s   %s of %s %s finished, %s excluded%s, %s failed"
        .formatted(
            title(summary),
            summary.workload(),
            summary.trials().finished(),
            summary.trials().planned(),
            summary.unit() + "s",
            summary.exclusions().trials(),
            summary.exclusions().replaced().isEmpty()
                ? ""
                : ", %s replaced"
                    .formatted(Plural.of(summary.exclusions().replaced().size(), "attempt")),
            summary.exclusions().failed().size());
  }

  /** Returns the headline and where the numbers come from, for a screen. */
  static List<String> head(SweepSummary summary, int width) {
    List<String> lines = new ArrayList<>(Wrap.lines(headline(summary), "", "  ", width));
    lines.addAll(Wrap.lines(summary.origin().sentence(), "origin  ", "        ", width));
    return lines;
  }

  /** Returns the notes, then the excluded trials, grouped by reason. */
  static List<String> footnotes(SweepSummary summary) {
    List<String> lines = new ArrayList<>(summary.notes());
    GroupedNote.excluded(summary).forEach(note -> lines.add(note.line()));
    return List.copyOf(lines);
  }
}
