package io.slicewise.sweep;

import io.slicewise.host.GuestId;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.run.RunRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The domains that run at one moment: what is set for them and which guests they are.
 *
 * @param settings by name; a domain under a scheduler without parameters has none
 * @param guests by name
 */
record Present(Map<String, Setting> settings, Map<String, GuestId> guests) {
  private static final int ATTEMPTS = 3;

  /** Reads both; once more where a guest was started anew between the two listings. */
  static Present of(Hypervisor hypervisor) {
    Present read = read(hypervisor);
    for (int attempt = 1; attempt < ATTEMPTS && !read.consistent(); attempt++) {
      read = read(hypervisor);
    }
    Map<String, GuestId> guests = read.guests;
    Map<String, Setting> sure = new LinkedHashMap<>(read.settings);
    sure.values().removeIf(setting -> !agrees(setting, guests));
    return new Present(sure, guests);
  }

  private static Present read(Hypervisor hypervisor) {
    Map<String, Setting> settings = new LinkedHashMap<>();
    hypervisor.settings().forEach(one -> settings.putIfAbsent(one.domain().name(), one));
    return new Present(settings, hypervisor.guests());
  }

  private boolean consistent() {
    return settings.values().stream().allMatch(setting -> agrees(setting, guests));
  }

  private static boolean agrees(Setting setting, Map<String, GuestId> guests) {
    GuestId guest = guests.get(setting.domain().name());
    return guest != null && guest.domid() == setting.domain().id();
  }

  /** The setting of the guest that the run means by this name, whatever it is called now. */
  Optional<Setting> settingOf(String name, RunRecord record) {
    return currentName(name, record).map(settings::get);
  }

  /** What the guest that the run means by this name is called now; empty if it no longer runs. */
  Optional<String> currentName(String name, RunRecord record) {
    GuestId known = record.guests().get(name);
    if (known == null) {
      return guests.containsKey(name) ? Optional.of(name) : Optional.empty();
    }
    return guests.entrySet().stream()
        .filter(entry -> entry.getValue().isGuest(known))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Names that the run's journal ties to a guest that runs under another name by now. */
  Set<String> renamed(RunRecord record) {
    return record.guests().keySet().stream()
        .filter(
            name -> currentName(name, record).filter(current -> !current.equals(name)).isPresent())
        .collect(Collectors.toSet());
  }

  /** Why nothing can be put back for a guest that the run changed and that no longer runs. */
  String gone(String name, RunRecord record) {
    GuestId known = record.guests().get(name);
    GuestId other = guests.get(name);
    if (known == null || other == null) {
      return "no longer runs, so there is nothing to put back";
    }
    return "the guest that was changed (%s) no longer runs; the one of that name now (%s) is another and was left alone"
        .formatted(known, other.uuid().isEmpty() ? "domid " + other.domid() : other);
  }
}
