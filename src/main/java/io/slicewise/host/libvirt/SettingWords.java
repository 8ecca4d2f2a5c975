package io.slicewise.host.libvirt;

import io.slicewise.profile.Cfs;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.TimeLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The virsh commands that turn one setting into another. All values go in one command, and libvirt
 * applies them in the order given. Cgroup v1 refuses a group a larger share of time than the group
 * around it has, so what becomes tighter inside comes first, then the global quota, then what
 * becomes looser inside. A quota always goes with its period, of which it is a part.
 */
final class SettingWords {
  private static final TimeLimit GLOBAL =
      Cfs.LIMITS.stream()
          .filter(limit -> limit.quota().equals(Cfs.GLOBAL_QUOTA))
          .findFirst()
          .orElseThrow();
  private static final List<TimeLimit> INNER =
      Cfs.LIMITS.stream().filter(limit -> !limit.equals(GLOBAL)).toList();

  private final ControllerVersion version;

  SettingWords(ControllerVersion version) {
    this.version = version;
  }

  /**
   * The arguments of each command.
   *
   * @param guest the words that name the guest to virsh
   */
  List<List<String>> of(
      List<String> guest, int vcpus, SchedulerParameters current, SchedulerParameters wanted) {
    List<List<String>> commands = new ArrayList<>();
    List<String> values = values(current, wanted);
    if (!values.isEmpty()) {
      commands.add(words(List.of("schedinfo", "--live"), guest, values));
    }
    if (!Cfs.leavesPinning(wanted) && (current.isByVcpu() || !Cfs.leavesPinning(current))) {
      commands.addAll(pinning(guest, vcpus, current, wanted));
    }
    return commands;
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

  /** The shares as a number, which the host's default is on the host alone. */
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
   * Whether a group inside can be changed while the one around it is as before. One without a quota
   * may use what the one around it may.
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
   * Quota and period in the order in which the share between the two writes is not above both
   * others, for a group inside; not below both, for the one around it.
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
