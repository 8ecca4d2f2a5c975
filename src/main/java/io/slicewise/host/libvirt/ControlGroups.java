package io.slicewise.host.libvirt;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The host's tree of control groups that has the CPU controller.
 *
 * @param root its mount point
 */
record ControlGroups(CgroupVersion version, String root) {
  static final String MOUNTS = "/proc/mounts";

  private static final String EMULATOR = "/emulator";

  /** The files of a group with its quota, its period and its throttling. */
  private static final List<String> QUOTA_V1 = List.of("cpu.cfs_quota_us", "cpu.cfs_period_us");

  private static final String QUOTA_V2 = "cpu.max";

  /**
   * Finds the tree among the mounted ones. A host may have both versions; the CPU controller is in
   * one.
   */
  static ControlGroups of(String address, String mounts) {
    List<String[]> rows = mounts.lines().map(line -> line.split(" ")).toList();
    Stream<ControlGroups> first =
        rows.stream()
            .filter(row -> row.length > 3 && row[2].equals("cgroup"))
            .filter(row -> List.of(row[3].split(",")).contains("cpu"))
            .map(row -> new ControlGroups(CgroupVersion.V1, unescaped(row[1])));
    Stream<ControlGroups> second =
        rows.stream()
            .filter(row -> row.length > 3 && row[2].equals("cgroup2"))
            .map(row -> new ControlGroups(CgroupVersion.V2, unescaped(row[1])));
    return Stream.concat(first, second)
        .findFirst()
        .orElseThrow(
            () ->
                new HypervisorException(
                    address + " has no control groups with a CPU controller.",
                    "Mount them: libvirt sets shares and quotas through them."));
  }

  private static String unescaped(String path) {
    return path.replace("\\040", " ");
  }

  /**
   * Returns the directory of a guest's group, from {@code /proc/PID/cgroup} of its emulator's
   * threads. It cannot be derived from the guest's name. Empty if libvirt made no group.
   */
  Optional<String> groupOf(String procCgroup) {
    return procCgroup
        .lines()
        .map(line -> line.split(":", 3))
        .filter(fields -> fields.length == 3 && isOurs(fields))
        .map(fields -> fields[2])
        .filter(path -> path.endsWith(EMULATOR))
        .map(path -> root + path.substring(0, path.length() - EMULATOR.length()))
        .findFirst();
  }

  private boolean isOurs(String[] fields) {
    return version == CgroupVersion.V2
        ? fields[0].equals("0") && fields[1].isEmpty()
        : List.of(fields[1].split(",")).contains("cpu");
  }

  /** Returns the files with the quota of each vCPU of a guest. */
  List<String> quotaFiles(String group, int vcpus) {
    return Stream.iterate(0, vcpu -> vcpu < vcpus, vcpu -> vcpu + 1)
        .flatMap(
            vcpu ->
                (version == CgroupVersion.V1 ? QUOTA_V1.stream() : Stream.of(QUOTA_V2))
                    .map(file -> "%s/vcpu%d/%s".formatted(group, vcpu, file)))
        .toList();
  }

  /** Returns the file with the shares of the parent of a guest's group. */
  String sharesAbove(String group) {
    return group.substring(0, group.lastIndexOf('/'))
        + (version == CgroupVersion.V1 ? "/cpu.shares" : "/cpu.weight");
  }

  /** Returns the settings with one vCPU's own quota; empty if its files could not be read. */
  Optional<SchedulerParameters> withQuota(
      SchedulerParameters settings, String group, int vcpu, Map<String, String> files) {
    String directory = "%s/vcpu%d/".formatted(group, vcpu);
    if (version == CgroupVersion.V2) {
      return Optional.ofNullable(files.get(directory + QUOTA_V2))
          .map(text -> text.strip().split(" "))
          .filter(fields -> fields.length == 2)
          .flatMap(fields -> with(settings, fields[0], fields[1]));
    }
    String quota = files.get(directory + QUOTA_V1.get(0));
    String period = files.get(directory + QUOTA_V1.get(1));
    return quota == null || period == null
        ? Optional.empty()
        : with(settings, quota.strip(), period.strip());
  }

  private static Optional<SchedulerParameters> with(
      SchedulerParameters settings, String quota, String period) {
    try {
      Duration time =
          quota.equals("max") ? Duration.ZERO : SchedInfo.duration(Long.parseLong(quota));
      return Optional.of(
          settings
              .with(Cfs.VCPU_QUOTA, time)
              .with(Cfs.VCPU_PERIOD, SchedInfo.duration(Long.parseLong(period))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the time for which a group was throttled, in nanoseconds, from its {@code cpu.stat}.
   */
  static long throttledNanos(String stat) {
    for (String line : stat.lines().toList()) {
      String[] fields = line.split(" ", -1);
      if (fields.length == 2 && fields[0].equals("throttled_time")) {
        return Long.parseLong(fields[1]);
      }
      if (fields.length == 2 && fields[0].equals("throttled_usec")) {
        return Long.parseLong(fields[1]) * 1_000;
      }
    }
    return 0;
  }
}
