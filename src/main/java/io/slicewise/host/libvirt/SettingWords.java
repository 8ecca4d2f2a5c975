package io.slicewise.host.libvirt;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The virsh commands that turn one setting into another. All values are in one command, and libvirt
 * applies them in that order. Cgroup v1 rejects a larger share of time for a group than for its
 * parent, so lower inner quotas come first, then the global quota, then higher inner quotas. A
 * quota is always sent with its period.
 */
record SettingWords(CgroupVersion version) {
  private static final TimeLimit GLOBAL =
      Cfs.LIMITS.stream()
          .filter(limit -> limit.quota().equals(Cfs.GLOBAL_QUOTA))
          .findFirst()
          .orElseThrow();
  private static final List<TimeLimit> INNER =
      Cfs.LIMITS.stream().filter(limit -> !limit.equals(GLOBAL)).toList();

  /** All limits, those of a parent before those of its children. */
  static final List<TimeLimit> OUTER_FIRST =
      Stream.concat(Stream.of(GLOBAL), INNER.stream()).toList();

  /**
   * Returns the arguments of each command.
   *
   * @param guest the arguments that name the guest to virsh
   */
  List<List<String>> of(
      List<String> guest, int vcpus, SchedulerParameters current, SchedulerParameters wanted) {
    List<List<String>> commands = new ArrayList<>();
    List<String> values = values(current, wanted);
    refuseWithoutThreads(current, wanted);
    if (!values.isEmpty()) {
      commands.add(words(List.of("schedinfo", "--live"), guest, values));
    }
    if (!Cfs.leavesPinning(wanted) && (current.isByVcpu() || !Cfs.leavesPinning(current))) {
      commands.addAll(pinning(guest, vcpus, current, wanted));
    }
    for (VirshKnob threads : VirshKnob.ALL) {
      commands.addAll(threads.words(guest, current, wanted));
    }
    return commands;
  }

  /** libvirt would accept the quota without any effect. */
  private static void refuseWithoutThreads(
      SchedulerParameters current, SchedulerParameters wanted) {
    if (!current.isByVcpu()
        && current.get(Cfs.IOTHREAD_PINNING).isEmpty()
        && !wanted.get(Cfs.IOTHREAD_QUOTA).isZero()) {
      throw new HypervisorException(
          "%s: this guest has no I/O threads."
              .formatted(
                  Cfs.IOTHREAD_QUOTA.key()
                      + " "
                      + Cfs.IOTHREAD_QUOTA.kind().text(wanted.get(Cfs.IOTHREAD_QUOTA))),
          "Remove it from the profile.");
    }
  }

  private List<String> values(SchedulerParameters current, SchedulerParameters wanted) {
    List<String> values = new ArrayList<>();
    int shares = shares(wanted);
    if (current.isByVcpu() || shares != shares(current)) {
      values.add(SchedInfo.shares(shares));
    }
    List<TimeLimit> changed = INNER.stream().filter(one -> differs(one, current, wanted)).toList();
    changed.stream()
        .filter(one -> goesFirst(one, current, wanted))
        .forEach(one -> values.addAll(pair(one, current, wanted, true)));
    if (differs(GLOBAL, current, wanted)) {
      values.addAll(pair(GLOBAL, current, wanted, false));
    }
    changed.stream()
        .filter(one -> !goesFirst(one, current, wanted))
        .forEach(one -> values.addAll(pair(one, current, wanted, true)));
    return values;
  }

  /** Returns the shares as a number; only the host knows its default. */
  int shares(SchedulerParameters parameters) {
    return Cfs.hasDefaultShares(parameters) ? version.defaultShares() : parameters.get(Cfs.SHARES);
  }

  private static boolean differs(
      TimeLimit limit, SchedulerParameters current, SchedulerParameters wanted) {
    return current.isByVcpu()
        || !current.get(limit.quota()).equals(wanted.get(limit.quota()))
        || !current.get(limit.period()).equals(wanted.get(limit.period()));
  }

  /**
   * Returns whether an inner group can be changed before its parent. A group without a quota may
   * use its parent's.
   */
  private static boolean goesFirst(
      TimeLimit limit, SchedulerParameters current, SchedulerParameters wanted) {
    if (!limit.limits(wanted)) {
      return true;
    }
    double before =
        current.isByVcpu() ? 0 : Math.min(share(limit, current), share(GLOBAL, current));
    return share(limit, wanted) <= before;
  }

  private static double share(TimeLimit limit, SchedulerParameters parameters) {
    return limit.share(parameters).orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Returns quota and period in an order in which the share between the two writes is never above
   * both others for an inner group, and never below both for its parent.
   */
  private static List<String> pair(
      TimeLimit limit, SchedulerParameters current, SchedulerParameters wanted, boolean inside) {
    boolean longer =
        current.isByVcpu()
            || wanted.get(limit.period()).compareTo(current.get(limit.period())) >= 0;
    List<String> words =
        List.of(
            SchedInfo.assignment(limit.period(), wanted),
            SchedInfo.assignment(limit.quota(), wanted));
    return longer == inside ? words : List.of(words.get(1), words.get(0));
  }

  private static List<List<String>> pinning(
      List<String> guest, int vcpus, SchedulerParameters current, SchedulerParameters wanted) {
    List<String> before =
        current.isByVcpu() ? List.of() : Pinning.each(current.get(Cfs.PINNING), vcpus);
    List<String> after = Pinning.each(wanted.get(Cfs.PINNING), vcpus);
    List<List<String>> commands = new ArrayList<>();
    for (int vcpu = 0; vcpu < after.size(); vcpu++) {
      if (vcpu >= before.size() || !before.get(vcpu).equals(after.get(vcpu))) {
        List<String> named =
            List.of("--vcpu", Integer.toString(vcpu), "--cpulist", after.get(vcpu));
        commands.add(words(List.of("vcpupin", "--live"), guest, named));
      }
    }
    return commands;
  }

  private static List<String> words(List<String> start, List<String> guest, List<String> end) {
    return Stream.of(start, guest, end).flatMap(List::stream).toList();
  }
}
