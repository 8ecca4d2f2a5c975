package io.slicewise.experiment;

import io.slicewise.profile.SchedulerProfile;
import java.util.List;

/**
 * The profiles that an experiment compares.
 *
 * @param baseline the name of the profile with which the others are compared
 * @param controls names of the profiles that repeat the baseline, for A/A
 */
public record Arms(List<SchedulerProfile> profiles, String baseline, List<String> controls) {
  public Arms {
    profiles = List.copyOf(profiles);
    controls = List.copyOf(controls);
  }
}
