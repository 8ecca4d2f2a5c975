package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.Arms;
import io.slicewise.experiment.Experiment.Testbed;
import io.slicewise.experiment.Experiment.TrialCourse;
import io.slicewise.experiment.Experiment.TrialParts;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.StudyKind;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.file.ProfilesSection.ControlsReader;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
import io.slicewise.workload.tiles.Tile;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads one experiment file. A faulty value is recorded as a fault and replaced by its default, so
 * that the rest is read too; the caller throws the faults.
 */
public record ExperimentReader(Path file, YamlMap top, List<Option> labOptions, Faults faults) {
  /** The name of the experiment starts the names of its run directories. */
  public static final String NAME_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

  static final int MOST_REPETITIONS = 10_000;
  private static final Pattern NAME = Pattern.compile(NAME_PATTERN);

  /** The keys with one value each. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              "repetitions",
              new OptionKind.Whole(1, MOST_REPETITIONS),
              Defaults.REPETITIONS,
              "trials of every profile at every load; an interval needs at least 2"),
          time(
              "ramp",
              Quantity.Time.ANY,
              Defaults.RAMP,
              "the period in which the users start, in whole seconds; part of the warm-up, and"
                  + " limited to it by default"),
          time(
              "warm-up",
              Quantity.Time.ANY,
              Defaults.WARM_UP,
              "the time before the measured window; not measured"),
          time(
              "measure",
              Quantity.Time.from(Duration.ofSeconds(1)),
              Defaults.MEASURE,
              "the measured window, at least 1s"),
          time("cool-down", Quantity.Time.ANY, Defaults.COOL_DOWN, "rest after a trial"),
          Option.withDefault(
              "order",
              new OptionKind.Word(Order.all().stream().map(Order::key).toList()),
              Defaults.ORDER.toString(),
              "blocks: complete blocks, random inside, so that drift affects all equally;"
                  + " as-written: profile by profile, load by load; loads-as-written: load by load,"
                  + " profile by profile"
                  + StudyKind.all().stream()
                      .map(kind -> "; " + kind.key() + ": " + kind.description())
                      .collect(Collectors.joining())),
          Option.withDefault(
              "seed",
              new OptionKind.Whole(0, Defaults.MOST_SEED),
              Defaults.SEED,
              "of the random order; of the coins of pairs: drawn at the start unless written"));

  private static final String MOST_USERS_KEY = "most-users";

  private static final Option MOST_USERS_AT_ONCE =
      Option.optional(
          MOST_USERS_KEY,
          new OptionKind.Whole(1, Load.MOST_USERS),
          "users at once at most, with a rate; an arrival that finds none free for a second is"
              + " dropped; default: those of two seconds' arrivals, at least 50");

  private static Option domainsOption(Optional<String> control) {
    return Option.needed(
        "domains",
        new DomainsSection(control),
        "the guests by role; the control domain is always included");
  }

  private static Option profiles(ProfilesSection reader) {
    return Option.needed(
        "profiles",
        reader,
        "the settings to compare: as-found, profile files, some profiles of a file, profiles"
            + " defined here, or factors, of whose combinations each is a profile");
  }

  private static Option baseline(OptionKind kind) {
    return Option.optional(
        "baseline",
        kind,
        "the profile with which the others are compared; default: as-found if it is among the"
            + " profiles, otherwise the first");
  }

  private static Option controls(ControlsReader reader) {
    return Option.withDefault(
        "controls",
        reader,
        List.of(),
        "BASELINE-twice: the baseline as a second arm in every block, for A/A");
  }

  /** Returns the keys whose values are read in relation to others. */
  public static List<Option> related() {
    return Stream.concat(
            Stream.of(
                domainsOption(Hypervisors.controlDomain(Optional.empty())),
                profiles(new ProfilesSection(Map.of(), new Faults())),
                baseline(new OptionKind.Text()),
                controls(new ControlsReader(List.of(), "")),
                MOST_USERS_AT_ONCE,
                GeneratorsSection.GENERATORS,
                WatchingSection.logins(List.of(), Optional.empty(), true)),
            Stream.of(Axis.values()).flatMap(axis -> axis.option().stream()))
        .toList();
  }

