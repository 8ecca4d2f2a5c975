package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.SweepSummary.Exclusion;
import io.slicewise.evidence.facts.LikeSentences;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.table.TukeyFences;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One line for notes on trials or cells that differ only in numbers.
 *
 * @param line with the count and the range of each number
 * @param members the notes that it summarises
 */
public record GroupedNote(String line, List<String> members) {
  public GroupedNote {
    members = List.copyOf(members);
  }

  /** Returns the excluded, replaced and failed trials of a sweep, by reason. */
  public static List<GroupedNote> excluded(SweepSummary summary) {
    String unit = summary.unit();
    List<GroupedNote> notes = new ArrayList<>();
    notes.addAll(reasons(summary.exclusions().excluded(), unit, "excluded"));
    notes.addAll(reasons(summary.exclusions().replaced(), unit, "replaced"));
    notes.addAll(reasons(summary.exclusions().failed(), unit, "failed"));
    return notes;
  }

  /**
   * Returns the most frequent reason for which a trial of a sweep does not count, with the number
   * of trials; empty if all count.
   */
  public static Optional<String> mainReason(SweepSummary summary) {
    Map<Integer, List<String>> reasons = new TreeMap<>();
    Stream.concat(summary.exclusions().excluded().stream(), summary.exclusions().failed().stream())
        .forEach(
            trial ->
                reasons
                    .computeIfAbsent(trial.trial(), number -> new ArrayList<>())
                    .addAll(trial.reasons()));
    return LikeSentences.of(numbered(reasons)).stream()
        .max(Comparator.comparingInt(like -> like.subjects().size()))
        .map(like -> "%s (%s)".formatted(like.sentence(), counted(like, summary.unit())));
  }

  private static List<GroupedNote> reasons(List<Exclusion> trials, String unit, String what) {
    Map<Integer, List<String>> reasons = new TreeMap<>();
    trials.stream()
        .forEach(
            trial ->
                reasons
                    .computeIfAbsent(trial.trial(), number -> new ArrayList<>())
                    .addAll(trial.reasons()));
    return of(
        numbered(reasons),
        like ->
            "%s %s: %s: %s"
                .formatted(
                    counted(like, unit),
                    what,
                    like.sentence(),
                    String.join(", ", like.subjects())));
  }

  /** Returns the warnings of trials that excluded none. */
  public static List<GroupedNote> warnings(Experiment experiment, List<TrialResult> results) {
    Map<Integer, List<String>> warnings = new TreeMap<>();
    results.forEach(
        result ->
            warnings
                .computeIfAbsent(result.trial().number(), number -> new ArrayList<>())
                .addAll(result.warnings()));
    return of(
        numbered(warnings),
        like ->
            "%s of %s %ss: %s"
                .formatted(
                    like.subjects().size(), warnings.size(), experiment.unit(), like.sentence()));
  }

  /**
   * Returns the outliers of throughput and of the metric that decides; none of windows, since the
   * levels of their sessions differ.
   */
  static List<GroupedNote> outliers(Experiment experiment, List<CellTrials> cells, Metric primary) {
    Map<String, List<String>> outliers = new LinkedHashMap<>();
    if (experiment.design().isEmpty()) {
      for (CellTrials cell : cells) {
        addOutliers(outliers, cell, Metric.THROUGHPUT);
        if (!primary.equals(Metric.THROUGHPUT)) {
          addOutliers(outliers, cell, primary);
        }
      }
    }
    return of(
        outliers,
        like -> about(like, experiment.unit(), ": " + String.join(", ", like.subjects())));
  }

  public static List<GroupedNote> outliers(Experiment experiment, List<TrialResult> results) {
    return outliers(
        experiment, CellTrials.of(experiment, results), Question.of(experiment, results).primary());
  }

  private static void addOutliers(
      Map<String, List<String>> outliers, CellTrials cell, Metric metric) {
    List<TrialResult> known =
        cell.valid().stream().filter(trial -> CellTrials.value(trial, metric).isPresent()).toList();
    for (int i : TukeyFences.outside(cell.observed(metric))) {
      outliers
          .computeIfAbsent(known.get(i).trial().slug(), slug -> new ArrayList<>())
          .add(
              Phrase.of(
                  "%s %.4g %s is outside Tukey's fences of its cell; it is not excluded",
                  metric.key(),
                  CellTrials.value(known.get(i), metric).orElseThrow(),
                  metric.unit()));
    }
  }

  /** Returns the cells in which a metric is known in some trials only. */
  static List<GroupedNote> partlyKnown(Experiment experiment, List<CellTrials> cells) {
    Map<String, List<String>> partly = new LinkedHashMap<>();
    for (CellTrials cell : cells) {
      for (Metric metric : Metric.of(experiment)) {
        int known = cell.observed(metric).length;
        if (experiment.design().isEmpty() && known > 0 && known < cell.valid().size()) {
          partly
              .computeIfAbsent(
                  cell.profile() + ", " + cell.load().text(), name -> new ArrayList<>())
              .add(
                  "%s is known in only %d of %d trials"
                      .formatted(metric.key(), known, cell.valid().size()));
        }
      }
    }
    return of(
        partly, like -> about(like, "cell", " of a cell: " + String.join("; ", like.subjects())));
  }

  private static Map<String, List<String>> numbered(Map<Integer, List<String>> byTrial) {
    Map<String, List<String>> named = new LinkedHashMap<>();
    byTrial.forEach((number, texts) -> named.put(Phrase.of("%04d", number), texts));
    return named;
  }

  private static List<GroupedNote> of(
      Map<String, List<String>> bySubject, Function<LikeSentences, String> line) {
    return LikeSentences.of(bySubject).stream()
        .map(like -> new GroupedNote(line.apply(like), like.members()))
        .toList();
  }

  /** {@code 3 trials: p95 190 to 230 ms is …}; the subject first if there is only one. */
  private static String about(LikeSentences like, String unit, String subjects) {
    return like.subjects().size() == 1
        ? like.subjects().get(0) + ": " + like.sentence()
        : counted(like, unit) + ": " + like.sentence() + subjects;
  }

  private static String counted(LikeSentences like, String unit) {
    return Plural.of(like.subjects().size(), unit);
  }
}
