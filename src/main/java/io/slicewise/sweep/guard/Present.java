package io.slicewise.sweep.guard;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Target;
import io.slicewise.profile.Scope;
import io.slicewise.profile.Split;
import io.slicewise.run.RunRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The running domains at one time: their settings and guests.
 *
 * @param settings by name; a domain under a scheduler without parameters has none
 * @param guests by name
 */
record Present(Map<String, Setting> settings, Map<String, GuestId> guests) {
  private static final int ATTEMPTS = 3;

  /** Reads both, again if a guest was restarted between the two listings. */
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
    hypervisor.settings().forEach(one -> settings.putIfAbsent(one.target().name(), one));
    return new Present(settings, hypervisor.guests());
  }

  private boolean consistent() {
    return settings.values().stream().allMatch(setting -> agrees(setting, guests));
  }

  private static boolean agrees(Setting setting, Map<String, GuestId> guests) {
    if (Target.isOfHost(setting.target().name())) {
      return true;
    }
    Domain domain =
        setting.target() instanceof Target.Place place ? place.domain() : (Domain) setting.target();
    GuestId guest = guests.get(domain.name());
    return guest != null && guest.domid() == domain.id();
  }

  /** Returns the same with what a switch set. */
  Present with(SettingsGuard.Switched switched) {
    Map<String, Setting> all = new LinkedHashMap<>(settings);
    switched
        .asked()
        .forEach(
            (name, asked) ->
                all.computeIfPresent(
                    name,
                    (same, was) ->
                        new Setting(was.target(), switched.differing().getOrDefault(name, asked))));
    return new Present(all, guests);
  }

  /** Whether guests are in cpupools that a profile makes. */
  boolean isSplit() {
    return settings.keySet().stream().anyMatch(Scope.SPLIT::has);
  }

  /** The setting of the guest with this name in the run, whatever its current name. */
  Optional<Setting> settingOf(String name, RunRecord record) {
    return currentName(name, record).map(settings::get);
  }

  /** The current name of the guest with this name in the run; empty if it no longer runs. */
  Optional<String> currentName(String name, RunRecord record) {
    if (Scope.PLACE.has(name)) {
      return currentName(Target.domainOf(name), record).map(Scope.PLACE::target);
    }
    GuestId known = record.guests().get(name);
    if (known == null) {
      return guests.containsKey(name) || (Target.isOfHost(name) && settings.containsKey(name))
          ? Optional.of(name)
          : Optional.empty();
    }
    return guests.entrySet().stream()
        .filter(entry -> entry.getValue().isGuest(known))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether the guest with this name in the run restarted since it was journalled. */
  boolean restarted(String name, RunRecord record) {
    String domain = Target.domainOf(name);
    GuestId known = record.guests().get(domain);
    return known != null
        && currentName(domain, record)
            .filter(current -> !known.isSameLife(guests.get(current)))
            .isPresent();
  }

  /** Whether a name is of a guest that the run moved, with settings that nobody gave it. */
  boolean wasMoved(String name, RunRecord record) {
    return settings.values().stream()
        .filter(setting -> Scope.SPLIT.has(setting.target().name()))
        .filter(setting -> record.changes().containsKey(setting.target().name()))
        .anyMatch(setting -> Split.domains(setting.parameters()).contains(Target.domainOf(name)));
  }

  /** Names in the run's journal whose guest now runs under another name. */
  Set<String> renamed(RunRecord record) {
    return record.guests().keySet().stream()
        .filter(
            name -> currentName(name, record).filter(current -> !current.equals(name)).isPresent())
        .collect(Collectors.toSet());
  }

  /** Why nothing can be restored for a changed guest that no longer runs. */
  String gone(String name, RunRecord record) {
    if (Target.isOfHost(name)) {
      return "no longer exists, so there is nothing to restore";
    }
    GuestId known = record.guests().get(Target.domainOf(name));
    GuestId other = guests.get(Target.domainOf(name));
    if (known == null || other == null) {
      return "no longer runs, so there is nothing to restore";
    }
    return "the changed guest (%s) no longer runs; the current guest of that name (%s) is another one and was not changed"
        .formatted(known, other.uuid().isEmpty() ? "domid " + other.domid() : other);
  }
}
