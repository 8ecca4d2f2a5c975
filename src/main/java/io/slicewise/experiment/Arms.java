package io.slicewise.experiment;

import io.slicewise.experiment.factors.Factors;
import io.slicewise.profile.SchedulerProfile;
import java.util.List;
import java.util.Optional;

/**
 * The profiles that an experiment compares.
 *
 * @param baseline the name of the profile with which the others are compared
 * @param controls names of the profiles that repeat the baseline, for A/A
 * @param factors of which some of the profiles are the cells; empty without factors, or if not all
 *     of their cells are among the profiles
 */
public record Arms(
    List<SchedulerProfile> profiles,
    String baseline,
    List<String> controls,
    Optional<Factors> factors) {
  public Arms {
    profiles = List.copyOf(profiles);
    controls = List.copyOf(controls);
    List<String> names = profiles.stream().map(SchedulerProfile::name).toList();
    factors = factors.filter(all -> names.containsAll(all.profiles()));
  }

  /** Profiles that are written one by one. */
  public Arms(List<SchedulerProfile> profiles, String baseline, List<String> controls) {
    this(profiles, baseline, controls, Optional.empty());
  }
}
