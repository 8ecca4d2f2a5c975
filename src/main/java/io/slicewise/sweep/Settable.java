package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Hypervisor;
import io.slicewise.profile.SchedulerProfile;

/** Refuses a run whose profiles the host can never take, before anything is changed. */
final class Settable {
  private Settable() {}

  /**
   * Looks at all profiles of the experiment.
   *
   * @throws SlicewiseException with the first refusal
   */
  static void check(Experiment experiment, HostSession session) {
    Hypervisor host = session.hypervisor();
    for (SchedulerProfile profile : experiment.profiles()) {
      experiment
          .settings(profile)
          .forEach(
              (domain, wanted) ->
                  host.refusal(domain, wanted)
                      .ifPresent(sentence -> refuse(profile, sentence, session)));
    }
  }

  private static void refuse(SchedulerProfile profile, String sentence, HostSession session) {
    throw new SlicewiseException(
        ErrorKind.NOT_READY,
        "profile %s: %s".formatted(profile.name(), sentence),
        "correct the profile, or use a host that can take it; %s was left as it is"
            .formatted(session.shell().address()));
  }
}
