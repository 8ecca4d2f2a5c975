package io.slicewise.host.groups;

import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import java.util.Locale;

/** A version of control groups: the names and ranges of a group's files. */
enum CgroupVersion {
  V1("cpu.shares", 2, 262_144, 1024, "cpu.cfs_burst_us", "cpuset.effective_cpus"),
  V2("cpu.weight", 1, 10_000, 100, "cpu.max.burst", "cpuset.cpus.effective");

  private final String weightFile;
  private final int least;
  private final int most;
  private final int usual;
  private final String burstFile;
  private final String effectiveCpusFile;

  CgroupVersion(
      String weightFile,
      int least,
      int most,
      int usual,
      String burstFile,
      String effectiveCpusFile) {
    this.weightFile = weightFile;
    this.least = least;
    this.most = most;
    this.usual = usual;
    this.burstFile = burstFile;
    this.effectiveCpusFile = effectiveCpusFile;
  }

  /** The file with a group's weight. */
  String weightFile() {
    return weightFile;
  }

  int leastShares() {
    return least;
  }

  int mostShares() {
    return most;
  }

  int defaultShares() {
    return usual;
  }

  String burstFile() {
    return burstFile;
  }

  String effectiveCpusFile() {
    return effectiveCpusFile;
  }

  /** Returns the shares as a number; only the kernel knows its default. */
  int shares(SchedulerParameters parameters) {
    return Fair.hasDefaultShares(parameters) ? usual : parameters.get(Fair.SHARES);
  }

  /** {@code cgroup v1}. */
  @Override
  public String toString() {
    return "cgroup " + name().toLowerCase(Locale.ROOT);
  }

  /** Adds this version to the kernel's: {@code 6.18.44 (cgroup v1)}. */
  HypervisorVersion stateIn(HypervisorVersion kernel) {
    return new HypervisorVersion(
        kernel.major(), kernel.minor(), "%s (%s)".formatted(kernel.extra(), this));
  }

  /** Returns the version in a host's version; v2 if it has none. */
  static CgroupVersion statedIn(HypervisorVersion version) {
    return version.extra().contains(V1.toString()) ? V1 : V2;
  }
}
