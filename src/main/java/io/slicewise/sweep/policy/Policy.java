package io.slicewise.sweep.policy;

import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings that follow the load.
 *
 * @param bands in ascending order, without gaps; never empty
 * @param profiles those of the bands, and the fixed ones that they were compared with; without
 *     {@code as-found}
 * @param fixed the best of the profiles for all loads alike, with which a proof compares
 * @param proof that following it is better than a fixed setting; empty without one
 */
public record Policy(
    String name,
    LoadMetric load,
    Basis basis,
    Pace pace,
    List<Band> bands,
    List<SchedulerProfile> profiles,
    String fixed,
    Optional<Proof> proof) {
  public Policy {
    bands = List.copyOf(bands);
    profiles = List.copyOf(profiles);
  }

  /**
   * Where its settings were measured.
   *
   * @param host the name of the host; empty if the runs were simulated
   * @param runs their names
   */
  public record Basis(Optional<String> host, List<String> runs) {
    public Basis {
      runs = List.copyOf(runs);
    }
  }

  /**
   * How readily settings change.
   *
   * @param hysteresis how far beyond the edge of a band the load must be, as a share of the edge
   * @param stay the least time between two changes
   * @param window over which the load is averaged
   */
  public record Pace(double hysteresis, Duration stay, Duration window) {
    public static final Pace DEFAULT = new Pace(0.1, Duration.ofMinutes(5), Duration.ofMinutes(1));
  }

  /**
   * A finished comparison in which the policy was better than a fixed setting.
   *
   * @param run its directory's name
   * @param against the fixed profile
   * @param percent the change of the geometric mean of response times; {@code low} and {@code high}
   *     the ends of its interval
   */
  public record Proof(
      String run, String against, int pairs, double percent, double low, double high) {}

  /** Returns the profile of a band, which is {@code as-found} or one of the policy's. */
  public SchedulerProfile profile(String wanted) {
    return wanted.equals(SchedulerProfile.AS_FOUND.name())
        ? SchedulerProfile.AS_FOUND
        : profiles.stream()
            .filter(profile -> profile.name().equals(wanted))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no profile " + wanted));
  }

  /** Returns whether no load needs other settings than another one. */
  public boolean isFixed() {
    return bands.size() == 1;
  }

  /** Returns a copy with a proof. */
  public Policy proven(Proof found) {
    return new Policy(name, load, basis, pace, bands, profiles, fixed, Optional.of(found));
  }

  /**
   * A range of the load and the profile that is in force in it.
   *
   * @param from included
   * @param to excluded; infinite in the last band
   * @param measuredFrom the lowest load at which the profile was measured in this band
   * @param gain why it is chosen, as a sentence; empty where nothing better is shown
   */
  public record Band(
      double from,
      double to,
      double measuredFrom,
      double measuredTo,
      String profile,
      Optional<String> gain) {
    /** Returns whether a load is in the band. */
    public boolean contains(double load) {
      return load >= from && load < to;
    }
  }
}
