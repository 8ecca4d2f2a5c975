package io.slicewise.profile;

import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** One profile: its name, its scheduler, and the parameters for roles and domains. */
final class ProfileReader {
  static final List<String> PROFILE_KEYS = List.of("scheduler", "dom0", "main", "other", "domains");

  /** The keys of a profile that set nothing. */
  private static final List<String> NAMING_KEYS = List.of("name", "scheduler");

  /** Profile names become directory names, on any file system. */
  static final String NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$";

  private static final Pattern NAME = Pattern.compile(NAME_PATTERN);

  private ProfileReader() {}

  /** Returns why a profile cannot have that name, or empty. */
  static Optional<String> nameFault(String name) {
    if (name.equals(SchedulerProfile.AS_FOUND.name())) {
      return Optional.of("is reserved for the settings found on the host");
    }
    return NAME.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "must be 1 to 64 letters, digits, dots, plus signs, dashes or underscores, and begin"
                + " with a letter or digit: it names a directory");
  }

  static SchedulerProfile read(String name, YamlMap map, Schedulers known) {
    Optional<Scheduler> scheduler =
        map.required("scheduler").flatMap(value -> value.oneOf(known.settable()));
    Map<Role, SchedulerParameters> byRole = new EnumMap<>(Role.class);
    Map<String, SchedulerParameters> byDomain = new LinkedHashMap<>();
    scheduler.ifPresent(
        chosen -> {
          for (Role role : Role.values()) {
            map.get(role.key())
                .flatMap(value -> parameters(chosen, value, role.key()))
                .ifPresent(parameters -> byRole.put(role, parameters));
          }
          map.get("domains").ifPresent(value -> byDomain.putAll(domains(chosen, value)));
          if (NAMING_KEYS.containsAll(map.keys())) {
            map.fault(
                "profile " + name + " sets nothing: dom0, main, other and domains are absent");
          }
        });
    return new SchedulerProfile(name, scheduler, byRole, byDomain);
  }

  private static Map<String, SchedulerParameters> domains(Scheduler scheduler, YamlValue value) {
    Map<String, SchedulerParameters> parameters = new LinkedHashMap<>();
    value
        .anyMap(" of domains")
        .ifPresent(
            map -> {
              if (map.keys().isEmpty()) {
                map.fault("domains lists no domain");
              }
              for (String domain : map.keys()) {
                map.get(domain)
                    .flatMap(entry -> parameters(scheduler, entry, domain))
                    .ifPresent(read -> parameters.put(domain, read));
              }
            });
    return parameters;
  }

  private static Optional<SchedulerParameters> parameters(
      Scheduler scheduler, YamlValue value, String whose) {
    return value
        .map(scheduler.keys(), " of " + whose)
        .map(map -> ParameterReader.read(scheduler, map, whose));
  }
}
