package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.CellSummary.ObservedPlace;
import io.slicewise.evidence.analysis.CellSummary.ObservedReading;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.evidence.analysis.SweepSummary.Exclusion;
import io.slicewise.evidence.analysis.SweepSummary.Exclusions;
import io.slicewise.evidence.analysis.SweepSummary.Trials;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.facts.Replicates;
import io.slicewise.evidence.facts.ShareMethod;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Origin;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reduces the results of trials to cells. One trial is one observation: a cell's percentile is the
 * mean of its trials' percentiles with an interval over trials, never a percentile over requests of
 * several trials. Only valid trials count; the others are listed with their reasons.
 */
public final class Summaries {
  private static final double CONFIDENCE = 0.95;

  private final Experiment experiment;
  private final IntervalMethod interval;
  private final ShareMethod shares;
  private final ObservedSummaries observed;
  private final LabelSummaries labels;

  private Summaries(
      Experiment experiment,
      List<TrialResult> results,
      IntervalMethod interval,
      ShareMethod shares) {
    this.experiment = experiment;
    this.interval = interval;
    this.shares = shares;
    this.observed = new ObservedSummaries(experiment, interval, shares, CONFIDENCE);
    this.labels = new LabelSummaries(results, interval, CONFIDENCE);
  }

  /** Creates a reducer with Student's intervals and shares of a domain's own vCPUs. */
  public static SweepSummary summarise(
      Experiment experiment, List<TrialResult> results, List<Exclusion> failed) {
    return summarise(
        experiment,
        results,
        failed,
        IntervalMethod.STUDENT,
        new ShareMethod.OwnVcpus(),
        SessionEvidence.of(experiment, results));
  }

  /**
   * Returns the summary by load and profile, in the experiment's order. A cell without valid trials
   * has n = 0.
   *
   * @param results of the finished trials, valid or not, in any order
   * @param failed trials without a result, with reasons
   * @param sessions what the sessions of a switchback design show; empty for trials
   */
  public static SweepSummary summarise(
      Experiment experiment,
      List<TrialResult> results,
      List<Exclusion> failed,
      IntervalMethod interval,
      ShareMethod shares,
      Optional<SessionEvidence> sessions) {
    return new Summaries(experiment, results, interval, shares).summary(results, failed, sessions);
  }

  private SweepSummary summary(
      List<TrialResult> results, List<Exclusion> failed, Optional<SessionEvidence> sessions) {
    List<CellTrials> cells = CellTrials.of(experiment, results);
    Optional<Precision> precision =
        experiment.stop().map(stop -> Precision.of(experiment, results));
    int finished = new Attempts(results).trials();
    return new SweepSummary(
        experiment.name(),
        experiment.workload().name(),
        host(),
        Origin.of(experiment),
        new Trials(
            experiment.tuning().isPresent() ? finished + failed.size() : planned(results),
            finished),
        cells.stream().map(cell -> cell(cell, precision)).toList(),
        new Exclusions(exclusions(results, false), exclusions(results, true), failed),
        new Notes(experiment, cells, results).all(interval, shares, precision, sessions),
        sessions);
  }

  /**
   * Returns the trials of the repetitions and the added blocks, or the windows of all sessions; of
   * pairs, which end once they decide, those that were measured.
   */
  private int planned(List<TrialResult> results) {
    if (experiment.pairs().isPresent()) {
      return new Attempts(results).trials();
    }
    int repetitions = experiment.cells() * experiment.repetitions();
    return experiment.design().isPresent()
        ? Math.max(repetitions, new Attempts(results).trials())
        : results.stream()
            .mapToInt(result -> experiment.cells() * result.trial().block())
            .reduce(repetitions, Math::max);
  }

  /** Returns the host's name; a lab is marked, since its schedulers are simulated. */
  private String host() {
    return experiment.lab().isPresent()
        ? "embedded lab: simulated schedulers"
        : experiment.host().map(HostSpec::address).orElse("not named");
  }

  private static List<Exclusion> exclusions(List<TrialResult> results, boolean replaced) {
    Attempts attempts = new Attempts(results);
    return results.stream()
        .filter(result -> !result.valid())
        .filter(result -> attempts.instead(result).isPresent() == replaced)
        .map(
            result ->
                new Exclusion(result.trial().number(), result.trial().slug(), result.reasons()))
        .toList();
  }

