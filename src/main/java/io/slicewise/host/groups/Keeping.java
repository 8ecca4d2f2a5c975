package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The commands with which platforms keep a guest's settings for its next starts; each sets the
 * guest that runs, too. They take fewer settings than the kernel: what one of them could not keep,
 * or not undo, is refused.
 */
record Keeping(RemoteShell shell, Snapshot snapshot, boolean sudo) {
  private static final Pattern PODMAN = Pattern.compile("(\\d+)\\.(\\d+)");
  private static final Duration PERIOD = Duration.ofMillis(100);

  /** The shares that the kernels of version 1 take, which containers' programs convert. */
  private static final int MOST_SHARES = CgroupVersion.V1.mostShares();

  /** Returns the commands that turn one setting of a guest into another. */
  List<Command> commands(Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    if (current.equals(wanted)) {
      return List.of();
    }
    return switch (guest.place().platform()) {
      case UNIT, USER -> List.of(unit(guest, current, wanted));
      case DOCKER -> List.of(container("docker", guest, current, wanted));
      case PODMAN -> {
        requirePodman(guest);
        yield List.of(container("podman", guest, current, wanted));
      }
      case PROXMOX_VM -> List.of(proxmox("qm", guest, current, wanted));
      case PROXMOX_CONTAINER -> List.of(proxmox("pct", guest, current, wanted));
      case LXC ->
          throw refused(
              guest,
              "LXC keeps settings in the container's configuration file alone",
              "Write there: "
                  + new Writes(version())
                      .between(current, wanted).stream()
                          .map(
                              write ->
                                  "lxc.cgroup%s.%s = %s"
                                      .formatted(
                                          version() == CgroupVersion.V2 ? "2" : "",
                                          write.file(),
                                          write.value()))
                          .collect(Collectors.joining("; ")));
      case LIBVIRT ->
          throw refused(
              guest, "libvirt keeps them", "Reach the host with host: {hypervisor: libvirt}.");
      case POD ->
          throw refused(
              guest,
              "Kubernetes keeps them in what made the pod",
              "Set requests and limits of its deployment.");
      case PODMAN_POD ->
          throw refused(
              guest,
              "Podman has no command that changes those of a pod",
              "Set them when the pod is made: podman pod create --cpu-shares.");
      case SLURM, NOMAD, ECS ->
          throw refused(
              guest,
              "its scheduler sets them anew for each job",
              "Set the resources of the job in its own description.");
      case PLAIN ->
          throw refused(
              guest,
              "nothing keeps the settings of a group that no platform manages",
              "Let whatever makes the group set them, or apply without --durable.");
    };
  }

  private CgroupVersion version() {
    return snapshot.trees().version();
  }

  private static HypervisorException refused(Guest guest, String why, String wayOut) {
    return new HypervisorException(
        "Settings of %s cannot be kept: %s.".formatted(guest.name(), why), wayOut);
  }

  /** Returns a command that succeeds only if a platform no longer has a guest of this identity. */
  static Optional<Command> forgotten(String identity, boolean sudo) {
    Map<Platform, String> scripts =
        Map.of(
            Platform.DOCKER,
            "docker container inspect %s 2>&1 >/dev/null | grep -qi 'no such container'",
            Platform.PODMAN,
            "podman container exists %s; [ $? = 1 ]",
            Platform.PROXMOX_VM,
            "[ -d /etc/pve/qemu-server ] && [ ! -e /etc/pve/qemu-server/%s.conf ]",
            Platform.PROXMOX_CONTAINER,
            "[ -d /etc/pve/lxc ] && [ ! -e /etc/pve/lxc/%s.conf ]",
            Platform.UNIT,
            "[ \"$(systemctl show --property LoadState --value %s)\" = not-found ]");
    return scripts.entrySet().stream()
        .filter(one -> identity.startsWith(one.getKey().word() + " "))
        .map(
            one ->
                one.getValue()
                    .formatted(
                        Changing.quoted(identity.substring(one.getKey().word().length() + 1))))
        .map(script -> Changing.command(sudo, Command.Effect.READS, script))
        .findFirst();
  }

  private Command unit(Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    String unit = Platform.lastOf(guest.path());
    if (unit.endsWith(".scope")) {
      throw refused(
          guest, "a scope of systemd ends with its processes", "Apply without --durable.");
    }
    if (snapshot.isTransient(unit)) {
      throw refused(
          guest,
          "its unit has no file, since it was made by systemd-run or another program, and is"
              + " forgotten when it ends",
          "Set CPUWeight and CPUQuota where it is started, or apply without --durable.");
    }
    if (!snapshot.managed(guest.path()) || version() == CgroupVersion.V1) {
      throw refused(
          guest,
          "they need systemd with cgroup v2",
          "Boot the host with systemd.unified_cgroup_hierarchy=1.");
    }
    same(guest, Fair.BURST, current, wanted);
    Map<String, String> properties = Units.properties(guest.name(), current, wanted);
    Map<String, String> found = Units.properties(guest.name(), current);
    return changing(Units.forGood("").script(unit, properties, found));
  }

  private static void same(
      Guest guest,
      Parameter<?> parameter,
      SchedulerParameters current,
      SchedulerParameters wanted) {
    same(guest, parameter.key(), current.get(parameter).equals(wanted.get(parameter)));
  }

