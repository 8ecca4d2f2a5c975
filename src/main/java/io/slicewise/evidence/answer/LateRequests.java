package io.slicewise.evidence.answer;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.workload.Traffic;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Requests that ended only after their window had been read, by the setting under which they
 * started. A log shows them with the next window of the session; of a session's last window they
 * are unknown.
 */
final class LateRequests {
  private static final OutcomeMetric BEFORE = new OutcomeMetric(Traffic.UNFINISHED_BEFORE);

  /** The difference of two settings' shares that is worth a sentence. */
  private static final double CLEARLY = 0.001;

  private long late;
  private long requests;

  private LateRequests() {}

  private double share() {
    return requests == 0 ? 0 : late / (double) requests;
  }

  /**
   * A window in the order of time.
   *
   * @param session empty if it has none
   * @param before requests of the window before that ended too late for it; {@code NaN} if unknown
   */
  record Window(Optional<SessionKey> session, String profile, long requests, double before) {
    static Window of(TrialResult result) {
      return new Window(
          result.trial().session(),
          result.trial().profile(),
          result.load().map(LoadResult::samples).orElse(0L),
          BEFORE.value(result.measures()));
    }
  }

  /** Returns a sentence if the settings differ in them, and so in what their windows leave out. */
  static Optional<String> sentence(List<TrialResult> results) {
    return of(
        results.stream()
            .sorted(Comparator.comparing(result -> result.window().start()))
            .map(Window::of)
            .toList());
  }

  static Optional<String> of(List<Window> windows) {
    Map<String, LateRequests> byProfile = byProfile(windows);
    double most = byProfile.values().stream().mapToDouble(LateRequests::share).max().orElse(0);
    double least = byProfile.values().stream().mapToDouble(LateRequests::share).min().orElse(0);
    return most - least < CLEARLY
        ? Optional.empty()
        : Optional.of(
            byProfile.entrySet().stream()
                .map(
                    entry ->
                        Phrase.of("%.2f %% of %s", 100 * entry.getValue().share(), entry.getKey()))
                .collect(
                    Collectors.joining(
                        ", ", "requests that ended too late to be counted in their window: ", "")));
  }

  private static Map<String, LateRequests> byProfile(List<Window> windows) {
    Map<String, LateRequests> byProfile = new TreeMap<>();
    for (int i = 1; i < windows.size(); i++) {
      Window before = windows.get(i - 1);
      double late = windows.get(i).before();
      if (before.session().equals(windows.get(i).session()) && Double.isFinite(late)) {
        LateRequests its = byProfile.computeIfAbsent(before.profile(), any -> new LateRequests());
        its.late += Math.round(late);
        its.requests += before.requests() + Math.round(late);
      }
    }
    return byProfile;
  }
}