  private CellSummary cell(CellTrials cell, Optional<Precision> precision) {
    Map<Metric, Estimate> metrics = new LinkedHashMap<>();
    for (Metric metric : Metric.of(experiment)) {
      double[] values = cell.values(metric);
      if (values.length > 0) {
        metrics.put(metric, metric.estimate(interval, CONFIDENCE, values));
      }
    }
    if (interval == IntervalMethod.STUDENT) {
      precision.ifPresent(known -> byItsRule(cell, known, metrics));
    }
    return new CellSummary(
        cell.profile(),
        cell.load(),
        cell.valid().size(),
        metrics,
        observed.summarise(cell.valid()),
        labels.labels(cell),
        labels.measures(cell.valid()));
  }

  /**
   * Returns the interval of the stopping rule for the metric that determined the number of trials,
   * else Student's.
   */
  private static void byItsRule(
      CellTrials cell, Precision precision, Map<Metric, Estimate> metrics) {
    Metric decided = Metric.of(precision.metric());
    precision.cells().stream()
        .filter(known -> known.profile().equals(cell.profile()) && known.load().equals(cell.load()))
        .filter(known -> known.estimate().n() > 0)
        .forEach(known -> metrics.put(decided, known.estimate()));
  }

  /** Returns the names of an experiment's profiles, in its order. */
  public static List<String> profileNames(Experiment experiment) {
    return experiment.profiles().stream().map(SchedulerProfile::name).toList();
  }

  /** Reduces the observations of a cell's trials to estimates by topic, place and reading. */
  private static final class ObservedSummaries {
    private final IntervalMethod interval;
    private final ShareMethod shares;
    private final double confidence;
    private final List<String> domains;

    ObservedSummaries(
        Experiment experiment, IntervalMethod interval, ShareMethod shares, double confidence) {
      this.interval = interval;
      this.shares = shares;
      this.confidence = confidence;
      List<String> named = new ArrayList<>();
      for (Role role : Role.values()) {
        named.addAll(experiment.domains().getOrDefault(role, List.of()));
      }
      this.domains = List.copyOf(named);
    }

    List<ObservedTopic> summarise(List<TrialResult> trials) {
      Map<Topic, Map<String, List<Seen>>> topics = new LinkedHashMap<>();
      for (TrialResult trial : trials) {
        for (Observation seen : trial.observations()) {
          for (Sighting sighting : shares.applyTo(seen).sightings()) {
            if (!sighting.readings().isEmpty()) {
              topics
                  .computeIfAbsent(seen.topic(), any -> new LinkedHashMap<>())
                  .computeIfAbsent(sighting.place().name(), any -> new ArrayList<>())
                  .add(new Seen(trial, sighting));
            }
          }
        }
      }
      return topics.entrySet().stream()
          .map(topic -> new ObservedTopic(topic.getKey(), places(topic.getValue())))
          .toList();
    }

    private List<ObservedPlace> places(Map<String, List<Seen>> byName) {
      return byName.entrySet().stream()
          .sorted(Comparator.comparingInt(entry -> rank(entry.getKey())))
          .map(entry -> place(entry.getValue()))
          .toList();
    }

    /** Ranks Domain-0, main and other domains, as the experiment names them; then all others. */
    private int rank(String place) {
      int rank = domains.indexOf(place);
      return rank < 0 ? domains.size() : rank;
    }

    private ObservedPlace place(List<Seen> trials) {
      Sighting first = trials.get(0).sighting();
      return new ObservedPlace(
          first.place(),
          trials.size(),
          first.readings().stream().map(reading -> reading(reading, trials)).toList());
    }

    /** A trial's measurements of a place. */
    private record Seen(TrialResult trial, Sighting sighting) {}

    /** Estimates a reading over the trials, or the sessions, with a known value. */
    private ObservedReading reading(Reading reading, List<Seen> trials) {
      double[] known =
          Replicates.means(trials, Seen::trial, seen -> seen.sighting().value(reading.name()));
      IntervalMethod method = reading.unit().equals(Reading.SHARE) ? interval.ofShares() : interval;
      return new ObservedReading(
          reading.name(), reading.unit(), method.estimate(confidence, known));
    }
  }
}
