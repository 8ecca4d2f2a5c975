package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.host.groups.Snapshot.Node;
import io.slicewise.profile.Fair;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SettingFaults;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a host's kernel does not accept, or accepts without effect, checked before anything is
 * written: version 1 takes a weight out of range for the nearest one in silence, and version 2 a
 * quota above that of a group above, which then counts instead.
 */
record Limits(Snapshot snapshot) {
  /** Rejects settings that no group of a version should get, wherever it is. */
  static void check(CgroupVersion version, String name, SchedulerParameters wanted) {
    SettingFaults.first(wanted, 1)
        .ifPresent(
            fault -> {
              throw refusal(name, fault.what(), fault.rule());
            });
    if (wanted.get(Fair.IDLE) && !Fair.hasDefaultShares(wanted)) {
      throw refusal(
          name,
          "shares " + wanted.get(Fair.SHARES),
          "has no meaning with idle, whose groups have none");
    }
    if (!Fair.LIMIT.limits(wanted) && !wanted.get(Fair.BURST).isZero()) {
      throw burst(name, wanted);
    }
    accept(version, name, wanted);
  }

  /** Rejects settings that the kernel of a version does not take as they are. */
  private static void accept(CgroupVersion version, String name, SchedulerParameters wanted) {
    int shares = version.shares(wanted);
    version
        .rangeFault(shares)
        .ifPresent(
            fault -> {
              throw refusal(name, "shares " + shares, fault);
            });
    if (version == CgroupVersion.V1 && wanted.get(Fair.CPUS).equals(Fair.Cpus.INHERITED)) {
      throw refusal(name, "cpus inherited", "needs cgroup v2; list the pCPUs, as in \"0-3\"");
    }
    if (Fair.LIMIT.limits(wanted) && wanted.get(Fair.BURST).compareTo(wanted.get(Fair.QUOTA)) > 0) {
      throw burst(name, wanted);
    }
  }

  private static HypervisorException burst(String name, SchedulerParameters wanted) {
    return refusal(
        name,
        "burst " + Fair.BURST.kind().text(wanted.get(Fair.BURST)),
        "is above its quota " + Fair.QUOTA.kind().text(wanted.get(Fair.QUOTA)));
  }

  /** Rejects settings that a guest's group should not get where it is. */
  void check(Guest guest, SchedulerParameters wanted) {
    check(snapshot.trees().version(), guest.name(), wanted);
    accept(guest, wanted);
    checkQuota(guest, wanted);
    checkCpus(guest, wanted);
    checkUnit(guest, wanted);
  }

  /**
   * Rejects settings that the kernel would not take. What it takes without effect is not among
   * them: settings found on the host may be such, and are restored.
   */
  void accept(Guest guest, SchedulerParameters wanted) {
    CgroupVersion version = snapshot.trees().version();
    accept(version, guest.name(), wanted);
    Node node = snapshot.groups().get(guest.path());
    requireFile(guest, node, Writes.IDLE, wanted.get(Fair.IDLE), "idle");
    requireFile(guest, node, version.burstFile(), !wanted.get(Fair.BURST).isZero(), "burst");
    if (version == CgroupVersion.V1) {
      checkQuota(guest, wanted);
      checkCpus(guest, wanted);
    }
  }

  /** A value that systemd keeps for good counts again at its next reload, before one of now. */
  private void checkUnit(Guest guest, SchedulerParameters wanted) {
    if (!snapshot.managed(guest.path())) {
      return;
    }
    if (snapshot.trees().version() == CgroupVersion.V1) {
      throw refusal(
          guest.name(),
          "a setting",
          "would be overwritten by systemd, which manages it with cgroup v1: boot the host with"
              + " systemd.unified_cgroup_hierarchy=1");
    }
    Units.properties(guest.name(), wanted)
        .forEach(
            (property, value) ->
                snapshot
                    .durable(Platform.lastOf(guest.path()), property)
                    .filter(file -> !(property.equals(Units.CPUS) && Fair.leavesCpus(wanted)))
                    .ifPresent(
                        file -> {
                          throw refusal(
                              guest.name(),
                              property,
                              "is set for good in %s, which counts again at the next reload of systemd"
                                  .formatted(file));
                        }));
  }

