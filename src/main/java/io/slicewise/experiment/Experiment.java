package io.slicewise.experiment;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * An experiment file as read and resolved: every default filled in, every profile file inlined.
 *
 * @param loads users beside neighbours, each number of users with each number of neighbours, as
 *     written; no users when nothing is loaded
 * @param limits beyond which a trial does not count
 * @param aim which metric decides and what must not get worse for it
 * @param tuning what {@code tune} is to find; empty = nothing, the plan is fixed
 */
public record Experiment(
    String name,
    Testbed testbed,
    Arms arms,
    WorkloadSpec workload,
    List<Load> loads,
    TrialCourse course,
    TrialParts parts,
    ValidityLimits limits,
    Aim aim,
    Optional<Tuning> tuning) {

  public Experiment {
    loads = List.copyOf(loads);
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

  public Optional<HostSpec> host() {
    return testbed.host();
  }

  public Map<Role, List<String>> domains() {
    return testbed.domains();
  }

  public Optional<Map<String, Object>> lab() {
    return testbed.lab();
  }

  public Optional<SimulationSpec> simulation() {
    return testbed.simulation();
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

  public int repetitions() {
    return course.repetitions();
  }

  public Optional<Stop> stop() {
    return course.stop();
  }

  public Optional<SwitchbackDesign> design() {
    return course.design();
  }

  public Order order() {
    return course.order();
  }

  public long seed() {
    return course.seed();
  }

  public Duration ramp() {
    return parts.ramp();
  }

  public Duration warmUp() {
    return parts.warmUp();
  }

  public Duration measure() {
    return parts.measure();
  }

  public Duration coolDown() {
    return parts.coolDown();
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
    return profiles().size() * loads.size();
  }

  /**
   * The same experiment in another order of trials.
   *
   * @throws SlicewiseException if its design has no such order
   */
  public Experiment inOrder(Order other) {
    if (design().isPresent() && other != Order.BLOCKS) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          "order %s has no blocks, inside which a switchback design compares profiles"
              .formatted(other),
          "leave --order out, or use a design of trials");
    }
    return with(testbed, arms, workload, loads, course.inOrder(other));
  }

  /**
   * The profile of that name.
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
   * What a profile sets, by domain, the control domain first, then as the file names them. A domain
   * that is absent is left, or put back, as found. Domains that the experiment does not name are
   * never touched.
   */
  public Map<String, SchedulerParameters> settings(SchedulerProfile profile) {
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    for (Role role : Role.values()) {
      for (String domain : domains().getOrDefault(role, List.of())) {
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
    Arms narrowed =
        new Arms(
            profiles().stream().filter(profile -> names.contains(profile.name())).toList(),
            profile(other).name(),
            controls().stream().filter(names::contains).toList());
    return with(
        testbed, narrowed, workload, loads.stream().filter(asked::contains).toList(), course);
  }

  /** Returns the experiment with further profiles; of two with the same name its own is kept. */
  public Experiment withProfiles(List<SchedulerProfile> more) {
    Map<String, SchedulerProfile> all = new LinkedHashMap<>();
    profiles().forEach(profile -> all.put(profile.name(), profile));
    more.forEach(profile -> all.putIfAbsent(profile.name(), profile));
    Arms extended = new Arms(List.copyOf(all.values()), baseline(), controls());
    return with(testbed, extended, workload, loads, course);
  }

  /** The same experiment on that host: how an embedded lab's address gets in. */
  public Experiment onHost(HostSpec spec) {
    Testbed other = new Testbed(Optional.of(spec), domains(), lab(), simulation());
    return with(other, arms, workload, loads, course);
  }

  /** The same experiment with another workload: how an embedded lab's target gets in. */
  public Experiment withWorkload(WorkloadSpec spec) {
    return with(testbed, arms, spec, loads, course);
  }

  /** The same experiment with another seed: another order, and other draws where simulated. */
  public Experiment seeded(long other) {
    return with(testbed, arms, workload, loads, course.seeded(other));
  }

  /** The same experiment with other parts of a trial: how candidates are simulated. */
  public Experiment inParts(TrialParts other) {
    return new Experiment(name, testbed, arms, workload, loads, course, other, limits, aim, tuning);
  }

  private Experiment with(
      Testbed itsTestbed,
      Arms itsArms,
      WorkloadSpec itsWorkload,
      List<Load> itsLoads,
      TrialCourse itsCourse) {
    return new Experiment(
        name, itsTestbed, itsArms, itsWorkload, itsLoads, itsCourse, parts, limits, aim, tuning);
  }
}
