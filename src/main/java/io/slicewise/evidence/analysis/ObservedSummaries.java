package io.slicewise.evidence.analysis;

import io.slicewise.evidence.analysis.CellSummary.ObservedPlace;
import io.slicewise.evidence.analysis.CellSummary.ObservedReading;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.evidence.facts.Replicates;
import io.slicewise.evidence.facts.ShareMethod;
import io.slicewise.experiment.Experiment;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.observe.Observation.Sighting;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.profile.Role;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.IntervalMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reduces the observations of a cell's trials to estimates by topic, place and reading. */
final class ObservedSummaries {
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
    return new ObservedReading(reading.name(), reading.unit(), method.estimate(confidence, known));
  }
}
