package io.slicewise.evidence.analysis;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Percentile;
import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.facts.ShareMethod;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Stop;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import io.slicewise.stats.table.OrderDrift;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The footnotes of all tables of a sweep. */
final class Notes {
  private static final int MOST_NAMED = 3;
  private static final double CONFIDENCE = 0.95;

  private final Experiment experiment;
  private final List<CellTrials> cells;
  private final List<TrialResult> results;
  private final List<String> notes = new ArrayList<>();

  Notes(Experiment experiment, List<CellTrials> cells, List<TrialResult> results) {
    this.experiment = experiment;
    this.cells = cells;
    this.results = results;
  }

  /**
   * @param precision by the experiment's {@code stop}; empty when it has none
   * @param sessions of a switchback design; empty for trials
   */
  List<String> all(
      IntervalMethod interval,
      ShareMethod shares,
      Optional<Precision> precision,
      Optional<SessionEvidence> sessions) {
    Question question = Question.of(experiment, results);
    addControl(question);
    Question.replacement(experiment, results).ifPresent(notes::add);
    sessions.ifPresent(evidence -> notes.addAll(evidence.sentences()));
    precision.ifPresent(known -> addPrecision(known, interval));
    if (results.stream().anyMatch(result -> result.load().isPresent()) && !experiment.isOpen()) {
      notes.add(
          "closed load: each user waits for a response before the next request, so delays to users"
              + " who could not arrive are not measured");
    }
    if (interval == IntervalMethod.PUBLISHED) {
      notes.add("intervals by the 2010 study's formula: narrower than 95 % intervals");
    }
    if (shares instanceof ShareMethod.Published published) {
      notes.add(
          "shares by the 2010 study's formula: divided by "
              + published.pcpus()
              + " pCPUs regardless of a domain's vCPUs; waiting is the rest");
    }
    OrderDrift drift = RunOrder.drift(experiment, results, question.primary());
    RunOrder.sentence(experiment, drift, question.primary()).ifPresent(notes::add);
    addLabLateness();
    GroupedNote.warnings(experiment, results).forEach(note -> notes.add(note.line()));
    addExclusions();
    addUnknown(Metric.P95);
    addUnknown(Metric.P99);
    LabelSummaries labels = new LabelSummaries(results, interval, CONFIDENCE);
    if (cells.stream().anyMatch(labels::anyAbsent)) {
      notes.add(
          "by label: a trial without samples of a label counts as 0/s; times are those of the other"
              + " trials");
    }
    GroupedNote.partlyKnown(experiment, cells).forEach(note -> notes.add(note.line()));
    GroupedNote.outliers(experiment, cells, question.primary())
        .forEach(note -> notes.add(note.line()));
    return notes;
  }

  private void addLabLateness() {
    DoubleSummaryStatistics late =
        results.stream()
            .mapToDouble(trial -> trial.host().labLatenessMillis())
            .filter(Double::isFinite)
            .summaryStatistics();
    if (late.getCount() > 0) {
      notes.add(
          Phrase.of(
              "lateness of the lab (p99 in the window): %.1f to %.1f ms; above 2 ms response times"
                  + " are unreliable",
              late.getMin(), late.getMax()));
    }
  }

  private void addControl(Question question) {
    ControlCheck control =
        ControlCheck.of(Comparisons.of(experiment, results, question), question.primary());
    if (control.outcome() != ControlCheck.Outcome.NO_CONTROL) {
      notes.add(control.sentence());
    }
  }

  /** Adds the cells that miss the requested precision, and the kind of interval. */
  private void addPrecision(Precision precision, IntervalMethod interval) {
    List<Precision.Cell> wider =
        precision.cells().stream().filter(cell -> !cell.precise()).toList();
    if (!wider.isEmpty()) {
      notes.add(
          "wider than +-"
              + PercentText.of(precision.stop().precision())
              + ": "
              + wider.stream().limit(MOST_NAMED).map(Notes::wider).collect(Collectors.joining(", "))
              + (wider.size() > MOST_NAMED ? " and " + (wider.size() - MOST_NAMED) + " more" : ""));
    }
    if (interval == IntervalMethod.STUDENT) {
      notes.add(
          precision.metric()
              + " is a geometric mean with the interval of "
              + (precision.stop().rule() == Stop.Rule.TWO_STAGE
                  ? "Stein's two stages"
                  : "an always-valid confidence sequence")
              + ", since it determined the number of trials");
    }
  }

  private static String wider(Precision.Cell cell) {
    Estimate estimate = cell.estimate();
    return cell.profile()
        + " at "
        + cell.load().text()
        + (Double.isFinite(estimate.halfWidth())
            ? Phrase.of(" (+-%.1f %%)", 100 * (Math.sqrt(estimate.high() / estimate.low()) - 1))
            : " (no interval)");
  }

  private void addUnknown(Metric metric) {
    long samples = metric.percentile().map(Percentile::samples).orElse(0L);
    boolean measured = cells.stream().anyMatch(cell -> cell.observed(Metric.THROUGHPUT).length > 0);
    boolean merged =
        cells.stream()
            .anyMatch(
                cell ->
                    cell.observed(metric).length < cell.valid().size()
                        && cell.values(metric).length > 0);
    if (experiment.design().isPresent() && merged) {
      notes.add(
          Phrase.of(
              "%s needs %,d samples, which not every window has: computed from all windows of a"
                  + " profile in a session; sessions are the replicates",
              metric.key(), samples));
    } else if (measured && cells.stream().allMatch(cell -> cell.observed(metric).length == 0)) {
      notes.add(
          Phrase.of(
              "%s is unknown: it needs %,d samples in a trial's window", metric.key(), samples));
    }
  }

  /** Adds exclusions by profile, since an uneven distribution is itself a finding. */
  private void addExclusions() {
    Attempts attempts = new Attempts(results);
    Predicate<TrialResult> counts = TrialResult::valid;
    Predicate<TrialResult> replaced = result -> attempts.instead(result).isPresent();
    addByProfile("excluded", attempts.byProfile(counts.or(replaced).negate()));
    addByProfile("replaced", attempts.byProfile(replaced));
  }

  private void addByProfile(String what, Map<String, Integer> trials) {
    if (!trials.isEmpty()) {
      notes.add(
          trials.entrySet().stream()
              .map(entry -> entry.getKey() + " " + entry.getValue())
              .collect(Collectors.joining(", ", "trials " + what + " by profile: ", "")));
    }
  }
}
