package io.slicewise.experiment;

import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * An experiment file as read and resolved: every default filled in, every profile file inlined.
 *
 * @param domains names of the domains by role; {@code DOM0} is the control domain, if the host has
 *     one
 * @param profiles in the order written; names are unique
 * @param baseline the name of the profile every other one is compared with
 * @param loads users beside neighbours, each number of users with each number of neighbours, as
 *     written; no users when nothing is loaded
 * @param ramp over which the users of a trial start; counts as part of the warm-up
 * @param controls names of those profiles that are the baseline once more, for A/A
 * @param stop when more blocks than {@code repetitions} are run; empty = never
 * @param design switchback sessions; empty = trials. Its windows are the repetitions, and one
 *     window is what {@code measure} measures
 * @param aim which metric decides and what must not get worse for it
 * @param lab settings of an embedded lab the experiment wants to run on; empty map = defaults,
 *     empty optional = a host of its own
 * @param simulation what {@code simulate} takes for granted; empty = its defaults
 * @param tuning what {@code tune} is to find; empty = nothing, the plan is fixed
 */
public record Experiment(
    String name,
    Optional<HostSpec> host,
    Map<Role, List<String>> domains,
    List<SchedulerProfile> profiles,
    String baseline,
    List<String> controls,
    WorkloadSpec workload,
    List<Load> loads,
    int repetitions,
    Optional<Stop> stop,
    Optional<SwitchbackDesign> design,
    Duration ramp,
    Duration warmUp,
    Duration measure,
    Duration coolDown,
    Order order,
    long seed,
    ValidityLimits limits,
    Aim aim,
    Optional<Map<String, Object>> lab,
    Optional<SimulationSpec> simulation,
    Optional<Tuning> tuning) {

  public Experiment {
    domains = Map.copyOf(domains);
    profiles = List.copyOf(profiles);
    controls = List.copyOf(controls);
    loads = List.copyOf(loads);
    // Keeps the order, so that the same experiment is always the same text.
    lab = lab.map(map -> Collections.unmodifiableMap(new LinkedHashMap<>(map)));
  }

  /** An experiment with a fixed plan. */
  public Experiment(
      String name,
      Optional<HostSpec> host,
      Map<Role, List<String>> domains,
      List<SchedulerProfile> profiles,
      String baseline,
      List<String> controls,
      WorkloadSpec workload,
      List<Load> loads,
      int repetitions,
      Optional<Stop> stop,
      Optional<SwitchbackDesign> design,
      Duration ramp,
      Duration warmUp,
      Duration measure,
      Duration coolDown,
      Order order,
      long seed,
      ValidityLimits limits,
      Aim aim,
      Optional<Map<String, Object>> lab,
      Optional<SimulationSpec> simulation) {
    this(
        name,
        host,
        domains,
        profiles,
        baseline,
        controls,
        workload,
        loads,
        repetitions,
        stop,
        design,
        ramp,
        warmUp,
        measure,
        coolDown,
        order,
        seed,
        limits,
        aim,
        lab,
        simulation,
        Optional.empty());
  }

  /** The order of trials. */
  public enum Order {
    /** Complete blocks (one repetition of every cell), random inside a block, seeded. */
    BLOCKS,
    /** Profile by profile, load by load, repetition by repetition, as the 2010 study did. */
    AS_WRITTEN;

    /** As written in files and options. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The numbers of users, as written; {@code [0]} when nothing is loaded. */
  public List<Integer> users() {
    return loads.stream().map(Load::users).distinct().toList();
  }

  /** The numbers of neighbours, as written; empty unless there are several. */
  public List<Integer> neighbours() {
    return loads.stream()
        .flatMapToInt(load -> load.neighbours().stream())
        .distinct()
        .boxed()
        .toList();
  }

  /** How many cells a block has. */
  public int cells() {
    return profiles.size() * loads.size();
  }

  /** The same experiment in another order of trials. */
  public Experiment inOrder(Order other) {
    return with(host, workload, other, seed);
  }

  /**
   * The profile of that name.
   *
   * @throws NoSuchElementException if the experiment has none
   */
  public SchedulerProfile profile(String profileName) {
    return profiles.stream()
        .filter(profile -> profile.name().equals(profileName))
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("no profile " + profileName));
  }

  /**
   * What a profile sets, by domain, the control domain first, then as the file names them. A domain
   * that is absent is left, or put back, as found. Domains that the experiment does not name are
   * never touched.
   */
  public Map<String, SchedulerParameters> settings(SchedulerProfile profile) {
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    for (Role role : Role.values()) {
      for (String domain : domains.getOrDefault(role, List.of())) {
        profile.forDomain(domain, role).ifPresent(parameters -> settings.put(domain, parameters));
      }
    }
    return settings;
  }

  /**
   * The same experiment with another baseline, reduced to those profiles and loads: what part of it
   * a question is about. Controls are those of the experiment's own baseline.
   *
   * @throws NoSuchElementException if it has no such baseline
   */
  public Experiment narrowedTo(String other, List<String> names, List<Load> asked) {
    return with(
        profiles.stream().filter(profile -> names.contains(profile.name())).toList(),
        profile(other).name(),
        controls.stream().filter(names::contains).toList(),
        loads.stream().filter(asked::contains).toList());
  }

  /** Returns the experiment with further profiles; of two with the same name its own is kept. */
  public Experiment withProfiles(List<SchedulerProfile> more) {
    Map<String, SchedulerProfile> all = new LinkedHashMap<>();
    profiles.forEach(profile -> all.put(profile.name(), profile));
    more.forEach(profile -> all.putIfAbsent(profile.name(), profile));
    return with(List.copyOf(all.values()), baseline, controls, loads);
  }

  private Experiment with(
      List<SchedulerProfile> itsProfiles,
      String itsBaseline,
      List<String> itsControls,
      List<Load> itsLoads) {
    return new Experiment(
        name,
        host,
        domains,
        itsProfiles,
        itsBaseline,
        itsControls,
        workload,
        itsLoads,
        repetitions,
        stop,
        design,
        ramp,
        warmUp,
        measure,
        coolDown,
        order,
        seed,
        limits,
        aim,
        lab,
        simulation,
        tuning);
  }

  /** The same experiment on that host: how an embedded lab's address gets in. */
  public Experiment onHost(HostSpec spec) {
    return with(Optional.of(spec), workload, order, seed);
  }

  /** The same experiment with another workload: how an embedded lab's target gets in. */
  public Experiment withWorkload(WorkloadSpec spec) {
    return with(host, spec, order, seed);
  }

  /** The same experiment with another seed: another order, and other draws where simulated. */
  public Experiment seeded(long other) {
    return with(host, workload, order, other);
  }

  private Experiment with(
      Optional<HostSpec> itsHost, WorkloadSpec itsWorkload, Order itsOrder, long itsSeed) {
    return new Experiment(
        name,
        itsHost,
        domains,
        profiles,
        baseline,
        controls,
        itsWorkload,
        loads,
        repetitions,
        stop,
        design,
        ramp,
        warmUp,
        measure,
        coolDown,
        itsOrder,
        itsSeed,
        limits,
        aim,
        lab,
        simulation,
        tuning);
  }
}
