package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerProfile;

/** Finds an experiment's profile by name. */
final class Profiles {
  private Profiles() {}

  static SchedulerProfile named(Experiment experiment, String name) {
    return experiment.profiles().stream()
        .filter(profile -> profile.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no profile " + name));
  }
}
