package io.slicewise.host.libvirt;

import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is set for guests. virsh reads shares and the quotas of the first vCPU from the control
 * groups; those of the other vCPUs are read there too, since nothing keeps them alike.
 */
final class LibvirtReadings {
  private final Virsh virsh;
  private final LibvirtInventory inventory;
  private final HostFiles files;
  private final GuestProcesses processes;

  LibvirtReadings(Virsh virsh, LibvirtInventory inventory) {
    this.virsh = virsh;
    this.inventory = inventory;
    this.files = new HostFiles(virsh.shell());
    this.processes = new GuestProcesses(virsh.shell());
  }

  /** The settings of these guests, in their order. */
  List<Setting> of(List<RunningGuest> guests) {
    Map<String, String> groups = groups(guests);
    List<String> paths = new ArrayList<>();
    for (RunningGuest one : guests) {
      Optional.ofNullable(groups.get(one.name()))
          .ifPresent(
              group -> paths.addAll(inventory.tree().quotaFiles(group, one.domain().vcpus())));
    }
    Map<String, String> quotas = files.read(paths);
    List<Setting> settings = new ArrayList<>();
    for (RunningGuest one : guests) {
      SchedulerParameters shown =
          SchedInfo.parse(one.name(), virsh.read(words("schedinfo", one)))
              .with(Cfs.PINNING, Pinning.of(affinity(one)));
      String group = groups.getOrDefault(one.name(), "");
      settings.add(new Setting(one.domain(), byVcpu(one, shown, group, quotas)));
    }
    return List.copyOf(settings);
  }

  private SchedulerParameters byVcpu(
      RunningGuest guest, SchedulerParameters shown, String group, Map<String, String> quotas) {
    List<SchedulerParameters> vcpus = new ArrayList<>();
    for (int vcpu = 1; vcpu < guest.domain().vcpus(); vcpu++) {
      inventory.tree().withQuota(shown, group, vcpu, quotas).ifPresent(vcpus::add);
    }
    return vcpus.stream().allMatch(shown::equals)
        ? shown
        : SchedulerParameters.byVcpu(Stream.concat(Stream.of(shown), vcpus.stream()).toList());
  }

  /** The pCPUs of each vCPU, as virsh prints them. */
  List<String> affinity(RunningGuest guest) {
    return PinningListing.parse(guest.name(), virsh.read(words("vcpupin", guest)));
  }

  /** The group around the guests': beside everything else on the host they weigh what it weighs. */
  HostState.Pool pool(List<RunningGuest> guests) {
    List<String> above =
        groups(guests).values().stream().map(inventory.tree()::sharesAbove).distinct().toList();
    Map<String, String> read = files.read(above);
    String shares = String.join(", ", read.values().stream().map(String::strip).toList());
    return new HostState.Pool(
        "cfs",
        Integer.toString(inventory.describe().pcpus()),
        shares.isEmpty() ? "" : "shares " + shares);
  }

  private Map<String, String> groups(List<RunningGuest> guests) {
    Map<String, String> uuids = new LinkedHashMap<>();
    guests.forEach(one -> uuids.put(one.name(), one.uuid()));
    return processes.groups(inventory.tree(), processes.pids(uuids));
  }

  private static List<String> words(String command, RunningGuest guest) {
    return Stream.concat(Stream.of(command, "--live"), guest.words().stream()).toList();
  }
}