  private static Option time(String name, OptionKind kind, Duration time, String about) {
    return Option.withDefault(name, kind, DurationText.of(time), about);
  }

  public Experiment read() {
    String name = name();
    Optional<HostSpec> host = top.get("host").flatMap(value -> HostSection.read(value, file));
    Optional<Map<String, Object>> lab = lab();
    if (!top.has("host") && !top.has("lab")) {
      top.fault("'host' is missing: set the host, or 'lab: {}' for the embedded one");
    }
    Optional<String> stated = Testbed.statedToolstack(host, lab);
    Optional<String> control = Hypervisors.controlDomain(stated);
    Map<Role, List<String>> domains = domains(control);
    boolean bare = Hypervisors.isBare(stated);
    Optional<String> reached = bare ? Optional.of(HypervisorKind.BASE) : control;
    Watching watching = WatchingSection.read(top, file, guests(domains), reached, !top.has("lab"));
    ProfilesSection written = new ProfilesSection(domains, faults);
    List<SchedulerProfile> profiles =
        new ArrayList<>(read(profiles(written)).many("profiles", SchedulerProfile.class));
    if (bare) {
      bare(domains, profiles);
    }
    if (top.has("tune") && !profiles.contains(SchedulerProfile.AS_FOUND)) {
      profiles.add(0, SchedulerProfile.AS_FOUND);
    }
    String baseline = baseline(profiles);
    ControlsReader twins = new ControlsReader(List.copyOf(profiles), baseline);
    List<SchedulerProfile> controls =
        DesignSection.observes(top)
            ? twins.twin().stream().toList()
            : read(controls(twins)).many("controls", SchedulerProfile.class);
    List<String> candidates =
        profiles.stream().map(SchedulerProfile::name).filter(one -> !one.equals(baseline)).toList();
    profiles.addAll(controls);
    WorkloadSpec workload = WorkloadSection.read(top, file);
    List<Load> loads = loads(workload, domains);
    Optional<Tuning> tuning =
        new TuningSection(file, top, workload, domains, profiles, loads.size()).read();
    Options scalars = new Options(Option.readAll(OPTIONS, top, file, true));
    Optional<Duration> work = workload.work();
    Duration warmUp = work.isPresent() ? Duration.ZERO : scalars.time("warm-up");
    Order order = Order.named(scalars.text("order").orElseThrow()).orElseThrow();
    Optional<SessionDesign> design =
        new DesignSection(file, top)
            .read(
                profiles,
                tuning.map(Tuning::searched).orElse(Set.of()),
                order,
                scalars.time("measure"),
                candidates,
                loads.size());
    Optional<PairsDesign> pairs = design.flatMap(SessionDesign::pairs);
    if (pairs.isPresent()) {
      refuseUnguarded(host, workload, pairs.get());
    }
    if (written.factors().isPresent()) {
      refuseIncomplete(design);
    }
    if (design.isEmpty()) {
      refuseOfHost(profiles);
    }
    int repetitions =
        design.map(SessionDesign::windows).orElseGet(() -> scalars.integer("repetitions"));
    Optional<Stop> stop =
        design.isPresent()
            ? Optional.empty()
            : new StopSection(file, top, workload, order, repetitions).read();
    if (work.isPresent()) {
      refuseWindow(scalars);
    }
    Generators generators = generators();
    Aim aim =
        tuning.map(Tuning::aim).orElseGet(() -> AimSection.read(top, workload, domains, file));
    TilesCheck tiles = new TilesCheck(top, workload.tiles());
    tiles.refuseBadGoals();
    order
        .study()
        .ifPresent(
            kind ->
                kind.lacks(loads, workload.tiles(), aim)
                    .forEach(fault -> top.fault("order", fault)));
    if (workload.isTiled()) {
      tiles.check(domains.get(Role.MAIN), generators);
    }
    TrialParts parts =
        new TrialParts(
            ramp(scalars.time("ramp"), warmUp),
            warmUp,
            work.or(() -> design.map(SessionDesign::window))
                .orElseGet(() -> scalars.time("measure")),
            scalars.time("cool-down"),
            mostUsers(loads, workload, generators));
    return new Experiment(
        name,
        new Testbed(host, domains, lab, generators, SimulationSection.read(top, file), watching),
        new Arms(
            profiles,
            baseline,
            controls.stream().map(SchedulerProfile::name).toList(),
            written.factors()),
        workload,
        loads,
        new TrialCourse(repetitions, stop, design, order, seed(scalars, design), parts),
        LimitsSection.read(top, file),
        aim,
        tuning);
  }

