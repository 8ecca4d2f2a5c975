package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.host.libvirt.GuestListing.Guest;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings with which a libvirt host's guests start, running or not. virsh shows 0 for what is
 * not configured and stores shares of 0, with which no guest starts; so shares that were not
 * configured are removed from the guest's definition, by {@code virsh edit} with sed as its editor.
 *
 * <p>Pinning, weights at disks and vCPUs in use are not among them: virsh cannot take them out
 * again.
 */
record KeptSettings(Libvirt kind, Virsh virsh, LibvirtInventory inventory) implements Hypervisor {
  /** The number of vCPUs matters to pinning alone. */
  private static final int VCPUS = 1;

  private static final List<Parameter<String>> NOT_KEPT =
      Stream.concat(Cfs.PINNINGS.stream(), Stream.of(Cfs.DISK_WEIGHT, Cfs.ONLINE_VCPUS)).toList();

  private static final String WITHOUT_SHARES =
      "sed -i '/^  <cputune>$/,/^  <\\/cputune>$/{/^    <shares>/d}'";

  @Override
  public HostDescription describe() {
    return inventory.describe();
  }

  @Override
  public List<Domain> domains() {
    return inventory.guests().stream().map(KeptSettings::domain).toList();
  }

  private static Domain domain(Guest guest) {
    return new Domain(guest.name(), id(guest), VCPUS, 0, LibvirtInventory.POOL);
  }

  /** Targets are compared by number, and a guest that is off has none. */
  private static int id(Guest guest) {
    return Math.max(1, guest.uuid().hashCode() & Integer.MAX_VALUE);
  }

  @Override
  public Map<String, GuestId> guests() {
    Map<String, GuestId> guests = new LinkedHashMap<>();
    inventory
        .guests()
        .forEach(guest -> guests.put(guest.name(), new GuestId(guest.uuid(), id(guest), "")));
    return guests;
  }

  @Override
  public List<Setting> settings() {
    List<Guest> guests = inventory.guests();
    List<String> printed =
        virsh.readAll(
            guests.stream()
                .map(guest -> List.of("schedinfo", "--config", "--domain", guest.uuid()))
                .toList());
    List<Setting> settings = new ArrayList<>();
    for (int i = 0; i < printed.size(); i++) {
      Guest guest = guests.get(i);
      if (printed.get(i).contains("cpu_shares")) {
        settings.add(
            new Setting(domain(guest), SchedInfo.configured(guest.name(), printed.get(i))));
      }
    }
    return List.copyOf(settings);
  }

  @Override
  public Optional<String> refusal(String domain, SchedulerParameters wanted) {
    Optional<String> pinned =
        NOT_KEPT.stream()
            .filter(parameter -> !wanted.leftAsFound().contains(parameter.key()))
            .map(
                parameter ->
                    "%s %s of %s is not kept: virsh cannot take it out of a definition again, so it could not be undone"
                        .formatted(parameter.key(), wanted.get(parameter), domain))
            .findFirst();
    return Hypervisor.super.refusal(domain, wanted).or(() -> pinned);
  }

  @Override
  public String whyWithoutSettings(String name) {
    return "has no configuration: libvirt keeps none of a transient guest";
  }

  @Override
  public boolean shows(SchedulerParameters set, SchedulerParameters read) {
    return set.equals(
        set.scheduler() == read.scheduler() && !set.isByVcpu()
            ? read.with(set.leftAsFound(), set)
            : read);
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    if (shows(wanted, current)) {
      return List.of();
    }
    refusal(target.name(), wanted)
        .ifPresent(
            reason -> {
              throw new HypervisorException(reason + ".", "Leave it out of the profile.");
            });
    Guest guest = guest(target);
    new SettingLimits(inventory.cgroups()).check(guest.name(), VCPUS, wanted, current);
    List<Command> commands = new ArrayList<>();
    List<String> words = SchedInfo.configuring(current, wanted);
    if (!words.isEmpty()) {
      List<String> named = List.of("schedinfo", "--config", "--domain", guest.uuid());
      commands.add(virsh.changing(Stream.concat(named.stream(), words.stream()).toList()));
    }
    if (Cfs.hasDefaultShares(wanted) && !Cfs.hasDefaultShares(current)) {
      commands.add(virsh.editing(WITHOUT_SHARES, List.of("edit", "--domain", guest.uuid())));
    }
    return List.copyOf(commands);
  }

  private Guest guest(Target target) {
    return inventory.guests().stream()
        .filter(guest -> guest.name().equals(target.name()))
        .findFirst()
        .orElseThrow(
            () ->
                new HypervisorException(
                    "%s is not defined on %s.".formatted(target.name(), virsh.shell().address()),
                    "'virsh list --all' shows its guests."));
  }

  @Override
  public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
    return applyBetweenReadings(wanted, expected, virsh::change, this::missing);
  }

  private HypervisorException missing(String name) {
    return new HypervisorException(
        "%s %s.".formatted(name, whyWithoutSettings(name)),
        "Define it: virsh dumpxml --domain %s >FILE; virsh define FILE".formatted(name));
  }

  @Override
  public String whyMissing(String name) {
    return "is not defined on the host";
  }
}
