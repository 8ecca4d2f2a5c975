package io.slicewise.profile;

import io.slicewise.profile.ParameterKind.TimeSpan;
import java.time.Duration;
import java.util.Optional;

/** Checks settings against their descriptions for a domain whose vCPUs are known. */
public final class SettingFaults {
  /**
   * A rejected value.
   *
   * @param what the parameter and its value: {@code cap 300}
   * @param rule the rule that it breaks: {@code is out of range 0..200}
   */
  public record Fault(String what, String rule) {}

  private SettingFaults() {}

  /**
   * Returns the first value, in the order of the parameters, that is invalid for a domain with
   * these vCPUs.
   */
  public static Optional<Fault> first(SchedulerParameters parameters, int vcpus) {
    for (SchedulerParameters one : parameters.each()) {
      for (Parameter<?> parameter : one.scheduler().parameters()) {
        Optional<Fault> fault =
            one.uses(parameter) ? fault(one, parameter, vcpus) : Optional.empty();
        if (fault.isPresent()) {
          return fault;
        }
      }
    }
    return Optional.empty();
  }

  private static <T> Optional<Fault> fault(
      SchedulerParameters parameters, Parameter<T> parameter, int vcpus) {
    Optional<TimeShare> share =
        parameters.scheduler().share().filter(time -> time.part().key().equals(parameter.key()));
    if (share.isPresent()) {
      return partFault(parameters, share.get());
    }
    T value = parameters.get(parameter);
    return parameter
        .kind()
        .fault(value, vcpus)
        .map(rule -> new Fault(shown(parameter, value), rule));
  }

  private static Optional<Fault> partFault(SchedulerParameters parameters, TimeShare share) {
    Duration part = parameters.get(share.part());
    Duration whole = parameters.get(share.whole());
    return part.compareTo(share.shortest()) < 0 || part.compareTo(whole) > 0
        ? Optional.of(new Fault(shown(share.part(), part), TimeSpan.outOf(share.shortest(), whole)))
        : Optional.empty();
  }

  private static <T> String shown(Parameter<T> parameter, T value) {
    return parameter.key() + " " + parameter.kind().exact(value);
  }
}
