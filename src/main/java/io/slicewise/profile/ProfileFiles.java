package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.YamlDocument;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.ParameterKind.TimeOrNone;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files under {@code scheduler-profiles/}: {@code profiles:} with one entry per profile, by
 * name.
 */
public final class ProfileFiles {
  private static final String HINT = "docs/experiment.md describes the format of profile files";

  private ProfileFiles() {}

  /**
   * Returns the profiles of a file, in the order written.
   *
   * @throws io.slicewise.base.units.SlicewiseException of the kind {@code INPUT} with one line per
   *     fault
   */
  public static List<SchedulerProfile> read(Path file) {
    Faults faults = new Faults();
    List<SchedulerProfile> profiles = read(file, faults);
    faults.throwIfAny(HINT);
    return profiles;
  }

  /** Like {@link #read(Path)}, but collects the faults and returns what can be read. */
  public static List<SchedulerProfile> read(Path file, Faults faults) {
    return read(file, faults, Schedulers.KNOWN);
  }

  /** Like {@link #read(Path, Faults)}, but accepts only these schedulers. */
  public static List<SchedulerProfile> read(Path file, Faults faults, Schedulers known) {
    List<SchedulerProfile> profiles = new ArrayList<>();
    YamlDocument.readNamed(file, "profiles", faults)
        .flatMap(top -> top.get("profiles"))
        .flatMap(value -> value.anyMap(" of profiles"))
        .ifPresent(map -> readAll(map, known, profiles));
    return profiles;
  }

  private static void readAll(YamlMap map, Schedulers known, List<SchedulerProfile> into) {
    if (map.keys().isEmpty()) {
      map.fault("profiles contains no profile");
    }
    for (String name : map.keys()) {
      ProfileReader.nameFault(name)
          .ifPresent(rule -> map.fault(name, "profile name '" + name + "' " + rule));
      map.get(name)
          .flatMap(value -> value.map(ProfileReader.PROFILE_KEYS, " of " + name))
          .map(profile -> ProfileReader.read(name, profile, known))
          .ifPresent(into::add);
    }
  }

  /**
   * Reads a profile inside an experiment file: as in a profile file, plus {@code name}. Faults are
   * collected; the profile contains what can be read.
   */
  public static SchedulerProfile inline(String name, YamlMap map) {
    ProfileReader.nameFault(name)
        .ifPresent(rule -> map.fault("name", "profile name '" + name + "' " + rule));
    return ProfileReader.read(name, map, Schedulers.KNOWN);
  }

  /** The keys of a profile written inside an experiment file. */
  public static List<String> inlineKeys() {
    List<String> keys = new ArrayList<>();
    keys.add("name");
    keys.addAll(ProfileReader.PROFILE_KEYS);
    return keys;
  }

