package io.slicewise.tune.course;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What measuring takes: as measured so far, and before that as planned.
 *
 * @param each seconds of a trial or window
 * @param session seconds of a session beside its windows: set-up, warm-up, tear-down and rest; 0
 *     for trials
 * @param spent seconds so far
 */
record Costs(double each, double session, double spent) {
  /** Returns the costs after a history; sessions that did not end count as the others. */
  static Costs of(Experiment experiment, Situation situation) {
    double rest = Window.seconds(experiment.coolDown());
    List<Outcome> measured = situation.history().stream().filter(one -> one.seconds() > 0).toList();
    double windows = measured.stream().mapToDouble(Outcome::seconds).sum();
    if (experiment.design().isEmpty()) {
      double spent = windows + rest * measured.size();
      return new Costs(
          measured.isEmpty() ? Planner.plannedSeconds(experiment) : spent / measured.size(),
          0,
          spent);
    }
    Map<SessionKey, Double> bySession =
        measured.stream()
            .filter(one -> one.trial().session().isPresent())
            .collect(
                Collectors.groupingBy(
                    one -> one.trial().session().orElseThrow(),
                    Collectors.summingDouble(Outcome::seconds)));
    Set<SessionKey> begun =
        Stream.concat(bySession.keySet().stream(), situation.sessionTimes().keySet().stream())
            .collect(Collectors.toSet());
    double beside =
        situation.sessionTimes().entrySet().stream()
            .mapToDouble(
                one -> Window.seconds(one.getValue()) - bySession.getOrDefault(one.getKey(), 0.0))
            .map(value -> Math.max(0, value))
            .sum();
    int ended = situation.sessionTimes().size();
    double session = ended == 0 ? plannedSession(experiment) : beside / ended + rest;
    return new Costs(
        measured.isEmpty() ? Planner.plannedSeconds(experiment) : windows / measured.size(),
        session,
        windows + beside + rest * ended + session * (begun.size() - ended));
  }

  /** Returns the costs before anything was measured. */
  static Costs planned(Experiment experiment) {
    return new Costs(
        Planner.plannedSeconds(experiment),
        experiment.design().isEmpty() ? 0 : plannedSession(experiment),
        0);
  }

  private static double plannedSession(Experiment experiment) {
    return Window.seconds(experiment.warmUp().plus(experiment.coolDown()));
  }

  /** Returns the seconds of further trials or windows, some of them in new sessions. */
  double of(double number, double sessions) {
    return number * each + sessions * session;
  }
}
