package io.slicewise.report;

import io.slicewise.analysis.SweepSummary;
import java.util.ArrayList;
import java.util.List;

/** What is said about a sweep in words, the same on screens and pages. */
final class Sentences {
  private Sentences() {}

  static String headline(SweepSummary summary) {
    return summary.experiment()
        + "   "
        + summary.workload()
        + "   "
        + summary.trialsFinished()
        + " of "
        + summary.trialsPlanned()
        + " trials finished, "
        + summary.excluded().size()
        + " excluded, "
        + summary.failed().size()
        + " failed";
  }

  /** Notes, then every trial that does not count and why. */
  static List<String> footnotes(SweepSummary summary) {
    List<String> lines = new ArrayList<>(summary.notes());
    summary.excluded().forEach(trial -> lines.add("excluded " + one(trial)));
    summary.failed().forEach(trial -> lines.add("failed " + one(trial)));
    return List.copyOf(lines);
  }

  private static String one(SweepSummary.Exclusion trial) {
    return trial.slug() + ": " + String.join("; ", trial.reasons());
  }
}
