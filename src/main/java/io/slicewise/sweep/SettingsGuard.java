package io.slicewise.sweep;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.GuestId;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Applied;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.SettingDifference;
import io.slicewise.run.Journal;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.RunRecord;
import io.slicewise.run.TrialFault;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The only class that changes a host. Its rules: the settings found are on disk before the first
 * change, every change is on disk before it is sent, every change is read back, and what was found
 * first is what is put back.
 */
final class SettingsGuard {
  private final Hypervisor hypervisor;
  private final Journal journal;
  private final Clock clock;
  private RunRecord record;

  SettingsGuard(Hypervisor hypervisor, Journal journal, RunRecord record, Clock clock) {
    this.hypervisor = hypervisor;
    this.journal = journal;
    this.record = record;
    this.clock = clock;
  }

  /**
   * Journals which guests run, where that is news, and the settings of every guest that no earlier
   * line of the journal tells of.
   */
  void rememberFound() {
    remember(Present.of(hypervisor));
  }

  private void remember(Present present) {
    Map<String, GuestId> news = new LinkedHashMap<>(present.guests());
    news.keySet().removeAll(present.renamed(record));
    news.entrySet()
        .removeIf(
            guest ->
                Optional.ofNullable(record.guests().get(guest.getKey()))
                    .filter(known -> known.isSameLife(guest.getValue()))
                    .isPresent());
    if (!news.isEmpty()) {
      note(new JournalEvent.GuestsSeen(clock.instant(), news));
    }
    Map<String, SchedulerParameters> unknown = new LinkedHashMap<>();
    present
        .settings()
        .forEach(
            (name, setting) -> {
              if (record.foundFor(setting.parameters().scheduler(), name).isEmpty()) {
                unknown.put(name, setting.parameters());
              }
            });
    if (!unknown.isEmpty()) {
      note(new JournalEvent.SettingsFound(clock.instant(), unknown));
    }
  }

  /**
   * Makes the host run the profile: the domains it names get its parameters, every other domain
   * this run touched gets back what was found.
   *
   * @return what holds now, for every domain the experiment names
   * @throws TrialFault if a domain is not running, or what was read back is not what was asked
   */
  Map<String, SchedulerParameters> apply(Experiment experiment, SchedulerProfile profile) {
    Switched switched = switchTo(experiment, profile);
    if (!switched.mismatches().isEmpty()) {
      throw new TrialFault(String.join("; ", switched.mismatches()));
    }
    return switched.asked();
  }

  /**
   * Does the same where a mismatch is the caller's to judge.
   *
   * @throws TrialFault if a domain is not running
   */
  Switched switchTo(Experiment experiment, SchedulerProfile profile) {
    Present present = Present.of(hypervisor);
    remember(present);
    refuseRenamed(experiment, present);
    Map<String, Setting> now = present.settings();
    Map<String, SchedulerParameters> targets = new LinkedHashMap<>();
    Map<String, SchedulerParameters> wishes = experiment.settings(profile);
    for (String name : concerned(experiment)) {
      Optional<SchedulerParameters> wish = Optional.ofNullable(wishes.get(name));
      Setting current = now.get(name);
      if (current != null) {
        targets.put(name, wish.orElseGet(() -> found(name, current)));
      } else if (wish.isPresent()) {
        throw new TrialFault(
            "profile " + profile.name() + " sets " + name + ", which is not running");
      }
    }
    return Switched.of(targets, set(now, targets, this::note));
  }

  /**
   * What holds now for those domains; a reading that is how the toolstack shows what is expected
   * counts as that. A domain that is not running is absent.
   */
  Map<String, SchedulerParameters> readAgain(Map<String, SchedulerParameters> expected) {
    Map<String, SchedulerParameters> read = new LinkedHashMap<>();
    Map<String, Setting> now = new LinkedHashMap<>();
    hypervisor.settings().forEach(one -> now.putIfAbsent(one.domain().name(), one));
    expected.forEach(
        (domain, parameters) -> {
          if (now.containsKey(domain)) {
            SchedulerParameters shown = now.get(domain).parameters();
            read.put(domain, hypervisor.shows(parameters, shown) ? parameters : shown);
          }
        });
    return read;
  }

  /** Whether this run left any domain changed that was not put back since. */
  boolean leftChanged() {
    return !record.touched().isEmpty();
  }

  /**
   * Puts back everything this run touched; what cannot be put back is told, not thrown. A journal
   * that takes no more lines is told too and does not stop it: that these domains were changed, and
   * from what, is on disk already.
   */
  Restoration restore() {
    List<String> notices = new ArrayList<>();
    Present present = Present.of(hypervisor);
    Map<String, Setting> now = new LinkedHashMap<>();
    Map<String, SchedulerParameters> targets = new LinkedHashMap<>();
    Map<String, String> complaints = new LinkedHashMap<>();
    Map<String, String> gone = new LinkedHashMap<>();
    for (String name : record.touched()) {
      Optional<Setting> current = present.settingOf(name, record);
      if (current.isPresent()) {
        now.put(name, current.get());
        targets.put(name, found(name, current.get()));
      } else if (present.currentName(name, record).isPresent()) {
        complaints.put(name, "runs in a cpupool whose scheduler has no settings");
      } else {
        gone.put(name, present.gone(name, record));
      }
    }
    Map<String, SchedulerParameters> restored = new LinkedHashMap<>(targets);
    restoreInto(now, targets, complaints, notices);
    restored.keySet().removeAll(complaints.keySet());
    if (!gone.isEmpty()) {
      noteIfPossible(new JournalEvent.GuestsGone(clock.instant(), gone), notices);
    }
    if (!restored.isEmpty() || !complaints.isEmpty()) {
      noteIfPossible(new JournalEvent.Restored(clock.instant(), restored, complaints), notices);
    }
    return new Restoration(restored, complaints, gone, List.copyOf(notices));
  }

