package io.slicewise.analysis;

import io.slicewise.stats.IntervalMethod;
import io.slicewise.stats.TukeyFences;
import io.slicewise.sweep.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The footnotes that belong under every table of a sweep, in words. */
final class Notes {
  private Notes() {}

  static List<String> of(
      List<CellTrials> cells,
      List<TrialResult> results,
      IntervalMethod interval,
      ShareMethod shares) {
    List<String> notes = new ArrayList<>();
    if (results.stream().anyMatch(result -> result.load().isPresent())) {
      notes.add(
          "closed load: a user waits for its answer before asking again, so the waits of users who"
              + " would have arrived meanwhile are not counted");
    }
    if (interval == IntervalMethod.PUBLISHED) {
      notes.add("intervals by the 2010 study's formula: narrower than 95 % intervals are");
    }
    if (shares instanceof ShareMethod.Published published) {
      notes.add(
          "shares by the 2010 study's formula: divided by "
              + published.pcpus()
              + " pCPUs whatever a domain's vCPUs, waiting is the rest");
    }
    addExclusions(results, notes);
    cells.forEach(cell -> addCellNotes(cell, notes));
    return notes;
  }

  /** Counted per profile: a profile whose trials leave more often than others' is itself news. */
  private static void addExclusions(List<TrialResult> results, List<String> notes) {
    Map<String, Long> byProfile =
        results.stream()
            .filter(result -> !result.valid())
            .collect(
                Collectors.groupingBy(
                    result -> result.trial().profile(), TreeMap::new, Collectors.counting()));
    if (!byProfile.isEmpty()) {
      notes.add(
          byProfile.entrySet().stream()
              .map(entry -> entry.getKey() + " " + entry.getValue())
              .collect(Collectors.joining(", ", "trials excluded by profile: ", "")));
    }
  }

  private static void addCellNotes(CellTrials cell, List<String> notes) {
    for (Metric metric : Metric.values()) {
      int known = cell.values(metric).length;
      if (known > 0 && known < cell.valid().size()) {
        notes.add(
            String.format(
                Locale.ROOT,
                "%s, %d users: %s is known in %d of %d trials only",
                cell.profile(),
                cell.users(),
                metric.key(),
                known,
                cell.valid().size()));
      }
    }
    addOutliers(cell, Metric.THROUGHPUT, notes);
    addOutliers(cell, Metric.P95, notes);
  }

  private static void addOutliers(CellTrials cell, Metric metric, List<String> notes) {
    List<TrialResult> known =
        cell.valid().stream().filter(trial -> CellTrials.value(trial, metric).isPresent()).toList();
    for (int i : TukeyFences.outside(cell.values(metric))) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s: %s %.4g %s lies outside Tukey's fences of its cell; named and kept, no rule"
                  + " excludes it",
              known.get(i).trial().slug(),
              metric.key(),
              CellTrials.value(known.get(i), metric).orElseThrow(),
              metric.unit()));
    }
  }
}
