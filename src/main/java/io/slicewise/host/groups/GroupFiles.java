package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.groups.Snapshot.Node;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.Optional;

/** The settings in a group's files. */
final class GroupFiles {
  private static final String NONE = "max";

  private GroupFiles() {}

  /**
   * Returns the settings of a group. One of the idle class has no weight that counts, so its shares
   * are the default, which the kernel gives it at the end of that class.
   *
   * @throws HypervisorException if it has no such files, or they cannot be understood
   */
  static SchedulerParameters settings(String name, String path, Snapshot snapshot) {
    CgroupVersion version = snapshot.trees().version();
    Node node = snapshot.groups().get(path);
    boolean idle = node.file("cpu.idle").filter("1"::equals).isPresent();
    String weight =
        node.file(version.weightFile())
            .or(() -> unset(version, path, snapshot))
            .orElseThrow(
                () ->
                    new HypervisorException(
                        "%s has no %s: the CPU controller is not enabled for groups in %s."
                            .formatted(name, version.weightFile(), Snapshot.above(path)),
                        "Enable it: echo +cpu >%s%s/cgroup.subtree_control"
                            .formatted(snapshot.trees().cpu(), Snapshot.above(path))));
    try {
      SchedulerParameters read =
          limited(version, node)
              .with(Fair.BURST, micros(node.file(version.burstFile()).orElse("0")))
              .with(Fair.IDLE, idle)
              .with(
                  Fair.CPUS,
                  cpus(
                      version,
                      snapshot.cpuset(path).flatMap(one -> one.file("cpuset.cpus")).orElse("")));
      return idle ? read : read.with(Fair.SHARES, Integer.valueOf(weight));
    } catch (IllegalArgumentException unclear) {
      throw new HypervisorException(
          "The files of %s cannot be understood: %s.".formatted(name, unclear.getMessage()),
          "Please report it with the version of the kernel.");
    }
  }

  /** A group of version 1 that is in no cpuset has no pCPUs to restore. */
  private static String cpus(CgroupVersion version, String list) {
    return version == CgroupVersion.V1 && list.isBlank()
        ? Fair.CPUS.defaultValue()
        : Fair.Cpus.of(list);
  }

  /** systemd enables the controller when a unit gets its first setting, and disables it again. */
  private static Optional<String> unset(CgroupVersion version, String path, Snapshot snapshot) {
    return snapshot.managed(path)
        ? Optional.of(Integer.toString(version.defaultShares()))
        : Optional.empty();
  }

  private static SchedulerParameters limited(CgroupVersion version, Node node) {
    SchedulerParameters defaults = SchedulerParameters.defaults(Scheduler.FAIR);
    String quota;
    String period;
    if (version == CgroupVersion.V1) {
      quota = node.file("cpu.cfs_quota_us").orElse("-1");
      period = node.file("cpu.cfs_period_us").orElse("100000");
    } else {
      String[] limit = node.file("cpu.max").orElse("max 100000").split(" ", 2);
      quota = limit[0];
      period = limit[1];
    }
    boolean none = quota.equals(NONE) || quota.startsWith("-");
    return defaults
        .with(Fair.QUOTA, none ? Duration.ZERO : micros(quota))
        .with(Fair.PERIOD, micros(period));
  }

  private static Duration micros(String text) {
    return Duration.ofNanos(Math.multiplyExact(Long.parseLong(text), 1_000L));
  }

  /** Returns a duration as the kernel's files contain it. */
  static String micros(Duration time) {
    return Long.toString(time.toNanos() / 1_000);
  }

  /** Returns a quota as the files of a version contain it. */
  static String quota(CgroupVersion version, SchedulerParameters parameters) {
    Duration quota = parameters.get(Fair.QUOTA);
    String none = version == CgroupVersion.V1 ? "-1" : NONE;
    return quota.isZero() ? none : micros(quota);
  }

  /** Returns whether a group has a quota, or one that cannot be read. */
  static boolean mayLimit(CgroupVersion version, Node node) {
    try {
      return Fair.LIMIT.limits(limited(version, node));
    } catch (IllegalArgumentException unclear) {
      return true;
    }
  }

  /** Returns the quota of a group as a share of a pCPU; empty if it has none. */
  static Optional<SchedulerParameters> limit(CgroupVersion version, Node node) {
    try {
      return Optional.of(limited(version, node)).filter(Fair.LIMIT::limits);
    } catch (IllegalArgumentException unclear) {
      return Optional.empty();
    }
  }
}