  /** Returns the profile as such an inline entry, with every parameter. */
  public static Map<String, Object> toYaml(SchedulerProfile profile) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", profile.name());
    profile.scheduler().ifPresent(scheduler -> map.put("scheduler", scheduler.xenName()));
    for (Role role : Role.values()) {
      if (profile.byRole().containsKey(role)) {
        map.put(role.key(), ParametersText.toYaml(profile.byRole().get(role)));
      }
    }
    write("domains", profile.byDomain(), map);
    for (Scope scope : Scope.BEYOND_DOMAINS) {
      Map<String, SchedulerParameters> byName = new LinkedHashMap<>();
      profile.of(scope).forEach((target, its) -> byName.put(Scope.name(target), its));
      if (scope == Scope.HOST) {
        byName.values().forEach(its -> map.put(scope.key(), ParametersText.toYaml(its)));
      } else {
        write(scope.key(), byName, map);
      }
    }
    return map;
  }

  private static void write(
      String key, Map<String, SchedulerParameters> byName, Map<String, Object> into) {
    if (!byName.isEmpty()) {
      Map<String, Object> written = new LinkedHashMap<>();
      new TreeMap<>(byName)
          .forEach((name, parameters) -> written.put(name, ParametersText.toYaml(parameters)));
      into.put(key, written);
    }
  }

  /** One profile: its name, its scheduler, and the parameters for roles and domains. */
  private static final class ProfileReader {
    static final List<String> PROFILE_KEYS = keys();

    /** The keys of a profile that set nothing. */
    private static final List<String> NAMING_KEYS = List.of("name", "scheduler");

    /** Profile names become directory names, on any file system. */
    static final String NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$";

    private static final Pattern NAME = Pattern.compile(NAME_PATTERN);

    private ProfileReader() {}

    private static List<String> keys() {
      List<String> keys = new ArrayList<>(List.of("scheduler"));
      Stream.of(Role.values()).map(Role::key).forEach(keys::add);
      Stream.of(Scope.values()).map(Scope::key).forEach(keys::add);
      return List.copyOf(keys);
    }

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
          map.required("scheduler").flatMap(value -> value.oneOf(known.ofProfiles()));
      Map<Role, SchedulerParameters> byRole = new EnumMap<>(Role.class);
      Map<String, SchedulerParameters> byDomain = new LinkedHashMap<>();
      Map<String, SchedulerParameters> byTarget = new LinkedHashMap<>();
      scheduler.ifPresent(
          chosen -> {
            for (Role role : Role.values()) {
              map.get(role.key())
                  .flatMap(value -> parameters(chosen, value, role.key()))
                  .ifPresent(parameters -> byRole.put(role, parameters));
            }
            map.get(Scope.DOMAIN.key())
                .ifPresent(value -> byDomain.putAll(named(Scope.DOMAIN, chosen, value)));
            for (Scope scope : Scope.BEYOND_DOMAINS) {
              map.get(scope.key())
                  .ifPresent(
                      value ->
                          named(scope, chosen, value)
                              .forEach((its, read) -> byTarget.put(scope.target(its), read)));
            }
            if (NAMING_KEYS.containsAll(map.keys())) {
              map.fault(
                  "profile "
                      + name
                      + " sets nothing: %s are absent"
                          .formatted(String.join(", ", keys().subList(1, keys().size()))));
            }
          });
      SchedulerProfile profile = new SchedulerProfile(name, scheduler, byRole, byDomain, byTarget);
      check(profile, map);
      return profile;
    }

    /** Refuses settings of a profile that contradict each other. */
    private static void check(SchedulerProfile profile, YamlMap map) {
      profile
          .of(Scope.POOL)
          .forEach(
              (pool, its) ->
                  PoolWide.fault(its)
                      .ifPresent(rule -> map.fault(Scope.POOL.key(), rule + " of " + pool)));
      Map<String, SchedulerParameters> splits = profile.of(Scope.SPLIT);
      if (splits.size() > 1) {
        map.fault(
            Scope.SPLIT.key(),
            "split lists %s; a host can have one split at a time"
                .formatted(
                    splits.keySet().stream().map(Scope::name).collect(Collectors.joining(", "))));
      }
      if (splits.isEmpty() && profile.scheduler().filter(Scheduler.NULL::equals).isPresent()) {
        map.fault(
            "scheduler",
            "scheduler null has no settings: it needs a cpupool of its own, see split");
      }
      splits.forEach(
          (name, split) -> {
            Split.fault(split, profile.scheduler().orElseThrow())
                .ifPresent(rule -> map.fault(Scope.SPLIT.key(), "%s %s".formatted(name, rule)));
            profile
                .of(Scope.PLACE)
                .forEach(
                    (target, place) ->
                        Placement.contradicts(Scope.name(target), place, split)
                            .ifPresent(
                                rule ->
                                    map.fault(
                                        Scope.PLACE.key(), Scope.name(target) + ": " + rule)));
          });
    }

    private static Map<String, SchedulerParameters> named(
        Scope scope, Scheduler chosen, YamlValue value) {
      Map<String, SchedulerParameters> parameters = new LinkedHashMap<>();
      Optional<Scheduler> description = scope.description(chosen);
      if (description.isEmpty()) {
        value.fault(scope.whyNone(chosen));
        return parameters;
      }
      String prefix = scope == Scope.PLACE ? "" : scope.target("");
      if (scope == Scope.HOST) {
        parameters(description.get(), value, prefix).ifPresent(read -> parameters.put("", read));
        return parameters;
      }
      value
          .anyMap(" of %ss".formatted(scope.word()))
          .ifPresent(
              map -> {
                if (map.keys().isEmpty()) {
                  map.fault("%1$ss lists no %1$s".formatted(scope.word()));
                }
                for (String name : map.keys()) {
                  scope
                      .nameFault(name)
                      .ifPresent(
                          rule ->
                              map.fault(name, "%s '%s' %s".formatted(scope.word(), name, rule)));
                  map.get(name)
                      .flatMap(entry -> parameters(description.get(), entry, prefix + name))
                      .map(
                          read ->
                              scope == Scope.SPLIT && read.get(Split.SCHEDULER).isEmpty()
                                  ? read.with(Split.SCHEDULER, chosen.xenName())
                                  : read)
                      .ifPresent(read -> parameters.put(name, read));
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

  /**
   * The parameters of one domain or role in a file, checked against their descriptions. A cap's
   * upper end is 100 × the domain's vCPUs, which only the host knows.
   */
  private record ParameterReader(Scheduler scheduler, YamlMap map, String whose) {
    static SchedulerParameters read(Scheduler scheduler, YamlMap map, String whose) {
      ParameterReader reader = new ParameterReader(scheduler, map, whose);
      SchedulerParameters read = SchedulerParameters.defaults(scheduler);
      for (Parameter<?> parameter : scheduler.parameters()) {
        read = reader.with(parameter, read);
      }
      for (TimeLimit limit : scheduler.limits()) {
        read = reader.inPercent(limit, read);
      }
      reader.checkShare(read);
      return read;
    }

    private <T> SchedulerParameters with(Parameter<T> parameter, SchedulerParameters read) {
      return map.get(parameter.key())
          .flatMap(parameter.kind()::read)
          .map(value -> read.with(parameter, value))
          .orElse(read);
    }

    /** Converts a quota that the file gives in percent of its period. */
    private SchedulerParameters inPercent(TimeLimit limit, SchedulerParameters read) {
      Optional<YamlValue> written = limit.percent().flatMap(map::get);
      if (written.isEmpty()) {
        return read;
      }
      String quota = limit.quota().key();
      if (map.has(quota)) {
        written.get().refuse("cannot be combined with %s; write one of them".formatted(quota));
        return read;
      }
      Duration period = read.get(limit.period());
      return written
          .get()
          .parsed(text -> quota(text, limit, period))
          .map(time -> read.with(limit.quota(), time))
          .orElse(read);
    }

    private static Duration quota(String text, TimeLimit limit, Duration period) {
      if (text.equals(TimeOrNone.NONE)) {
        return Duration.ZERO;
      }
      double share = PercentText.parse(text);
      Duration quota = Duration.ofNanos(Math.round(period.toNanos() * share / 1e3) * 1_000);
      String fault =
          quota.isZero() ? "is not a quota" : limit.quota().kind().fault(quota, 1).orElse("");
      if (!fault.isEmpty()) {
        throw new IllegalArgumentException(
            "is %s of %s's %s, which %s"
                .formatted(
                    DurationText.micros(quota),
                    limit.period().key(),
                    DurationText.of(period),
                    fault));
      }
      return quota;
    }

    private void checkShare(SchedulerParameters read) {
      scheduler
          .share()
          .ifPresent(
              time -> {
                if (time.isReplaced(read)) {
                  refuseBesideWeight(time.whole());
                  refuseBesideWeight(time.part());
                } else {
                  checkPart(time, read);
                }
              });
    }

    private void refuseBesideWeight(Parameter<?> parameter) {
      TimeShare time = scheduler.share().orElseThrow();
      map.get(parameter.key())
          .ifPresent(
              value ->
                  value.refuse(
                      "cannot be combined with a weight; %s takes either a weight or %s and %s"
                          .formatted(
                              scheduler.hypervisor(), time.whole().key(), time.part().key())));
    }

    private void checkPart(TimeShare time, SchedulerParameters read) {
      Duration part = read.get(time.part());
      Duration whole = read.get(time.whole());
      String key = time.part().key();
      String shown = "%s %s of %s".formatted(key, DurationText.of(part), whose);
      if (part.isZero()) {
        if (!read.get(time.extra())) {
          map.fault(
              key,
              "%s 0 of %s without %s would never run the domain"
                  .formatted(key, whose, time.extra().key()));
        }
      } else if (part.compareTo(time.shortest()) < 0) {
        map.fault(
            key,
            "%s is below %s's least %s of %s"
                .formatted(shown, scheduler.hypervisor(), key, DurationText.of(time.shortest())));
      } else if (part.compareTo(whole) > 0) {
        String left = map.has(key) ? "" : ", %s's default,".formatted(scheduler.hypervisor());
        map.fault(
            key,
            "%s%s is longer than its %s of %s"
                .formatted(shown, left, time.whole().key(), DurationText.of(whole)));
      }
    }
  }
}
