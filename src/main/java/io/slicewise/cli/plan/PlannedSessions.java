package io.slicewise.cli.plan;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.Trial;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The sessions of an experiment's plan; none where its design is of trials. */
final class PlannedSessions {
  private final Experiment experiment;
  private final Map<SessionKey, Set<String>> profiles = new HashMap<>();
  private final Map<SessionKey, Trial> first = new HashMap<>();
  private int windows;

  PlannedSessions(Experiment experiment) {
    this.experiment = experiment;
    if (experiment.design().isPresent()) {
      Plan.of(experiment).forEach(this::take);
    }
  }

  private void take(Trial window) {
    SessionKey session = window.session().orElseThrow();
    first.putIfAbsent(session, window);
    profiles.computeIfAbsent(session, any -> new HashSet<>()).add(window.profile());
    windows = Math.max(windows, profiles.get(session).size());
  }

  Optional<PlanOutline.Sessions> outline() {
    return experiment.design().map(this::outline);
  }

  private PlanOutline.Sessions outline(SwitchbackDesign design) {
    return new PlanOutline.Sessions(
        design.sessions(),
        profiles.size(),
        design.blocks(),
        design.window(),
        SessionPlan.washOut(experiment),
        design.washOut().isEmpty(),
        experiment
            .warmUp()
            .plus(
                Plan.trialTime(experiment)
                    .multipliedBy(
                        (long) design.blocks() * (design.pairs().isPresent() ? 2 : windows))),
        design.pairs().isPresent());
  }

  /** Returns whether the trial waits for a reboot; with it, its whole session does. */
  boolean waits(Trial trial, Set<String> needing) {
    return trial
        .session()
        .map(session -> profiles.get(session).stream().anyMatch(needing::contains))
        .orElseGet(() -> needing.contains(trial.profile()));
  }

  /** Returns what passes before a window that is its session's first. */
  Duration before(Trial trial) {
    return first.containsValue(trial)
        ? experiment.warmUp().plus(experiment.coolDown())
        : Duration.ZERO;
  }

  /** Returns what the sessions that can run now take beside their windows. */
  Duration overhead(Set<String> needing) {
    List<Trial> begins = first.values().stream().filter(window -> !waits(window, needing)).toList();
    return experiment.warmUp().plus(experiment.coolDown()).multipliedBy(begins.size());
  }
}
