package io.slicewise.run.result;

import io.slicewise.host.HostState;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The host during a trial.
 *
 * @param pcpus 0 if unknown
 * @param applied settings read back after applying, by domain name
 * @param after settings read again after the load; empty if they were not
 * @param surroundings guests and pools before and after; empty if they were not read
 * @param labLatenessMillis lateness of the embedded lab in the window, 99th percentile; {@code NaN}
 *     on a real host
 * @param otherWorkShare share of this machine's CPU that other programs used in the window, 0..1;
 *     {@code NaN} if unknown
 */
public record TrialHost(
    int pcpus,
    Map<String, SchedulerParameters> applied,
    Map<String, SchedulerParameters> after,
    Optional<Surroundings> surroundings,
    double labLatenessMillis,
    double otherWorkShare) {
  public TrialHost {
    applied = Map.copyOf(applied);
    after = Map.copyOf(after);
  }

  /**
   * Returns how many pCPUs some domains had together: fewer than the host's if the settings of
   * control groups, or the groups above them, confine each to some; 0 if unknown.
   */
  public int pcpusOf(Collection<String> domains) {
    BitSet together = new BitSet();
    for (String domain : domains) {
      Optional<String> cpus = confinement(domain);
      if (cpus.isEmpty()) {
        return pcpus;
      }
      together.or(Pinning.cpus(cpus.get()));
    }
    return together.isEmpty() ? pcpus : Math.min(pcpus, together.cardinality());
  }

  /**
   * Returns the pCPUs of a control group, which are those of the group above unless it has some.
   */
  private Optional<String> confinement(String domain) {
    SchedulerParameters settings = applied.get(domain);
    if (settings != null
        && settings.scheduler() == Scheduler.FAIR
        && !Fair.leavesCpus(settings)
        && !settings.get(Fair.CPUS).equals(Fair.Cpus.INHERITED)) {
      return Optional.of(settings.get(Fair.CPUS));
    }
    return surroundings
        .flatMap(seen -> seen.before().poolOf(domain))
        .filter(pool -> pool.scheduler().equals(Scheduler.FAIR.xenName()))
        .map(HostState.Pool::cpus)
        .filter(cpus -> !cpus.isEmpty());
  }

  /** Returns a host that was not read again after the load. */
  public static TrialHost of(int pcpus, Map<String, SchedulerParameters> applied) {
    return new TrialHost(pcpus, applied, Map.of(), Optional.empty(), Double.NaN, Double.NaN);
  }

  /** The state of the host before and after a trial's load. */
  public record Surroundings(HostState before, HostState after) {
    public Surroundings {
      Objects.requireNonNull(before);
      Objects.requireNonNull(after);
    }

    /** Changes of the studied guests and their pools, which invalidate the trial. */
    public List<String> changes(Set<String> studied, Set<String> pinned) {
      return before.changes(after, studied, pinned);
    }

    /** Guests that are not in the cpupool in which they are to be studied. */
    public List<String> misplaced(Set<String> guests, String cpupool) {
      return after.guests().entrySet().stream()
          .filter(one -> guests.contains(one.getKey()) && !one.getValue().cpupool().equals(cpupool))
          .map(
              one ->
                  "%s: in cpupool %s, and the experiment asks for %s"
                      .formatted(one.getKey(), one.getValue().cpupool(), cpupool))
          .sorted()
          .toList();
    }

    /** Other guests that started or ended. */
    public List<HostState.Disturbance> disturbances(Set<String> studied) {
      return before.disturbances(after, studied);
    }
  }
}
