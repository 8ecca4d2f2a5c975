package io.slicewise.lab.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Place;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
 * @param run the name of the run
 * @param estimates in seconds per request by place, over the trials
 * @param trials number of valid trials
 */
public record Calibration(String run, Map<Place, Estimate> estimates, Duration disk, int trials) {
  private static final double CONFIDENCE = 0.95;
  private static final double BUSY = 0.9;
  private static final double QUEUEING = 3;

  /**
   * Derives demands.
   *
   * @throws SlicewiseException if the run is itself simulated, has no valid trial with a load, or
   *     its monitor did not measure a domain
   */
  public static Calibration of(RunDirectory run) {
    if (run.origin().isSimulated()) {
      throw SlicewiseException.input(
          run.root() + " is itself simulated", "calibrate from a measured run");
    }
    List<TrialResult> trials =
        run.results().stream()
            .filter(TrialResult::valid)
            .filter(trial -> trial.load().filter(load -> load.throughput() > 0).isPresent())
            .toList();
    if (trials.isEmpty()) {
      throw SlicewiseException.input(
          run.root() + " has no valid trial with a load, so no request to divide CPU time by",
          "'slicewise report " + run.root() + "' shows why trials are excluded");
    }
    Map<Place, String> parts = GuestRoles.of(ExperimentFiles.read(run.experimentFile()));
    Map<Place, Estimate> estimates = estimates(run, trials, parts);
    return new Calibration(run.name(), estimates, disk(trials, estimates), trials.size());
  }

  private static Map<Place, Estimate> estimates(
      RunDirectory run, List<TrialResult> trials, Map<Place, String> parts) {
    Map<Place, Estimate> estimates = new EnumMap<>(Place.class);
    Set<String> counted = new HashSet<>();
    parts.forEach(
        (place, domain) -> {
          if (counted.add(domain)) {
            estimates.put(place, estimate(run, trials, domain));
          }
        });
    return estimates;
  }

  private static Estimate estimate(RunDirectory run, List<TrialResult> trials, String domain) {
    double[] seconds =
        trials.stream()
            .mapToDouble(trial -> pcpus(trial, domain) / rate(trial))
            .filter(Double::isFinite)
            .toArray();
    if (seconds.length == 0) {
      throw SlicewiseException.input(
          "no trial of " + run.root() + " shows how long " + domain + " ran",
          "calibrate from a run with a monitor: xenmon, or xentrace and xenalyze");
    }
    return StudentInterval.of(CONFIDENCE, seconds);
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

  private static Duration disk(List<TrialResult> trials, Map<Place, Estimate> estimates) {
    TrialResult fastest =
        trials.stream().max(Comparator.comparingDouble(Calibration::rate)).orElseThrow();
    double cpuSeconds = estimates.values().stream().mapToDouble(Estimate::mean).sum();
    double response = fastest.load().orElseThrow().meanMillis() / 1000;
    boolean queueing = response > QUEUEING * cpuSeconds;
    return queueing && !cpusBusy(fastest)
        ? Duration.ofNanos(Math.round(1e9 / rate(fastest)))
        : Duration.ZERO;
  }

  private static double rate(TrialResult trial) {
    return trial.load().orElseThrow().throughput();
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

  /** {@code web 5.02 ±0.03 ms}, ... for people; without the interval if there is none. */
  public List<String> lines() {
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
