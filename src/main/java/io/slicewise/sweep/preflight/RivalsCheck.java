package io.slicewise.sweep.preflight;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.Rival;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which programs of the host set what the experiment's profiles set. */
final class RivalsCheck {
  private RivalsCheck() {}

  static List<CheckResult> check(Experiment experiment, Reached host) {
    Set<String> set =
        experiment.profiles().stream()
            .flatMap(profile -> experiment.settings(profile).values().stream())
            .flatMap(parameters -> changed(parameters).stream())
            .collect(Collectors.toSet());
    return Rival.on(host.shell()).stream().map(rival -> finding(rival, rival.among(set))).toList();
  }

  private static Set<String> changed(SchedulerParameters parameters) {
    Set<String> asFound = parameters.leftAsFound();
    return parameters.scheduler().parameters().stream()
        .map(Parameter::key)
        .filter(key -> !asFound.contains(key))
        .collect(Collectors.toSet());
  }

  private static CheckResult finding(Rival rival, List<String> shared) {
    String runs = rival.name() + " runs on the host and " + rival.does();
    return shared.isEmpty()
        ? CheckResult.ok("other tuning", runs + "; no profile sets the same")
        : CheckResult.warning(
            "other tuning",
            "%s; the profiles set %s as well".formatted(runs, String.join(", ", shared)),
            "stop it for the run: " + rival.stop());
  }
}
