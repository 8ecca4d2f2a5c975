package io.slicewise.evidence.facts;

import io.slicewise.run.result.TrialResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The attempts at trials: a trial may have several attempts, of which at most one counts. */
public record Attempts(List<TrialResult> results) {
  public Attempts {
    results = List.copyOf(results);
  }

  /** Returns the number of finished trials, valid or not. */
  public int trials() {
    return numbers(results.stream()).size();
  }

  /** Returns the number of finished trials without a valid attempt. */
  public int excluded() {
    return trials() - numbers(results.stream().filter(TrialResult::valid)).size();
  }

  /** Returns the attempt that counts instead of this one; empty if this one counts or none does. */
  public Optional<TrialResult> instead(TrialResult result) {
    return results.stream()
        .filter(other -> !result.valid() && other.valid())
        .filter(other -> other.trial().number() == result.trial().number())
        .findFirst();
  }

  /** Returns the number of trials with such an attempt, by profile. */
  public Map<String, Integer> byProfile(Predicate<TrialResult> which) {
    Map<String, Integer> trials = new TreeMap<>();
    results.stream()
        .filter(which)
        .collect(Collectors.groupingBy(result -> result.trial().profile()))
        .forEach((profile, its) -> trials.put(profile, numbers(its.stream()).size()));
    return trials;
  }

  private static Set<Integer> numbers(Stream<TrialResult> results) {
    return results.map(result -> result.trial().number()).collect(Collectors.toSet());
  }
}
