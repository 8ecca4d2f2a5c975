package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;
import io.slicewise.tune.TrialEvidence;

/** The trials of a design without a decision rule of its own, evaluated like those of the tuner. */
final class MeasuredProfile {
  private final Rules rules;
  private final TrialEvidence evidence;

  MeasuredProfile(int profiles, Rules rules) {
    this.rules = rules;
    evidence = new TrialEvidence(profiles, rules);
  }

  void clear() {
    evidence.clear();
  }

  void add(int profile, double value) {
    evidence.add(profile, value);
  }

  /** Sorts the first {@code size} profiles by their mean, the best first; unmeasured ones last. */
  void bestFirst(int[] profiles, int size) {
    for (int i = 1; i < size; i++) {
      int profile = profiles[i];
      int at = i;
      for (; at > 0 && better(profile, profiles[at - 1]); at--) {
        profiles[at] = profiles[at - 1];
      }
      profiles[at] = profile;
    }
  }

  Method.End end(int runs) {
    int best = evidence.best();
    return new Method.End(best, runs, evidence.probabilityGood(best, rules) >= rules.confidence());
  }

  private boolean better(int profile, int other) {
    return evidence.observations(profile) > 0
        && (evidence.observations(other) == 0 || evidence.logRatio(profile, other) > 0);
  }
}
