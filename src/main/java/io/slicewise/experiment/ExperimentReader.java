package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.experiment.Experiment.Order;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One experiment file. Whatever is faulty is kept as a fault and stood in for by its default, so
 * that reading goes on to the end; the caller throws the faults.
 */
final class ExperimentReader {
  /** The experiment's name begins the name of its run directories. */
  static final String NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

  static final int MOST_USERS = 100_000;
  static final int MOST_REPETITIONS = 10_000;
  static final long MOST_SEED = 999_999_999_999_999_999L;
  private static final Pattern NAME = Pattern.compile(NAME_PATTERN);
  private static final Duration SHORTEST_MEASURE = Duration.ofSeconds(1);

  private final Path file;
  private final YamlMap top;
  private final Faults faults;

  ExperimentReader(Path file, YamlMap top, Faults faults) {
    this.file = file;
    this.top = top;
    this.faults = faults;
  }

  Experiment read() {
    String name = name();
    Optional<HostSpec> host = top.get("host").flatMap(value -> HostReader.read(value, file));
    Optional<Map<String, Object>> lab = lab();
    if (!top.has("host") && !top.has("lab")) {
      top.fault("'host' is missing: name the Xen host, or 'lab: {}' for the embedded one");
    }
    Map<Role, List<String>> domains =
        DomainsReader.read(top, Hypervisors.controlDomain(host.flatMap(HostSpec::toolstack)));
    List<SchedulerProfile> profiles =
        new ArrayList<>(new ProfilesReader(file, top, domains, faults).read());
    String baseline = baseline(profiles);
    List<SchedulerProfile> controls = ControlsReader.read(top, profiles, baseline);
    profiles.addAll(controls);
    WorkloadSpec workload = WorkloadReader.read(top, file);
    Duration warmUp = duration("warm-up", Duration.ZERO, Defaults.WARM_UP);
    int repetitions =
        top.get("repetitions")
            .flatMap(value -> value.integer(1, MOST_REPETITIONS))
            .orElse(Defaults.REPETITIONS);
    Order order =
        top.get("order")
            .flatMap(value -> value.oneOf(ExperimentKeys.ORDERS))
            .orElse(Defaults.ORDER);
    return new Experiment(
        name,
        host,
        domains,
        profiles,
        baseline,
        controls.stream().map(SchedulerProfile::name).toList(),
        workload,
        loads(workload),
        repetitions,
        new StopReader(top, workload, order, repetitions).read(),
        ramp(warmUp),
        warmUp,
        duration("measure", SHORTEST_MEASURE, Defaults.MEASURE),
        duration("cool-down", Duration.ZERO, Defaults.COOL_DOWN),
        order,
        top.get("seed").flatMap(value -> value.whole(0, MOST_SEED)).orElse(Defaults.SEED),
        LimitsReader.read(top),
        AimReader.read(top, workload),
        lab,
        SimulationReader.read(top));
  }

  private String name() {
    Optional<YamlValue> value = top.required("name");
    String name = value.flatMap(YamlValue::text).orElse("experiment");
    if (!NAME.matcher(name).matches()) {
      value
          .orElseThrow()
          .refuse(
              "must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a"
                  + " letter or digit: it names a directory");
    }
    return name;
  }

  private Optional<Map<String, Object>> lab() {
    return top.get("lab").flatMap(value -> value.anyMap(" of lab")).map(YamlMap::plain);
  }

  private String baseline(List<SchedulerProfile> profiles) {
    List<String> names = profiles.stream().map(SchedulerProfile::name).toList();
    String found = SchedulerProfile.AS_FOUND.name();
    String first = names.isEmpty() || names.contains(found) ? found : names.get(0);
    return top.get("baseline").flatMap(value -> value.oneOf(names)).orElse(first);
  }

  private List<Load> loads(WorkloadSpec workload) {
    List<Integer> neighbours = workload.neighbours();
    List<Load> loads = new ArrayList<>();
    for (int users : users(workload)) {
      if (neighbours.isEmpty()) {
        loads.add(Load.of(users));
      }
      neighbours.forEach(number -> loads.add(Load.beside(number, users)));
    }
    return loads;
  }

  private List<Integer> users(WorkloadSpec workload) {
    if (!workload.loads()) {
      top.get("users").ifPresent(value -> value.refuse("has no meaning: nothing is loaded"));
      return List.of(0);
    }
    Optional<YamlValue> value = top.required("users");
    List<YamlValue> items = value.map(v -> v.isList() ? v.items() : List.of(v)).orElse(List.of());
    if (value.isPresent() && items.isEmpty()) {
      value.get().refuse("must name at least one user load");
    }
    List<Integer> users = new ArrayList<>();
    for (YamlValue item : items) {
      item.integer(1, MOST_USERS)
          .ifPresent(
              load -> {
                if (users.contains(load)) {
                  item.refuse("stands there twice");
                } else {
                  users.add(load);
                }
              });
    }
    return users;
  }

  private Duration ramp(Duration warmUp) {
    if (!top.has("ramp")) {
      return Defaults.RAMP.compareTo(warmUp) < 0
          ? Defaults.RAMP
          : warmUp.truncatedTo(ChronoUnit.SECONDS);
    }
    Duration ramp = duration("ramp", Duration.ZERO, Defaults.RAMP);
    if (ramp.toNanos() % Duration.ofSeconds(1).toNanos() != 0) {
      top.fault(
          "ramp",
          "ramp "
              + DurationText.of(ramp)
              + " is not a whole number of seconds, and JMeter counts a ramp in those");
    }
    if (ramp.compareTo(warmUp) > 0) {
      top.fault(
          "ramp",
          "ramp "
              + DurationText.of(ramp)
              + " is longer than the warm-up of "
              + DurationText.of(warmUp)
              + ", in which all users must have started");
    }
    return ramp;
  }

  private Duration duration(String key, Duration least, Duration absent) {
    return top.get(key)
        .flatMap(
            value ->
                value.parsed(
                    text -> {
                      Duration duration = DurationText.parse(text);
                      if (duration.compareTo(least) < 0) {
                        throw new IllegalArgumentException(
                            "must be at least " + DurationText.of(least));
                      }
                      return duration;
                    }))
        .orElse(absent);
  }
}