  /** All at once, and one by one if that fails, so that one bad domain does not spoil the rest. */
  private void restoreInto(
      Map<String, Setting> now,
      Map<String, SchedulerParameters> targets,
      Map<String, String> complaints,
      List<String> notices) {
    Consumer<JournalEvent> note = event -> noteIfPossible(event, notices);
    try {
      complain(now, set(now, targets, note), complaints);
    } catch (HypervisorException together) {
      targets.forEach(
          (name, parameters) -> {
            try {
              complain(now, set(now, Map.of(name, parameters), note), complaints);
            } catch (HypervisorException alone) {
              complaints.put(name, alone.getMessage());
            }
          });
    }
  }

  private static void complain(
      Map<String, Setting> now, List<Applied> applied, Map<String, String> complaints) {
    for (Applied one : applied) {
      if (!one.matches()) {
        now.forEach(
            (name, setting) -> {
              if (setting.domain().id() == one.domain().id()) {
                complaints.put(name, mismatch(one));
              }
            });
      }
    }
  }

  /**
   * What a domain had before this run. Where nothing was found under the scheduler it runs now, it
   * was rebooted or moved: what was set under the old one no longer exists, and what it has is its
   * own.
   */
  private SchedulerParameters found(String name, Setting current) {
    return record.foundFor(current.parameters().scheduler(), name).orElse(current.parameters());
  }

  /** Journals and sends what differs; everything sent is read back. */
  private List<Applied> set(
      Map<String, Setting> now,
      Map<String, SchedulerParameters> targets,
      Consumer<JournalEvent> note) {
    List<SettingDifference> differing =
        SettingDifference.between(Setting.byName(now.values()), targets, hypervisor::shows);
    differing.forEach(one -> refuseUnrestorable(one.domain(), now.get(one.domain())));
    List<Setting> changes = new ArrayList<>();
    for (SettingDifference one : differing) {
      Setting current = now.get(one.domain());
      note.accept(
          new JournalEvent.Applying(
              clock.instant(), one.domain(), current.parameters(), one.wanted()));
      changes.add(new Setting(current.domain(), one.wanted()));
    }
    return changes.isEmpty() ? List.of() : hypervisor.apply(changes);
  }

  /** What could not be given back is never taken. */
  private void refuseUnrestorable(String name, Setting current) {
    SchedulerParameters found = found(name, current);
    hypervisor
        .unrestorable(found)
        .ifPresent(
            reason -> {
              throw new HypervisorException(
                  "%s is left alone (found: %s): %s."
                      .formatted(name, ParametersText.of(found), reason),
                  "Set it to values that the listing shows, or leave it out of the experiment.");
            });
  }

  private void refuseRenamed(Experiment experiment, Present present) {
    for (String name : concerned(experiment)) {
      Optional<String> current = present.currentName(name, record);
      if (present.guests().containsKey(name)
          && current.filter(other -> !other.equals(name)).isPresent()) {
        throw new TrialFault(
            "%s is the name of another guest now; the one studied so far is called %s"
                .formatted(name, current.get()));
      }
    }
  }

  private static String mismatch(Applied applied) {
    return applied.domain().name()
        + ": asked "
        + ParametersText.of(applied.asked())
        + ", read "
        + ParametersText.of(applied.read());
  }

  private void note(JournalEvent event) {
    journal.append(event);
    record = record.with(event);
  }

  private void noteIfPossible(JournalEvent event, List<String> notices) {
    try {
      journal.appendFromReserve(event);
    } catch (SlicewiseException unwritten) {
      if (!notices.contains(unwritten.getMessage())) {
        notices.add(unwritten.getMessage());
      }
    }
    record = record.with(event);
  }

  private Set<String> concerned(Experiment experiment) {
    return Stream.concat(
            experiment.domains().values().stream().flatMap(List::stream), record.touched().stream())
        .sorted()
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the scheduler of a profile to which some domain cannot be switched while it runs. */
  static Optional<Scheduler> missingScheduler(
      Hypervisor hypervisor, Experiment experiment, SchedulerProfile profile, List<Setting> now) {
    return SettingDifference.between(Setting.byName(now), experiment.settings(profile)).stream()
        .filter(differing -> !differing.switchesLive(hypervisor::switchesLive))
        .findFirst()
        .flatMap(differing -> profile.scheduler());
  }

  /**
   * What was asked for, and where something else was read back.
   *
   * @param asked for every domain that the experiment names
   * @param differing what was read instead, by domain
   * @param mismatches the same in words
   */
  record Switched(
      Map<String, SchedulerParameters> asked,
      Map<String, SchedulerParameters> differing,
      List<String> mismatches) {
    static Switched of(Map<String, SchedulerParameters> asked, List<Applied> applied) {
      Map<String, SchedulerParameters> differing = new LinkedHashMap<>();
      List<String> mismatches = new ArrayList<>();
      for (Applied one : applied) {
        if (!one.matches()) {
          differing.put(one.domain().name(), one.read());
          mismatches.add(mismatch(one));
        }
      }
      return new Switched(asked, differing, mismatches);
    }
  }

  /**
   * What was put back, what could not be, which changed guests no longer run, and what else went
   * wrong, in sentences.
   */
  record Restoration(
      Map<String, SchedulerParameters> restored,
      Map<String, String> complaints,
      Map<String, String> gone,
      List<String> notices) {
    boolean complete() {
      return complaints.isEmpty();
    }
  }
}
