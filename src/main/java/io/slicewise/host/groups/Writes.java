package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is written into a group's files to turn one setting into another, in an order that the
 * kernel accepts: the idle class ends before a weight is written, since it has none and its end
 * gives the default; a burst is removed before a quota, which may not be below it; and with version
 * 1, where each half of a limit alone may be more than the group above allows, the quota is removed
 * before the period changes.
 */
record Writes(CgroupVersion version) {
  static final String IDLE = "cpu.idle";
  static final String CPUS = "cpuset.cpus";

  /** A file's new content. */
  record Write(String file, String value) {}

  /** Returns the writes in the directory with the CPU controller. */
  List<Write> between(SchedulerParameters current, SchedulerParameters wanted) {
    boolean wasIdle = current.get(Fair.IDLE);
    boolean idle = wanted.get(Fair.IDLE);
    List<Write> writes = new ArrayList<>();
    if (wasIdle && !idle) {
      writes.add(new Write(IDLE, "0"));
    }
    if (differs(current, wanted)) {
      writes.addAll(limit(wanted, !current.get(Fair.BURST).isZero()));
    }
    if (!idle && (wasIdle || version.shares(current) != version.shares(wanted))) {
      writes.add(weight(wanted));
    }
    if (idle && !wasIdle) {
      writes.add(new Write(IDLE, "1"));
    }
    return writes;
  }

  private static boolean differs(SchedulerParameters current, SchedulerParameters wanted) {
    return !current.get(Fair.QUOTA).equals(wanted.get(Fair.QUOTA))
        || !current.get(Fair.PERIOD).equals(wanted.get(Fair.PERIOD))
        || !current.get(Fair.BURST).equals(wanted.get(Fair.BURST));
  }

  Write weight(SchedulerParameters wanted) {
    return new Write(version.weightFile(), Integer.toString(version.shares(wanted)));
  }

  /**
   * Returns the writes of quota, period and burst, whatever they were.
   *
   * @param burst whether the group may have a burst
   */
  List<Write> limit(SchedulerParameters wanted, boolean burst) {
    List<Write> writes = new ArrayList<>();
    if (burst) {
      writes.add(new Write(version.burstFile(), "0"));
    }
    String quota = GroupFiles.quota(version, wanted);
    String period = GroupFiles.micros(wanted.get(Fair.PERIOD));
    if (version == CgroupVersion.V1) {
      writes.add(new Write("cpu.cfs_quota_us", "-1"));
      writes.add(new Write("cpu.cfs_period_us", period));
      if (!quota.equals("-1")) {
        writes.add(new Write("cpu.cfs_quota_us", quota));
      }
    } else {
      writes.add(new Write("cpu.max", quota + " " + period));
    }
    Duration wish = wanted.get(Fair.BURST);
    if (!wish.isZero()) {
      writes.add(new Write(version.burstFile(), GroupFiles.micros(wish)));
    }
    return writes;
  }

  /** Returns the write of the pCPUs in the directory with the cpuset. */
  static Write cpus(SchedulerParameters wanted) {
    String cpus = wanted.get(Fair.CPUS);
    return new Write(CPUS, cpus.equals(Fair.Cpus.INHERITED) ? "" : cpus);
  }
}