  private long seed(Options scalars, Optional<SessionDesign> design) {
    return design.flatMap(SessionDesign::pairs).isPresent() && !top.has("seed")
        ? Defaults.UNDRAWN
        : scalars.whole("seed");
  }

  /**
   * Refuses to switch under the site's own users on a host that could not restore itself; the lab
   * ends with its run.
   */
  private void refuseUnguarded(Optional<HostSpec> host, WorkloadSpec workload, PairsDesign pairs) {
    if (workload.live() && !top.has("lab") && host.flatMap(HostSpec::deadMan).isEmpty()) {
      top.fault(
          "host",
          "a live study needs 'dead-man' below 'host', so that the host restores itself if this"
              + " machine is gone; add for example 'dead-man: 1m'");
    }
    boolean bounded =
        pairs.observe() || (pairs.harm().time().isPresent() && pairs.harm().requests().isEmpty());
    if (workload.live() && !workload.hasRequests() && !bounded) {
      top.fault(
          "design",
          "workload %s shows what the users experience only after a window, so no guard can end it,"
                  .formatted(workload.name())
              + " and counts no requests; bound what candidates may cost by time alone: for example"
              + " 'harm: {time: 10m}'");
    }
  }

  /**
   * Refuses what all guests of a host have in common where trials would leave it set for long:
   * blocks and pairs switch it within minutes, and compare neighbouring windows.
   */
  private void refuseOfHost(List<SchedulerProfile> profiles) {
    for (SchedulerProfile profile : profiles) {
      profile.byTarget().keySet().stream()
          .filter(Scope::ofHost)
          .sorted()
          .findFirst()
          .ifPresent(
              target ->
                  top.fault(
                      "profiles",
                      "profile %s sets %s, which all guests have in common: trials cannot compare that; add 'design: {kind: switchback}', or pairs"
                          .formatted(profile.name(), target)));
    }
  }

  /** Refuses factors where blocks do not have all of their cells. */
  private void refuseIncomplete(Optional<SessionDesign> design) {
    if (design.flatMap(SessionDesign::pairs).isPresent()) {
      top.fault(
          "design",
          "pairs measure one candidate at a time, and effects of factors need all cells in each"
              + " block; use 'kind: switchback'");
    }
    if (top.has("tune")) {
      top.fault(
          "tune",
          "a tune drops candidates, and effects of factors need all cells in each block; list the"
              + " values in 'search' instead of 'factors'");
    }
  }

  /** Checks that nothing but the machine itself, as it is, takes part. */
  private void bare(Map<Role, List<String>> domains, List<SchedulerProfile> profiles) {
    if (!guests(domains).equals(List.of(HypervisorKind.BASE))) {
      top.fault(
          "domains",
          "domains must be {main: [%s]} with 'hypervisor: none': the machine is its own domain"
              .formatted(HypervisorKind.BASE));
    }
    if (!profiles.equals(List.of(SchedulerProfile.AS_FOUND))) {
      top.fault(
          "profiles",
          "profiles must be [as-found] with 'hypervisor: none': there are no scheduler settings");
    }
    if (top.has("logins")) {
      top.fault(
          "logins",
          "logins have no meaning with 'hypervisor: none': the machine is read through 'host'");
    }
  }

  /** Checks that nothing asks for a window of time, or for parts of one. */
  private void refuseWindow(Options scalars) {
    String what = "has no meaning with 'measure: work' of the workload: ";
    for (String key : List.of("measure", "design", "generators", "tune", "rate")) {
      if (top.has(key)) {
        top.fault(key, "'%s' %sa trial ends with its last answer".formatted(key, what));
      }
    }
    if (top.has("warm-up") && !scalars.time("warm-up").isZero()) {
      top.fault("warm-up", "'warm-up' %sits 'state' says what runs before".formatted(what));
    }
  }

