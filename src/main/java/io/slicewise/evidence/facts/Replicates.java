package io.slicewise.evidence.facts;

import io.slicewise.experiment.SessionKey;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Reduces values of trials to one per replicate: windows of a session are not independent. */
public final class Replicates {
  private Replicates() {}

  /** Returns the known values of trials, and the mean of each session's known values. */
  public static double[] means(List<TrialResult> trials, ToDoubleFunction<TrialResult> value) {
    return means(trials, trial -> trial, value);
  }

  /** Returns the replicates of values measured in trials. */
  public static <T> double[] means(
      List<T> measured, Function<T, TrialResult> trial, ToDoubleFunction<T> value) {
    List<Double> alone = new ArrayList<>();
    Map<SessionKey, List<Double>> sessions = new LinkedHashMap<>();
    for (T one : measured) {
      double known = value.applyAsDouble(one);
      if (Double.isFinite(known)) {
        trial
            .apply(one)
            .trial()
            .session()
            .map(session -> sessions.computeIfAbsent(session, any -> new ArrayList<>()))
            .orElse(alone)
            .add(known);
      }
    }
    return Stream.concat(
            alone.stream(),
            sessions.values().stream()
                .map(values -> values.stream().mapToDouble(x -> x).average().orElseThrow()))
        .mapToDouble(Double::doubleValue)
        .toArray();
  }
}
