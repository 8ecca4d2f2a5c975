package io.slicewise.sweep.guard;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Applied;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Undo;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
import io.slicewise.profile.SettingDifference;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialFault;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The only class that changes a host. Its rules: the settings found are on disk before the first
 * change, every change is on disk before it is sent, every change is read back, and the first
 * settings found are the ones restored.
 */
public final class SettingsGuard {
  private final Hypervisor hypervisor;
  private final Journal journal;
  private final Clock clock;
  private final Optional<DeadMan> deadMan;
  private RunRecord record;
  private Optional<HostState> start = Optional.empty();

  /** What the last switch saw, with what it set. */
  private Optional<Present> left = Optional.empty();

  /**
   * @param deadMan restores the host if this process no longer can; ready before every change
   */
  public SettingsGuard(
      Hypervisor hypervisor,
      Journal journal,
      RunRecord record,
      Clock clock,
      Optional<DeadMan> deadMan) {
    this.hypervisor = hypervisor;
    this.journal = journal;
    this.record = record;
    this.clock = clock;
    this.deadMan = deadMan;
  }

  /**
   * Journals the running guests if they are new, and the settings of every guest that is not yet in
   * the journal.
   */
  public void rememberFound() {
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
              if (record.foundFor(setting.parameters().scheduler(), name).isEmpty()
                  && !present.wasMoved(name, record)) {
                unknown.put(name, setting.parameters());
              }
            });
    if (!unknown.isEmpty()) {
      note(new JournalEvent.SettingsFound(clock.instant(), unknown));
    }
  }

  /**
   * Applies the profile to the host: the domains that it names get its parameters, and other
   * domains changed by this run get back their original settings.
   *
   * @return the current settings of every domain in the experiment
   * @throws TrialFault if a domain is not running, or the settings read back differ from the
   *     requested ones
   */
  public Map<String, SchedulerParameters> apply(Experiment experiment, SchedulerProfile profile) {
    Switched switched = switchTo(experiment, profile);
    if (!switched.mismatches().isEmpty()) {
      throw new TrialFault(String.join("; ", switched.mismatches()));
    }
    return switched.asked();
  }

  /**
   * Applies the profile; the caller judges a mismatch.
   *
   * @throws TrialFault if a domain is not running
   * @throws SlicewiseException with {@code CHANGED_BY_OTHERS} if a value is neither as found nor as
   *     this run set it
   */
  public Switched switchTo(Experiment experiment, SchedulerProfile profile) {
    left = Optional.empty();
    collectSwitches();
    Present present = seen(experiment);
    Switched moved = switchTo(experiment, profile, present, Scope.SPLIT::has);
    if (!moved.changed().isEmpty()) {
      if (!moved.mismatches().isEmpty()) {
        return moved;
      }
      present = seen(experiment);
    }
    Switched all =
        moved.and(switchTo(experiment, profile, present, name -> !Scope.SPLIT.has(name)));
    left = Optional.of(present.with(all));
    return all;
  }

  /**
   * Applies the profile as {@link #switchTo} does, in fewer steps: what the last switch left is not
   * listed again, only compared before it is changed. Where it differs, the host is read anew.
   */
  public Switched switchBack(Experiment experiment, SchedulerProfile profile) {
    Optional<Present> expected = left.filter(present -> !present.isSplit());
    left = Optional.empty();
    if (expected.isPresent()) {
      try {
        Switched back = switchTo(experiment, profile, expected.get(), name -> true);
        if (back.mismatches().isEmpty()) {
          return back;
        }
      } catch (HypervisorException | SlicewiseException | TrialFault otherwise) {
        left = Optional.empty(); // the whole way below says what it is
      }
    }
    return switchTo(experiment, profile);
  }

  private Present seen(Experiment experiment) {
    Present present = Present.of(hypervisor);
    remember(present);
    refuseRenamed(experiment, present);
    return present;
  }

  /**
   * Sets a part of the targets. What moves guests comes first: it takes their other settings, which
   * are then set anew.
   */
  private Switched switchTo(
      Experiment experiment, SchedulerProfile profile, Present present, Predicate<String> part) {
    Map<String, Setting> now = present.settings();
    Map<String, SchedulerParameters> targets = new LinkedHashMap<>();
    Map<String, SchedulerParameters> wishes = experiment.settings(profile);
    for (String name : concerned(experiment)) {
      if (!part.test(name)) {
        continue;
      }
      Optional<SchedulerParameters> wish = Optional.ofNullable(wishes.get(name));
      Setting current = now.get(name);
      if (current != null) {
        SettingOwner owner = owner(present, name, current);
        Optional<SchedulerParameters> whole = wish.map(owner::completed);
        refuseForeign(owner, whole.orElseGet(owner::original));
        boolean elsewhere = wish.isEmpty() && Scope.PLACE.has(name) && moves(profile, name);
        targets.put(
            name,
            elsewhere ? current.parameters() : whole.orElseGet(() -> owner.restored(Set.of())));
      } else if (wish.isPresent()) {
        throw new TrialFault(
            "profile %s sets %s, which %s"
                .formatted(profile.name(), name, hypervisor.whyMissing(name)));
      }
    }
    if (deadMan.filter(DeadMan::isWanted).isPresent()) {
      List<Undo> undos =
          new Undos(hypervisor, record).of(now, targets, name -> planned(experiment, name));
      deadMan.get().beReady(undos, this::note, record);
    }
    return Switched.of(targets, set(now, targets, this::note, false));
  }

  /** The affinity found is of the cpupool found: a guest that is moved has none of it. */
  private static boolean moves(SchedulerProfile profile, String target) {
    return profile.moved().contains(Scope.name(target));
  }

  private List<SchedulerParameters> planned(Experiment experiment, String name) {
    return record.extended(experiment).profiles().stream()
        .flatMap(profile -> Optional.ofNullable(experiment.settings(profile).get(name)).stream())
        .distinct()
        .toList();
  }

  private SettingOwner owner(Present present, String name, Setting current) {
    return SettingOwner.of(hypervisor, present, record, name, current);
  }

  private static void refuseForeign(SettingOwner owner, SchedulerParameters wanted) {
    if (!owner.foreign(wanted).isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.CHANGED_BY_OTHERS,
          owner.sentence() + "; it is left as it is",
          "agree with whoever set it; 'slicewise restore --force' of this run overwrites it, and a"
              + " new run takes it as found");
    }
  }

  /** Compares later trials with the places in the journal of the run, which another process saw. */
  public void takePlaces(List<JournalEvent> events) {
    start =
        JournalEvent.of(events, JournalEvent.PlacesSeen.class)
            .reduce((earlier, later) -> later)
            .map(JournalEvent.PlacesSeen::state);
  }

  /**
   * Returns a state of the host with guests and pools as they were when the run began its first
   * trial, so that a guest moved since then is noticed in every later trial. A rebooted host begins
   * anew.
   */
  public HostState sinceStart(HostState now) {
    Optional<HostState> known = start.filter(one -> !one.rebooted(now));
    if (known.isEmpty()) {
      start = Optional.of(now);
      note(new JournalEvent.PlacesSeen(clock.instant(), now));
    }
    return now.placedAs(known.orElse(now));
  }

  /** Arms a new switch for what an earlier process left changed before it ends the old ones. */
  public void takeOverSwitches(Experiment experiment) {
    deadMan.ifPresent(
        one -> one.takeOver(hypervisor, concerned(experiment), this::note, () -> record));
  }

  /** Journals what switches of this run did that have acted; the others go on to wait. */
  public void collectSwitches() {
    deadMan.ifPresent(one -> one.collect(this::note, record));
  }

  /** Ends every switch of this run, and journals what those did that have acted. */
  public void endSwitches() {
    deadMan.ifPresent(one -> one.end(event -> noteIfPossible(event, new ArrayList<>()), record));
  }

  /**
   * Returns the current settings of domains; a reading that is the toolstack's presentation of the
   * expected value counts as that value. A domain that is not running is absent.
   */
  public Map<String, SchedulerParameters> readAgain(Map<String, SchedulerParameters> expected) {
    Map<String, SchedulerParameters> read = new LinkedHashMap<>();
    Map<String, Setting> now = new LinkedHashMap<>();
    hypervisor.settings().forEach(one -> now.putIfAbsent(one.target().name(), one));
    expected.forEach(
        (domain, parameters) -> {
          if (now.containsKey(domain)) {
            SchedulerParameters shown = now.get(domain).parameters();
            read.put(domain, hypervisor.shows(parameters, shown) ? parameters : shown);
          }
        });
    return read;
  }

  /** Returns the settings that this run found and has not restored. */
  public Map<String, SchedulerParameters> notRestored() {
    Map<String, SchedulerParameters> found = new LinkedHashMap<>();
    record
        .changes()
        .forEach(
            (name, change) ->
                record
                    .originalOf(change.to().scheduler(), name)
                    .ifPresent(parameters -> found.put(name, parameters)));
    return found;
  }

  /** Whether any domain is still changed by this run. */
  public boolean leftChanged() {
    return !record.touched().isEmpty();
  }

  /**
   * Restores everything this run changed, except for values that someone else changed since;
   * failures are reported, not thrown. A journal that cannot be written is also reported and does
   * not stop the restore: the changes and original settings are already on disk.
   *
   * @param force restore these values as well, also those left by an earlier restore
   */
  public Restoration restore(boolean force) {
    try {
      return restoreAll(force);
    } catch (SlicewiseException meanwhile) {
      if (meanwhile.errorKind() != ErrorKind.CHANGED_BY_OTHERS) {
        throw meanwhile;
      }
      return restoreAll(force);
    }
  }

  private Restoration restoreAll(boolean force) {
    Restoration moved = restorePart(force, Scope.SPLIT::has);
    return moved.and(restorePart(force, name -> !Scope.SPLIT.has(name)));
  }

  /** Restores a part of the targets; what moved guests comes first, as when it was set. */
  private Restoration restorePart(boolean force, Predicate<String> part) {
    List<String> notices = new ArrayList<>();
    Set<String> names = new TreeSet<>(record.touched());
    names.addAll(force ? record.others().keySet() : Set.of());
    names.removeIf(part.negate());
    if (names.isEmpty()) {
      return new Restoration(Map.of(), Map.of(), Map.of(), Map.of(), List.of());
    }
    Present present = Present.of(hypervisor);
    Map<String, Setting> now = new LinkedHashMap<>();
    Map<String, SchedulerParameters> targets = new LinkedHashMap<>();
    Map<String, String> complaints = new LinkedHashMap<>();
    Map<String, String> gone = new LinkedHashMap<>();
    Map<String, String> foreign = new LinkedHashMap<>();
    for (String name : names) {
      Optional<Setting> current = present.settingOf(name, record);
      if (current.isPresent()) {
        SettingOwner owner = owner(present, name, current.get());
        Set<String> left = force ? Set.of() : owner.foreign(owner.restored(Set.of()));
        now.put(name, current.get());
        targets.put(name, owner.restored(left));
        if (!left.isEmpty()) {
          foreign.put(name, owner.sentence());
        }
      } else if (present.currentName(name, record).isPresent()) {
        complaints.put(name, hypervisor.whyWithoutSettings(name));
      } else {
        hypervisor
            .keptFor(record.guests().get(name))
            .ifPresentOrElse(
                reason -> complaints.put(name, reason),
                () -> gone.put(name, present.gone(name, record)));
      }
    }
    Map<String, SchedulerParameters> restored = new LinkedHashMap<>(targets);
    restoreInto(now, targets, complaints, notices, force);
    restored.keySet().removeAll(complaints.keySet());
    restored.keySet().removeAll(foreign.keySet());
    foreign.keySet().removeAll(complaints.keySet());
    if (!gone.isEmpty()) {
      noteIfPossible(new JournalEvent.GuestsGone(clock.instant(), gone), notices);
    }
    if (!restored.isEmpty() || !complaints.isEmpty()) {
      noteIfPossible(new JournalEvent.Restored(clock.instant(), restored, complaints), notices);
    }
    if (!foreign.isEmpty()) {
      noteIfPossible(new JournalEvent.LeftToOthers(clock.instant(), foreign), notices);
    }
    return new Restoration(restored, complaints, gone, foreign, List.copyOf(notices));
  }

  /**
   * Restores all domains at once, or one by one if that fails, so that one failing domain does not
   * affect the others.
   */
  private void restoreInto(
      Map<String, Setting> now,
      Map<String, SchedulerParameters> targets,
      Map<String, String> complaints,
      List<String> notices,
      boolean force) {
    Consumer<JournalEvent> note = event -> noteIfPossible(event, notices);
    try {
      complain(now, set(now, targets, note, force), complaints);
    } catch (HypervisorException together) {
      targets.forEach(
          (name, parameters) -> {
            try {
              complain(now, set(now, Map.of(name, parameters), note, force), complaints);
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
              if (setting.target().isSame(one.target())) {
                complaints.put(name, mismatch(one));
              }
            });
      }
    }
  }

  /**
   * Journals and sends the differences; everything sent is read back.
   *
   * @param force also if the targets no longer have their present settings by then
   */
  private List<Applied> set(
      Map<String, Setting> now,
      Map<String, SchedulerParameters> targets,
      Consumer<JournalEvent> note,
      boolean force) {
    List<SettingDifference> differing =
        SettingDifference.between(Setting.byName(now.values()), targets, hypervisor::shows);
    differing.forEach(one -> refuseUnrestorable(one.domain(), now.get(one.domain())));
    List<Setting> changes = new ArrayList<>();
    for (SettingDifference one : differing) {
      Setting current = now.get(one.domain());
      note.accept(
          new JournalEvent.Applying(
              clock.instant(), one.domain(), current.parameters(), one.wanted()));
      changes.add(new Setting(current.target(), one.wanted()));
    }
    Map<String, SchedulerParameters> expected = force ? Map.of() : Setting.byName(now.values());
    List<Applied> applied = changes.isEmpty() ? List.of() : hypervisor.apply(changes, expected);
    noteReadings(now, applied, note);
    return applied;
  }

  /** Journals what the host shows instead, which is therefore no value of someone else. */
  private void noteReadings(
      Map<String, Setting> now, List<Applied> applied, Consumer<JournalEvent> note) {
    for (Applied one : applied) {
      now.forEach(
          (name, setting) -> {
            if (!one.matches() && setting.target().isSame(one.target())) {
              note.accept(new JournalEvent.ShownOtherwise(clock.instant(), name, one.read()));
            }
          });
    }
  }

  /** Rejects settings that could not be restored. */
  private void refuseUnrestorable(String name, Setting current) {
    SchedulerParameters found =
        record.foundFor(current.parameters().scheduler(), name).orElse(current.parameters());
    hypervisor
        .unrestorable(found)
        .ifPresent(
            reason -> {
              throw new HypervisorException(
                  "%s is not changed (found: %s): %s."
                      .formatted(name, ParametersText.of(found), reason),
                  "Set it to values that the listing shows, or remove it from the experiment.");
            });
  }

  private void refuseRenamed(Experiment experiment, Present present) {
    for (String name : concerned(experiment)) {
      Optional<String> current = present.currentName(name, record);
      if (present.guests().containsKey(name)
          && current.filter(other -> !other.equals(name)).isPresent()) {
        throw new TrialFault(
            "%s is now the name of another guest; the studied guest is now called %s"
                .formatted(name, current.get()));
      }
    }
  }

  private static String mismatch(Applied applied) {
    return applied.target().name()
        + ": asked "
        + ParametersText.of(applied.asked())
        + ", read "
        + ParametersText.of(applied.read());
  }

  /** Takes in an event that is in the journal: planned profiles, which one switch can cover. */
  public void learn(JournalEvent event) {
    record = record.with(event);
  }

  private void note(JournalEvent event) {
    journal.append(event);
    learn(event);
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
    Set<String> concerned = new TreeSet<>(experiment.targets());
    concerned.addAll(record.touched());
    concerned.addAll(record.others().keySet());
    return concerned;
  }

  /** Returns the scheduler of a profile to which some domain cannot be switched while it runs. */
  public static Optional<Scheduler> missingScheduler(
      Hypervisor hypervisor, Experiment experiment, SchedulerProfile profile, List<Setting> now) {
    return SettingDifference.between(Setting.byName(now), experiment.settings(profile)).stream()
        .filter(differing -> !profile.moved().contains(differing.domain()))
        .filter(differing -> !differing.switchesLive(hypervisor::switchesLive))
        .findFirst()
        .flatMap(differing -> profile.scheduler());
  }

  /**
   * The requested settings, and the domains with different readings.
   *
   * @param asked for every domain in the experiment
   * @param differing the actual readings, by domain
   * @param mismatches descriptions of the differences
   * @param changed the domains that had other settings before
   */
  public record Switched(
      Map<String, SchedulerParameters> asked,
      Map<String, SchedulerParameters> differing,
      List<String> mismatches,
      List<String> changed) {
    /** Returns both parts of a switch together. */
    Switched and(Switched other) {
      return new Switched(
          Restoration.joined(asked, other.asked),
          Restoration.joined(differing, other.differing),
          Stream.concat(mismatches.stream(), other.mismatches.stream()).toList(),
          Stream.concat(changed.stream(), other.changed.stream()).toList());
    }

    public static Switched of(Map<String, SchedulerParameters> asked, List<Applied> applied) {
      Map<String, SchedulerParameters> differing = new LinkedHashMap<>();
      List<String> mismatches = new ArrayList<>();
      for (Applied one : applied) {
        if (!one.matches()) {
          differing.put(one.target().name(), one.read());
          mismatches.add(mismatch(one));
        }
      }
      return new Switched(
          asked, differing, mismatches, applied.stream().map(one -> one.target().name()).toList());
    }
  }

  /**
   * The result of a restore: restored settings, failures, changed guests that no longer run, values
   * that others set since and that are left, and other problems.
   */
  public record Restoration(
      Map<String, SchedulerParameters> restored,
      Map<String, String> complaints,
      Map<String, String> gone,
      Map<String, String> foreign,
      List<String> notices) {
    public boolean complete() {
      return complaints.isEmpty();
    }

    /** Returns both parts of a restore together. */
    private Restoration and(Restoration later) {
      return new Restoration(
          joined(restored, later.restored),
          joined(complaints, later.complaints),
          joined(gone, later.gone),
          joined(foreign, later.foreign),
          Stream.concat(notices.stream(), later.notices.stream()).toList());
    }

    private static <T> Map<String, T> joined(Map<String, T> one, Map<String, T> other) {
      Map<String, T> all = new LinkedHashMap<>(one);
      all.putAll(other);
      return all;
    }
  }
}