  private static List<String> guests(Map<Role, List<String>> domains) {
    return Stream.of(Role.MAIN, Role.OTHER).flatMap(role -> domains.get(role).stream()).toList();
  }

  private Options read(Option option) {
    return new Options(Option.readAll(List.of(option), top, file, true));
  }

  private Map<Role, List<String>> domains(Optional<String> control) {
    Options guests = read(domainsOption(control)).group("domains").orElse(new Options(Map.of()));
    Map<Role, List<String>> domains = new EnumMap<>(Role.class);
    domains.put(Role.DOM0, control.stream().toList());
    domains.put(Role.MAIN, guests.many(Role.MAIN.key(), String.class));
    domains.put(Role.OTHER, guests.many(Role.OTHER.key(), String.class));
    return domains;
  }

  private Generators generators() {
    return top.get("generators")
        .flatMap(value -> GeneratorsSection.GENERATORS.kind().read(value, file))
        .map(Generators.class::cast)
        .orElse(Generators.NONE);
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
    Optional<YamlValue> value = top.get("lab");
    if (!labOptions.isEmpty()) {
      value.ifPresent(map -> Option.read(labOptions, Optional.of(map), " of lab", file));
    }
    return value.flatMap(map -> map.anyMap(" of lab")).map(YamlMap::plain);
  }

  private String baseline(List<SchedulerProfile> profiles) {
    List<String> names = profiles.stream().map(SchedulerProfile::name).toList();
    String found = SchedulerProfile.AS_FOUND.name();
    String first = names.isEmpty() || names.contains(found) ? found : names.get(0);
    return read(baseline(new OptionKind.Word(names))).text("baseline").orElse(first);
  }

  private List<Load> loads(WorkloadSpec workload, Map<Role, List<String>> domains) {
    List<Integer> neighbours = workload.neighbours();
    List<String> parts = workload.parts();
    List<Load> loads = new ArrayList<>();
    for (Load load : onGuests(driven(workload), workload, domains)) {
      if (neighbours.isEmpty()) {
        loads.add(load);
      }
      neighbours.forEach(number -> loads.add(load.with(Axis.NEIGHBOURS, Level.of(number))));
    }
    loads.addAll(lone(workload, loads));
    return parts.isEmpty()
        ? loads
        : loads.stream().flatMap(load -> parts.stream().map(load::only)).toList();
  }

  /** Returns each load on each number of guests, if the file lists numbers. */
  private List<Load> onGuests(
      List<Load> driven, WorkloadSpec workload, Map<Role, List<String>> domains) {
    Options options = read(Axis.GUESTS.option().orElseThrow());
    String key = Axis.GUESTS.key();
    if (!options.has(key)) {
      return driven;
    }
    if (!workload.loadsEach()) {
      top.fault(
          key,
          "%s has no meaning: the guests of workload %s share its users; vps loads each with its own"
              .formatted(key, workload.name()));
      return driven;
    }
    List<Tile> tiles = workload.tiles();
    int there = tiles.isEmpty() ? domains.get(Role.MAIN).size() : tiles.size();
    double most = options.amounts(key).stream().mapToDouble(Double::doubleValue).max().orElse(0);
    if (most > there) {
      top.fault(
          key,
          "%s reaches %.0f, but the workload loads %d: list more guests under 'workload', or end at %d"
              .formatted(key, most, there, there));
    }
    new TilesCheck(top, tiles).refuseSeveralGuests(key);
    List<String> strangers =
        tiles.stream()
            .flatMap(tile -> tile.guests().stream())
            .filter(name -> !domains.get(Role.MAIN).contains(name))
            .toList();
    if (!strangers.isEmpty() && !workload.isTiled()) {
      top.fault(
          key,
          "%s needs guests that can be shown to be idle: %s of 'workload' is not among the main domains"
              .formatted(key, String.join(", ", strangers)));
    }
    return options.amounts(key).stream()
        .sorted()
        .flatMap(number -> driven.stream().map(load -> load.with(Axis.GUESTS, Level.of(number))))
        .toList();
  }

