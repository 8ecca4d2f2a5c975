package io.slicewise.host;

import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import java.util.Locale;
import java.util.Optional;

/**
 * The version of the control groups with a host's CPU controller: the names and ranges of a group's
 * files, and the meaning of shares.
 */
public enum CgroupVersion {
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
  public String weightFile() {
    return weightFile;
  }

  public int mostShares() {
    return most;
  }

  public int defaultShares() {
    return usual;
  }

  /** Returns the range of shares, for people. */
  public String sharesText() {
    return "shares %d to %d, %d by default".formatted(least, most, usual);
  }

  /** Returns why shares are refused, as a clause; empty if they are in the range. */
  public Optional<String> rangeFault(int shares) {
    return shares < least || shares > most
        ? Optional.of(
            "is out of range %d..%d of %s, with %d by default".formatted(least, most, this, usual))
        : Optional.empty();
  }

  public String burstFile() {
    return burstFile;
  }

  public String effectiveCpusFile() {
    return effectiveCpusFile;
  }

  /** Returns the shares as a number; only the kernel knows its default. */
  public int shares(SchedulerParameters parameters) {
    return Fair.hasDefaultShares(parameters) ? usual : parameters.get(Fair.SHARES);
  }

  /** {@code cgroup v1}. */
  @Override
  public String toString() {
    return "cgroup " + name().toLowerCase(Locale.ROOT);
  }

  /** Adds this version to a host's: {@code 9.0.0 (QEMU 7.2.22, cgroup v1)}. */
  public HypervisorVersion stateIn(HypervisorVersion version, String emulator) {
    String rest = emulator.isEmpty() ? "" : emulator + ", ";
    return new HypervisorVersion(
        version.major(), version.minor(), "%s (%s%s)".formatted(version.extra(), rest, this));
  }

  /** Returns the version of control groups in a host's version; v2 if it has none. */
  public static CgroupVersion statedIn(HypervisorVersion version) {
    return version.extra().contains(V1.toString()) ? V1 : V2;
  }
}