  private static void same(Guest guest, String parameter, boolean same) {
    if (!same) {
      throw refused(
          guest,
          "its platform has no %s to keep".formatted(parameter),
          "Leave it out of the profile, or apply without --durable.");
    }
  }

  /**
   * A container's program takes shares and makes a weight of them, by one of two formulas: those of
   * the newer one are set where the older ones gave another weight.
   */
  private Command container(
      String program, Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    same(guest, Fair.BURST, current, wanted);
    same(guest, Fair.IDLE, current, wanted);
    List<String> options = new ArrayList<>();
    if (!current.get(Fair.QUOTA).equals(wanted.get(Fair.QUOTA))
        || !current.get(Fair.PERIOD).equals(wanted.get(Fair.PERIOD))) {
      options.add("--cpu-period=" + GroupFiles.micros(wanted.get(Fair.PERIOD)));
      options.add(
          "--cpu-quota="
              + (Fair.LIMIT.limits(wanted) ? GroupFiles.micros(wanted.get(Fair.QUOTA)) : "-1"));
    }
    if (!Fair.leavesCpus(wanted) && !wanted.get(Fair.CPUS).equals(current.get(Fair.CPUS))) {
      same(
          guest,
          Fair.CPUS.key() + " that could be undone",
          !current.get(Fair.CPUS).equals(Fair.Cpus.INHERITED));
      options.add("--cpuset-cpus=" + wanted.get(Fair.CPUS));
    }
    String update =
        "%s update %s%%s %s"
            .formatted(
                program,
                options.stream().map(option -> option + " ").collect(Collectors.joining()),
                guest.place().id());
    int weight = version().shares(wanted);
    if (weight == version().shares(current)) {
      return changing(update.formatted("").replace("  ", " "));
    }
    if (version() == CgroupVersion.V1) {
      return changing(update.formatted("--cpu-shares=" + weight));
    }
    String file = Changing.quoted(snapshot.trees().cpu() + guest.path() + "/cpu.weight");
    return changing(
        "%s && { [ \"$(cat %s)\" = %d ] || %s; }"
            .formatted(
                update.formatted("--cpu-shares=" + olderShares(weight)),
                file,
                weight,
                update.formatted("--cpu-shares=" + newerShares(weight))));
  }

  /** runc before 1.3.2 and crun before 1.23: the range of shares mapped to that of weights. */
  static int olderShares(int weight) {
    return IntStream.rangeClosed(2, MOST_SHARES)
        .filter(shares -> 1 + (long) (shares - 2) * 9_999 / 262_142 == weight)
        .findFirst()
        .orElse(MOST_SHARES);
  }

  /** Later ones: a curve through shares of 1024 at a weight of 100. */
  static int newerShares(int weight) {
    return IntStream.rangeClosed(2, MOST_SHARES)
        .filter(shares -> newerWeight(shares) >= weight)
        .findFirst()
        .orElse(MOST_SHARES);
  }

  private static long newerWeight(int shares) {
    double log = Math.log(shares) / Math.log(2);
    return (long) Math.ceil(Math.pow(10, log * log / 612 + 125 * log / 612 - 7.0 / 34));
  }

  private void requirePodman(Guest guest) {
    CommandResult printed = shell.run(Command.reading("podman", "--version"));
    Matcher version = PODMAN.matcher(printed.standardOutput());
    boolean keeps =
        version.find()
            && (Integer.parseInt(version.group(1)) > 5
                || (version.group(1).equals("5") && Integer.parseInt(version.group(2)) >= 1));
    if (!keeps) {
      throw refused(
          guest,
          "podman forgets them at the container's next start before version 5.1",
          "Make the container anew with them, or apply without --durable.");
    }
  }

  private Command proxmox(
      String program, Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    same(guest, Fair.BURST, current, wanted);
    same(guest, Fair.IDLE, current, wanted);
    same(
        guest,
        Fair.CPUS.key(),
        Fair.leavesCpus(wanted) || wanted.get(Fair.CPUS).equals(current.get(Fair.CPUS)));
    same(
        guest,
        Fair.PERIOD.key() + " other than 100ms",
        !Fair.LIMIT.limits(wanted) || wanted.get(Fair.PERIOD).equals(PERIOD));
    List<String> set = new ArrayList<>();
    List<String> unset = new ArrayList<>();
    int weight = version().shares(wanted);
    if (weight != version().shares(current)) {
      if (weight == version().defaultShares()) {
        unset.add("cpuunits");
      } else {
        set.add("--cpuunits " + weight);
      }
    }
    if (!wanted.get(Fair.QUOTA).equals(current.get(Fair.QUOTA))) {
      if (Fair.LIMIT.limits(wanted)) {
        BigDecimal cores =
            BigDecimal.valueOf(wanted.get(Fair.QUOTA).toNanos())
                .divide(BigDecimal.valueOf(PERIOD.toNanos()), MathContext.DECIMAL64);
        set.add("--cpulimit " + cores.stripTrailingZeros().toPlainString());
      } else {
        unset.add("cpulimit");
      }
    }
    if (!unset.isEmpty()) {
      set.add("--delete " + String.join(",", unset));
    }
    if (set.isEmpty()) {
      throw refused(guest, ParametersText.of(wanted) + " is no setting of " + program, "");
    }
    return changing("%s set %s %s".formatted(program, guest.place().id(), String.join(" ", set)));
  }

  private Command changing(String script) {
    return Changing.command(sudo, Command.Effect.CHANGES, script);
  }
}