  /** Returns the loads without neighbours that verify the others. */
  private List<Load> lone(WorkloadSpec workload, List<Load> loads) {
    Map<String, Double> conditions = workload.lone();
    List<Load> lone = new ArrayList<>();
    List<Load> alone =
        loads.stream()
            .filter(load -> load.count(Axis.NEIGHBOURS).equals(OptionalInt.of(0)))
            .toList();
    if (!conditions.isEmpty() && alone.size() != 1) {
      top.fault(
          "workload",
          "verify needs several numbers of neighbours, 0 among them, and one number of users");
      return lone;
    }
    conditions.forEach(
        (name, factor) -> {
          Load load = alone.get(0);
          long its = Math.max(1, Math.round(factor * load.size()));
          if (its != load.size() || factor == 1) {
            lone.add(load.with(load.driver(), Level.of((double) its)).only(name));
          }
        });
    return lone;
  }

  /** Returns the loads on the one axis that drives them. */
  private List<Load> driven(WorkloadSpec workload) {
    List<Axis> written = Axis.drivers().stream().filter(axis -> top.has(axis.key())).toList();
    if (workload.isTiled()) {
      return new TilesCheck(top, workload.tiles())
          .loads(written, read(Axis.SCALE.option().orElseThrow()));
    }
    if (written.contains(Axis.SCALE)) {
      top.fault(
          Axis.SCALE.key(),
          "%s has no meaning: workload %s has no tiles; set users or a rate"
              .formatted(Axis.SCALE.key(), workload.name()));
      return List.of();
    }
    if (!workload.loads()) {
      written.forEach(
          axis -> top.fault(axis.key(), axis.key() + " has no meaning: nothing is loaded"));
      return List.of(Load.of(0));
    }
    if (written.size() > 1) {
      top.fault(
          written.get(1).key(),
          "%s cannot be set together: a load has a number of users or a rate; remove one"
              .formatted(written.stream().map(Axis::key).collect(Collectors.joining(" and "))));
      return List.of();
    }
    Axis driver = written.isEmpty() ? Axis.USERS : written.get(0);
    Options options = read(driver.option().orElseThrow());
    return options.has(driver.key())
        ? options.amounts(driver.key()).stream()
            .map(size -> new Load(Map.of(driver, Level.of(size))))
            .toList()
        : List.of();
  }

  /** Returns the most users of an open load, which Slicewise's own generators alone can run. */
  private OptionalInt mostUsers(List<Load> loads, WorkloadSpec workload, Generators generators) {
    boolean open =
        loads.stream().anyMatch(Load::isOpen)
            || workload.tiles().stream().anyMatch(tile -> tile.rate().isPresent());
    if (open && generators.servers().isPresent()) {
      top.fault(
          Axis.RATE.key(),
          "JMeter's own servers cannot run arrivals at a rate: name the machines in 'generators'");
    }
    if (!top.has(MOST_USERS_KEY)) {
      return OptionalInt.empty();
    }
    if (!open) {
      top.fault(MOST_USERS_KEY, "'most-users' has no meaning without 'rate'");
    }
    return read(MOST_USERS_AT_ONCE).optionalInteger(MOST_USERS_KEY);
  }

  private Duration ramp(Duration ramp, Duration warmUp) {
    if (!top.has("ramp")) {
      return ramp.compareTo(warmUp) < 0 ? ramp : warmUp.truncatedTo(ChronoUnit.SECONDS);
    }
    if (ramp.toNanos() % Duration.ofSeconds(1).toNanos() != 0) {
      top.fault(
          "ramp",
          "ramp %s is not a whole number of seconds, as JMeter requires"
              .formatted(DurationText.of(ramp)));
    }
    if (ramp.compareTo(warmUp) > 0) {
      top.fault(
          "ramp",
          "ramp %s is longer than the warm-up of %s, in which all users must have started"
              .formatted(DurationText.of(ramp), DurationText.of(warmUp)));
    }
    return ramp;
  }
}
