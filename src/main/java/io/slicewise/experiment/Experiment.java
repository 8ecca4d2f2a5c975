package io.slicewise.experiment;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.factors.Factors;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Target;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
import io.slicewise.workload.tiles.Tile;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An experiment file as read and resolved: every default filled in, every profile file inlined.
 *
 * @param loads users and neighbours, each number of users with each number of neighbours, as
 *     written; no users if nothing is loaded
 * @param limits beyond which a trial does not count
 * @param aim the metric that decides, and those that must not get worse
 * @param tuning the goal of {@code tune}; empty = none, the plan is fixed
 */
public record Experiment(
    String name,
    Testbed testbed,
    Arms arms,
    WorkloadSpec workload,
    List<Load> loads,
    TrialCourse course,
    ValidityLimits limits,
    Aim aim,
    Optional<Tuning> tuning) {

  private static final double PERCENT = 100;

  public Experiment {
    loads = List.copyOf(loads);
  }

  public Optional<HostSpec> host() {
    return testbed.host();
  }

  public Map<Role, List<String>> domains() {
    return testbed.domains();
  }

  public Optional<Map<String, Object>> lab() {
    return testbed.lab();
  }

  public Generators generators() {
    return testbed.generators();
  }

  public Optional<SimulationSpec> simulation() {
    return testbed.simulation();
  }

  public Watching watching() {
    return testbed.watching();
  }

  public List<SchedulerProfile> profiles() {
    return arms.profiles();
  }

  public String baseline() {
    return arms.baseline();
  }

  public List<String> controls() {
    return arms.controls();
  }

  /** Returns the factors whose cells are all among the profiles. */
  public Optional<Factors> factors() {
    return arms.factors();
  }

  public int repetitions() {
    return course.repetitions();
  }

  public Optional<Stop> stop() {
    return course.stop();
  }

  public Optional<SessionDesign> design() {
    return course.design();
  }

  /** Returns how pairs are drawn; empty if the design has none. */
  public Optional<PairsDesign> pairs() {
    return design().flatMap(SessionDesign::pairs);
  }

  /** Returns whether a trial has a profile other than the baseline. */
  public boolean isCandidate(Trial trial) {
    return !trial.profile().equals(baseline());
  }

  /** Returns what is measured at once, in a word: a trial, or a window of a session. */
  public String unit() {
    return design().isPresent() ? "window" : "trial";
  }

  public Order order() {
    return course.order();
  }

  public long seed() {
    return course.seed();
  }

  public Duration ramp() {
    return course.parts().ramp();
  }

  public Duration warmUp() {
    return course.parts().warmUp();
  }

  /** Returns the length of the measured window; of work, the longest time that it may take. */
  public Duration measure() {
    return course.parts().measure();
  }

  /** Returns whether a trial measures a fixed amount of work instead of a window of time. */
  public boolean measuresWork() {
    return workload.work().isPresent();
  }

  /** Returns the length of the measured window of a trial, which varies from pair to pair. */
  public Duration measure(Trial trial) {
    return pairs().isPresent() ? PairsDesign.window(measure(), seed(), trial.block()) : measure();
  }

  public Duration coolDown() {
    return course.parts().coolDown();
  }

  /** Returns the loads that were asked for, without those that only verify them. */
  public List<Load> askedLoads() {
    Set<String> lone = workload.lone().keySet();
    return loads.stream()
        .filter(load -> load.level(Axis.PART).map(Level::text).filter(lone::contains).isEmpty())
        .toList();
  }

  /** Returns the numbers of users that generate the loads; {@code [0]} if nothing is loaded. */
  public List<Integer> users() {
    return askedLoads().stream().map(this::users).distinct().toList();
  }

  /** Returns the number of users that generate a load; the most at once for an open load. */
  public int users(Load load) {
    return workload.isTiled() ? population(load) : course.parts().users(load);
  }

  /** Returns the users at work in a trial with a load: those of all tiles together. */
  public int population(Load load) {
    return workload.isTiled()
        ? tiles(load).stream().mapToInt(this::users).sum()
        : users(load) * load.count(Axis.GUESTS).orElse(Math.max(1, workload.tiles().size()));
  }

  /** Returns the number of users that generate the load of a tile; the most at once at a rate. */
  public int users(Tile tile) {
    return course.parts().users(tile);
  }

  /** Returns the tiles that a load reaches, in their order, with their parts of it. */
  public List<Tile> tiles(Load load) {
    List<Tile> named = workload.tiles();
    List<Tile> all =
        named.isEmpty()
            ? domains().getOrDefault(Role.MAIN, List.of()).stream()
                .map(guest -> new Tile(guest, Optional.empty()))
                .toList()
            : named;
    double factor = load.level(Axis.SCALE).map(Level::number).orElse(PERCENT) / PERCENT;
    return all.stream()
        .limit(load.count(Axis.GUESTS).orElse(all.size()))
        .map(tile -> tile.scaled(factor))
        .toList();
  }

  /** Returns the main guests that a load reaches, in their order. */
  public List<String> loaded(Load load) {
    return tiles(load).stream().flatMap(tile -> tile.guests().stream()).toList();
  }

  /** Returns the goals of the tiles that a load reaches, by name: their own, or that of all. */
  public Map<String, Optional<Aim.Goal>> goals(Load load) {
    Map<String, Optional<Aim.Goal>> goals = new LinkedHashMap<>();
    tiles(load).forEach(tile -> goals.put(tile.name(), Aim.Goal.of(tile).or(aim::goal)));
    return goals;
  }

  /** Returns the main guests that must be idle under a load. */
  public Set<String> unloaded(Load load) {
    if (load.level(Axis.GUESTS).isEmpty()) {
      return Set.of();
    }
    Set<String> idle = new TreeSet<>(domains().getOrDefault(Role.MAIN, List.of()));
    loaded(load).forEach(idle::remove);
    return idle;
  }

  /** Returns whether requests arrive whether or not earlier ones were answered. */
  public boolean isOpen() {
    return workload.isOpen() || loads.stream().anyMatch(Load::isOpen);
  }

  /** Returns the levels of an axis of load, as written; empty if it has none. */
  public List<Level> levels(Axis axis) {
    return axis.levels(loads);
  }

  /** Returns the number of cells in a block. */
  public int cells() {
    return profiles().size() * loads.size();
  }

  /**
   * Returns a copy with another order of trials.
   *
   * @throws SlicewiseException if its design has no such order
   */
  public Experiment inOrder(Order other) {
    if (design().isPresent() && !other.equals(Order.BLOCKS)) {
      throw SlicewiseException.input(
          "order %s has no blocks, inside which a switchback design compares profiles"
              .formatted(other),
          "leave --order out, or use a design of trials");
    }
    return with(testbed, arms, workload, loads, course.inOrder(other));
  }

  /**
   * Returns the profile of that name.
   *
   * @throws NoSuchElementException if the experiment has none
   */
  public SchedulerProfile profile(String profileName) {
    return profiles().stream()
        .filter(profile -> profile.name().equals(profileName))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no profile " + profileName));
  }

  /**
   * Returns the settings of a profile by target: the control domain first, then domains in the
   * order of the file, then cpupools, places and splits. A target that is absent keeps, or gets
   * back, the settings found. Domains that the experiment does not name are never changed.
   */
  public Map<String, SchedulerParameters> settings(SchedulerProfile profile) {
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    for (Role role : Role.values()) {
      for (String domain : domains().getOrDefault(role, List.of())) {
        profile.forDomain(domain, role).ifPresent(parameters -> settings.put(domain, parameters));
      }
    }
    for (Scope scope : Scope.values()) {
      settings.putAll(profile.of(scope));
    }
    return settings;
  }

  /**
   * Returns the names of all targets of the experiment: its domains, what else its profiles set or
   * its search does, and the places of guests that a profile moves, which lose them.
   */
  public Set<String> targets() {
    Set<String> targets = new TreeSet<>();
    for (SchedulerProfile profile : profiles()) {
      targets.addAll(profile.byTarget().keySet());
      profile.moved().stream().map(Scope.PLACE::target).forEach(targets::add);
    }
    domains().values().forEach(targets::addAll);
    tuning().map(Tuning::targets).ifPresent(targets::addAll);
    return targets;
  }

  /** Returns the guests of libvirt whose vCPUs a profile or the search pins: it is a setting. */
  public Set<String> pinned() {
    Set<String> pinned = new TreeSet<>();
    for (SchedulerProfile profile : profiles()) {
      settings(profile).entrySet().stream()
          .filter(set -> set.getValue().scheduler() == Scheduler.CFS)
          .filter(set -> !Cfs.leavesPinning(set.getValue()))
          .map(Map.Entry::getKey)
          .forEach(pinned::add);
    }
    tuning().map(Tuning::search).orElse(Map.of()).entrySet().stream()
        .filter(searched -> searched.getValue().containsKey(Cfs.PINNING.key()))
        .map(Map.Entry::getKey)
        .forEach(pinned::add);
    return pinned;
  }

  /** Returns the cpupools that the search of a tune sets, by their names as targets. */
  public Set<String> searchedPools() {
    return tuning().map(Tuning::targets).orElse(Set.of()).stream()
        .filter(Target::isPool)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns a copy with another baseline, reduced to those profiles and loads: the part that a
   * question is about. Controls belong to the experiment's own baseline.
   *
   * @throws NoSuchElementException if it has no such baseline
   */
  public Experiment narrowedTo(String other, List<String> names, List<Load> asked) {
    Arms narrowed =
        new Arms(
            profiles().stream().filter(profile -> names.contains(profile.name())).toList(),
            profile(other).name(),
            controls().stream().filter(names::contains).toList(),
            factors());
    return with(
        testbed, narrowed, workload, loads.stream().filter(asked::contains).toList(), course);
  }

  /** Returns a copy with further profiles; if two have the same name, its own is kept. */
  public Experiment withProfiles(List<SchedulerProfile> more) {
    Map<String, SchedulerProfile> all = new LinkedHashMap<>();
    profiles().forEach(profile -> all.put(profile.name(), profile));
    more.forEach(profile -> all.putIfAbsent(profile.name(), profile));
    Arms extended = new Arms(List.copyOf(all.values()), baseline(), controls(), factors());
    return with(testbed, extended, workload, loads, course);
  }

  /** Returns a copy on that host, such as an embedded lab, with other logins of its guests. */
  public Experiment onHost(HostSpec spec, Watching watched) {
    Testbed other =
        new Testbed(Optional.of(spec), domains(), lab(), generators(), simulation(), watched);
    return with(other, arms, workload, loads, course);
  }

  /** Returns a copy on a host that only answers: without a lab and without logins at guests. */
  public Experiment answeredBy(HostSpec spec) {
    Testbed other =
        new Testbed(
            Optional.of(spec),
            domains(),
            Optional.empty(),
            generators(),
            simulation(),
            Watching.NONE);
    return with(other, arms, workload, loads, course);
  }

  /** Returns a copy with other guests in its roles, such as those that its patterns match. */
  public Experiment withDomains(Map<Role, List<String>> others) {
    Testbed its = new Testbed(host(), others, lab(), generators(), simulation(), watching());
    return with(its, arms, workload, loads, course);
  }

  /** Returns a copy whose generators are reached in another way, as on an embedded lab. */
  public Experiment generatedBy(Generators other) {
    Testbed its = new Testbed(host(), domains(), lab(), other, simulation(), watching());
    return with(its, arms, workload, loads, course);
  }

  /** Returns a copy with another workload, such as one with an embedded lab's target. */
  public Experiment withWorkload(WorkloadSpec spec) {
    return with(testbed, arms, spec, loads, course);
  }

  /** Returns a copy with another seed: another order, and other draws if simulated. */
  public Experiment seeded(long other) {
    return with(testbed, arms, workload, loads, course.seeded(other));
  }

  /**
   * Returns a copy for a new run: with a seed that nobody can know beforehand, if the file has none
   * and coins decide, so that no two sites have the same coins.
   */
  public Experiment drawn() {
    return seed() == Defaults.UNDRAWN
        ? seeded(new SecureRandom().nextLong(Defaults.MOST_SEED))
        : this;
  }

  /** Returns a copy with other parts of a trial, as for the simulation of candidates. */
  public Experiment inParts(TrialParts other) {
    return with(testbed, arms, workload, loads, course.inParts(other));
  }

  /** Returns a copy with other limits beyond which a trial does not count. */
  public Experiment withLimits(ValidityLimits other) {
    return new Experiment(name, testbed, arms, workload, loads, course, other, aim, tuning);
  }

  private Experiment with(
      Testbed itsTestbed,
      Arms itsArms,
      WorkloadSpec itsWorkload,
      List<Load> itsLoads,
      TrialCourse itsCourse) {
    return new Experiment(
        name, itsTestbed, itsArms, itsWorkload, itsLoads, itsCourse, limits, aim, tuning);
  }

  /**
   * Returns the host.
   *
   * @throws SlicewiseException if the file names none
   */
  public HostSpec namedHost() {
    return host()
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "experiment " + name + " names no host",
                    "add host: {address: ...}, or lab: {} to run on the embedded lab"));
  }

  /**
   * The profiles that an experiment compares.
   *
   * @param baseline the name of the profile with which the others are compared
   * @param controls names of the profiles that repeat the baseline, for A/A
   * @param factors of which some of the profiles are the cells; empty without factors, or if not
   *     all of their cells are among the profiles
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

  /**
   * The number and order of trials, and the parts of each.
   *
   * @param stop the rule for blocks beyond {@code repetitions}; empty = none
   * @param design switchback sessions, whose windows are the repetitions and last {@code measure};
   *     empty = trials
   * @param seed of the random order
   */
  public record TrialCourse(
      int repetitions,
      Optional<Stop> stop,
      Optional<SessionDesign> design,
      Order order,
      long seed,
      TrialParts parts) {
    /** Returns the same course in another order. */
    TrialCourse inOrder(Order other) {
      return new TrialCourse(repetitions, stop, design, other, seed, parts);
    }

    /** Returns the same course with another seed. */
    TrialCourse seeded(long other) {
      return new TrialCourse(repetitions, stop, design, order, other, parts);
    }

    /** Returns the same course with other parts of a trial. */
    TrialCourse inParts(TrialParts other) {
      return new TrialCourse(repetitions, stop, design, order, seed, other);
    }
  }

  /**
   * The host, the domains and the lab of an experiment.
   *
   * @param host empty if the experiment runs on an embedded lab that has no address yet
   * @param domains by role; {@code DOM0} is the control domain, if the host has one
   * @param lab settings of the embedded lab; empty map = defaults, empty optional = a real host
   * @param generators the machines that generate the load
   * @param simulation the assumptions of {@code simulate}; empty = its defaults
   * @param watching the machines whose kernels are read
   */
  public record Testbed(
      Optional<HostSpec> host,
      Map<Role, List<String>> domains,
      Optional<Map<String, Object>> lab,
      Generators generators,
      Optional<SimulationSpec> simulation,
      Watching watching) {
    public Testbed {
      domains = Map.copyOf(domains);
      // Keeps the order, so that the same experiment always gives the same text.
      lab = lab.map(map -> Collections.unmodifiableMap(new LinkedHashMap<>(map)));
    }

    /** Returns the toolstack of the host or the lab, if the experiment states one. */
    public Optional<String> statedToolstack() {
      return statedToolstack(host, lab);
    }

    public static Optional<String> statedToolstack(
        Optional<HostSpec> host, Optional<Map<String, Object>> lab) {
      return host.flatMap(HostSpec::statedToolstack).or(() -> lab.flatMap(Testbed::toolstack));
    }

    /** Returns the toolstack of the hypervisor that a lab's settings name, if they name one. */
    private static Optional<String> toolstack(Map<String, Object> lab) {
      return Optional.ofNullable(lab.get("hypervisor"))
          .map(String::valueOf)
          .filter(Hypervisors.products()::contains)
          .map(Hypervisors::firstToolstack);
    }
  }

  /**
   * The durations of a trial's parts, and how many users an open load may have in them.
   *
   * @param ramp the time in which the users start; part of the warm-up
   * @param measure the measured window
   * @param mostUsers at once, whatever the rate; empty for a number that follows from the rate
   */
  public record TrialParts(
      Duration ramp, Duration warmUp, Duration measure, Duration coolDown, OptionalInt mostUsers) {
    private static final int FEWEST_USERS = 50;
    private static final int SECONDS_OF_ARRIVALS = 2;

    /** Creates the parts of a trial whose users follow from its load. */
    public TrialParts(Duration ramp, Duration warmUp, Duration measure, Duration coolDown) {
      this(ramp, warmUp, measure, coolDown, OptionalInt.empty());
    }

    /** Returns the users that generate a load: its own, or the most that an open one may have. */
    int users(Load load) {
      return load.isOpen() ? mostUsers.orElseGet(() -> usersFor(load.size())) : load.users();
    }

    /** Returns the same of a tile. */
    int users(Tile tile) {
      return tile.rate().isPresent()
          ? mostUsers.orElseGet(() -> usersFor(tile.rate().getAsDouble()))
          : tile.users().orElse(0);
    }

    private static int usersFor(double rate) {
      return (int)
          Math.min(Load.MOST_USERS, Math.max(FEWEST_USERS, Math.ceil(SECONDS_OF_ARRIVALS * rate)));
    }
  }
}
