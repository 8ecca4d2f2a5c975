package io.slicewise.lab.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.simulate.TrialModel.OwnLoads;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Service demands derived from a measured run, by the utilisation law D = U / X (Denning and Buzen,
 * <i>The Operational Analysis of Queueing Network Models</i>, 1978): a domain's CPU time per
 * request is its run share × its vCPUs / requests per second. A domain's background work is
 * included.
 *
 * <p>Time off the CPUs has no share. If users queue in the trial with the highest rate although
 * neither the pCPUs nor any guest's vCPUs are busy, something else serves one request at a time,
 * which takes 1 / X; otherwise none is assumed.
 *
 * <p>A domain that serves no requests of the workload has an own load: the time that it is blocked
 * for each second of CPU time, over the trials of the baseline, whose settings hold it back least.
 * The ratio does not depend on how long it waits for a CPU.
 *
 * @param run the name of the run
 * @param workload its workload
 * @param estimates in seconds per request by place, over the trials; empty if nothing was loaded
 * @param disk time off the CPUs per request
 * @param ownLoad blocked seconds per second of CPU time, by domain
 * @param trials number of valid trials
 */
public record Calibration(
    String run,
    String workload,
    Map<Place, Estimate> estimates,
    Duration disk,
    Map<String, Double> ownLoad,
    int trials) {
  private static final double CONFIDENCE = 0.95;
  private static final double BUSY = 0.9;
  private static final double QUEUEING = 3;

  /** A domain that runs less is idle. */
  private static final double IDLE = 0.002;

  /**
   * Derives demands.
   *
   * @throws SlicewiseException if the run is itself simulated, has no valid trial (with a load, if
   *     its workload has one), or its monitor did not measure a domain
   */
  public static Calibration of(LoadedRun run) {
    if (run.origin().isSimulated()) {
      throw SlicewiseException.input(
          run.root() + " is itself simulated", "calibrate from a measured run");
    }
    Experiment experiment = run.experiment();
    boolean loaded = experiment.workload().loads();
    List<TrialResult> trials =
        run.results().stream()
            .filter(TrialResult::valid)
            .filter(trial -> !loaded || rate(trial) > 0)
            .toList();
    if (trials.isEmpty()) {
      throw SlicewiseException.input(
          run.root()
              + " has no valid trial"
              + (loaded ? " with a load, so no request to divide CPU time by" : ""),
          "'slicewise report " + run.root() + "' shows why trials are excluded");
    }
    List<Map<Place, String>> groups = GuestRoles.of(experiment);
    Map<Place, Estimate> estimates = estimates(run, trials, groups);
    Set<String> serving =
        groups.stream().flatMap(roles -> roles.values().stream()).collect(Collectors.toSet());
    return new Calibration(
        run.name(),
        experiment.workload().name(),
        estimates,
        loaded ? disk(trials, estimates, groups.size()) : Duration.ZERO,
        ownLoad(experiment, trials, serving),
        trials.size());
  }

  /** Returns the time per request at each place: of all groups together, which are loaded alike. */
  private static Map<Place, Estimate> estimates(
      LoadedRun run, List<TrialResult> trials, List<Map<Place, String>> groups) {
    Map<Place, Set<String>> domains = new EnumMap<>(Place.class);
    Set<String> counted = new HashSet<>();
    for (Map<Place, String> roles : groups) {
      roles.forEach(
          (place, domain) -> {
            if (counted.add(domain)) {
              domains.computeIfAbsent(place, any -> new LinkedHashSet<>()).add(domain);
            }
          });
    }
    Map<Place, Estimate> estimates = new EnumMap<>(Place.class);
    domains.forEach((place, names) -> estimates.put(place, estimate(run, trials, names)));
    return estimates;
  }

  private static Estimate estimate(LoadedRun run, List<TrialResult> trials, Set<String> domains) {
    double[] seconds =
        trials.stream()
            .mapToDouble(
                trial ->
                    domains.stream().mapToDouble(domain -> pcpus(trial, domain)).sum()
                        / rate(trial))
            .filter(Double::isFinite)
            .toArray();
    if (seconds.length == 0) {
      throw SlicewiseException.input(
          "no trial of " + run.root() + " shows how long " + String.join(", ", domains) + " ran",
          "calibrate from a run with a monitor: xenmon, or xentrace and xenalyze");
    }
    return StudentInterval.of(CONFIDENCE, seconds);
  }

  private static Map<String, Double> ownLoad(
      Experiment experiment, List<TrialResult> trials, Set<String> serving) {
    List<TrialResult> baseline =
        trials.stream()
            .filter(trial -> trial.trial().profile().equals(experiment.baseline()))
            .toList();
    Map<String, Double> run = new TreeMap<>();
    Map<String, Double> blocked = new TreeMap<>();
    (baseline.isEmpty() ? trials : baseline)
        .stream()
            .flatMap(trial -> trial.shares().stream())
            .filter(shares -> !serving.contains(shares.domain()))
            .filter(shares -> shares.run() >= IDLE)
            .forEach(
                shares -> {
                  run.merge(shares.domain(), shares.run(), Double::sum);
                  blocked.merge(shares.domain(), shares.blocked(), Double::sum);
                });
    blocked.replaceAll((domain, seconds) -> seconds / run.get(domain));
    return blocked;
  }

  /** Returns how many pCPUs a domain used; instead of Domain-0, Linux has the guests' emulators. */
  private static double pcpus(TrialResult trial, String domain) {
    List<DomainShares> all = trial.shares();
    return all.stream()
        .filter(shares -> shares.domain().equals(domain))
        .mapToDouble(shares -> shares.run() * shares.vcpus())
        .findFirst()
        .orElseGet(
            () ->
                domain.equals(HostModel.DOM0)
                    ? all.stream().mapToDouble(DomainShares::emulatorRun).sum()
                    : Double.NaN);
  }

  /**
   * @param servers of requests off the CPUs: one for each group of users
   */
  private static Duration disk(
      List<TrialResult> trials, Map<Place, Estimate> estimates, int servers) {
    TrialResult fastest =
        trials.stream().max(Comparator.comparingDouble(Calibration::rate)).orElseThrow();
    double cpuSeconds = estimates.values().stream().mapToDouble(Estimate::mean).sum();
    double response = fastest.load().orElseThrow().meanMillis() / 1000;
    boolean queueing = response > QUEUEING * cpuSeconds;
    return queueing && !cpusBusy(fastest)
        ? Duration.ofNanos(Math.round(1e9 * servers / rate(fastest)))
        : Duration.ZERO;
  }

  private static double rate(TrialResult trial) {
    return trial.load().map(LoadResult::throughput).orElse(0.0);
  }

  /** Whether the pCPUs, or all vCPUs of any domain, were nearly saturated. */
  private static boolean cpusBusy(TrialResult trial) {
    List<DomainShares> all = trial.shares();
    double pcpus = all.stream().mapToDouble(each -> each.run() * each.vcpus()).sum();
    return !(pcpus < BUSY * trial.host().pcpus())
        || all.stream().anyMatch(each -> !(each.run() + each.waiting() < BUSY));
  }

  /** The demands; none for a place whose domain is counted at another place. */
  public Demands demands() {
    return new Demands(at(Place.WEB), at(Place.DATABASE), at(Place.FILE), at(Place.DOM0), disk);
  }

  private Duration at(Place place) {
    return Duration.ofNanos(
        Optional.ofNullable(estimates.get(place))
            .map(estimate -> Math.round(estimate.mean() * 1e9))
            .orElse(0L));
  }

  /** One sentence with all that was derived. */
  public String sentence() {
    String demands =
        estimates.isEmpty()
            ? ""
            : "a request needs "
                + String.join(", ", lines())
                + (disk.isZero() ? "" : Phrase.of(", off the CPUs %.2f ms", disk.toNanos() / 1e6));
    return Stream.of(demands, OwnLoads.text(ownLoad))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; "))
        + ": derived from %s of %s".formatted(Plural.of(trials, "trial"), run);
  }

  /** {@code web 5.02 ±0.03 ms}, ... for people; without the interval if there is none. */
  List<String> lines() {
    return estimates.entrySet().stream()
        .map(entry -> entry.getKey().key() + " " + millis(entry.getValue()))
        .toList();
  }

  private static String millis(Estimate seconds) {
    double half = seconds.halfWidth() * 1e3;
    return Phrase.of("%.2f", seconds.mean() * 1e3)
        + (Double.isFinite(half) ? Phrase.of(" ±%.2f ms", half) : " ms");
  }
}