  private static void requireFile(
      Guest guest, Node node, String file, boolean needed, String what) {
    boolean enabled = node.file("cpu.weight").or(() -> node.file("cpu.shares")).isPresent();
    if (needed && enabled && node.file(file).isEmpty()) {
      throw refusal(guest.name(), what, "needs the file " + file + ", which this kernel lacks");
    }
  }

  private void checkQuota(Guest guest, SchedulerParameters wanted) {
    for (String above : snapshot.ancestors(guest.path())) {
      Optional<SchedulerParameters> limit = limit(above);
      if (limit.isPresent() && Fair.LIMIT.limits(wanted) && share(wanted) > share(limit.get())) {
        throw refusal(
            guest.name(),
            Fair.LIMIT.text(wanted),
            "is above that of the group above, %s of %s, which would count instead"
                .formatted(Fair.LIMIT.text(limit.get()), above));
      }
    }
    if (snapshot.trees().version() == CgroupVersion.V1 && Fair.LIMIT.limits(wanted)) {
      for (String inside : snapshot.inside(guest.path())) {
        Optional<SchedulerParameters> limit = limit(inside);
        if (limit.isPresent() && share(limit.get()) > share(wanted)) {
          throw refusal(
              guest.name(),
              Fair.LIMIT.text(wanted),
              "is below %s of the group %s inside of it, which cgroup v1 refuses"
                  .formatted(Fair.LIMIT.text(limit.get()), inside));
        }
      }
    }
  }

  /** Returns whether a group above the guest's or inside of it has a quota, as far as is known. */
  boolean isBoundedByOthers(Guest guest) {
    return Stream.concat(
            snapshot.ancestors(guest.path()).stream(),
            snapshot.groups().keySet().stream().filter(one -> one.startsWith(guest.path() + "/")))
        .anyMatch(
            one -> GroupFiles.mayLimit(snapshot.trees().version(), snapshot.groups().get(one)));
  }

  /** Returns the quota of a group, with its period; empty if it has none. */
  Optional<SchedulerParameters> limit(String path) {
    return GroupFiles.limit(snapshot.trees().version(), snapshot.groups().get(path));
  }

  private static double share(SchedulerParameters parameters) {
    return Fair.LIMIT.share(parameters).orElse(Double.POSITIVE_INFINITY);
  }

  private void checkCpus(Guest guest, SchedulerParameters wanted) {
    if (Fair.leavesCpus(wanted) || wanted.get(Fair.CPUS).equals(Fair.Cpus.INHERITED)) {
      return;
    }
    boolean lacking =
        guest.cpuset().isEmpty()
            || snapshot.cpuset(guest.path()).flatMap(one -> one.file(Writes.CPUS)).isEmpty();
    if (lacking && !snapshot.managed(guest.path())) {
      throw refusal(guest.name(), "cpus", "needs the cpuset controller, which its group lacks");
    }
    String above = snapshot.effectiveCpus(Snapshot.above(guest.path()));
    BitSet beyond = Pinning.cpus(wanted.get(Fair.CPUS));
    beyond.andNot(Pinning.cpus(above));
    if (!beyond.isEmpty()) {
      throw refusal(
          guest.name(),
          "cpus " + wanted.get(Fair.CPUS),
          "is outside of the group above, which has " + above);
    }
  }

  /** Returns why the weight of a guest decides nothing; empty if it may. */
  Optional<String> moot(Guest guest) {
    String above = Snapshot.above(guest.path());
    return snapshot.inside(above).size() == 1 && !above.equals("/")
        ? Optional.of(
            "%s is alone in %s: its shares decide nothing, those of %s do"
                .formatted(guest.name(), above, above))
        : Optional.empty();
  }

  /** Returns the settings of the groups above a group, as text. */
  String above(String path) {
    StringBuilder text = new StringBuilder();
    for (String one = path; !one.equals("/"); one = Snapshot.above(one)) {
      try {
        SchedulerParameters settings = GroupFiles.settings(one, one, snapshot);
        text.append(text.isEmpty() ? "" : ", ").append(one).append(' ');
        text.append(ParametersText.of(settings));
      } catch (HypervisorException without) {
        return text.toString();
      }
    }
    return text.toString();
  }

  private static HypervisorException refusal(String guest, String what, String rule) {
    return new HypervisorException(
        "%s of %s %s.".formatted(what, guest, rule), "Correct the profile.");
  }
}
