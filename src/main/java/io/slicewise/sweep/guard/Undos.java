package io.slicewise.sweep.guard;

import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Change;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.profile.SettingDifference;
import io.slicewise.profile.Split;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.DomainChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How a host can undo changes by itself. Every method throws {@link HypervisorException} if it
 * cannot.
 *
 * @param record with the settings to restore
 */
record Undos(Hypervisor hypervisor, RunRecord record) {
  /**
   * Returns the undo of each difference between current and wanted settings, and of what the run
   * changed before: the switch that covered it may be gone.
   *
   * @param planned every setting that the run may give a domain, by its name
   */
  List<Undo> of(
      Map<String, Setting> now,
      Map<String, SchedulerParameters> wanted,
      Function<String, List<SchedulerParameters>> planned) {
    Map<String, SchedulerParameters> changing = new TreeMap<>(wanted);
    changing.keySet().retainAll(record.changes().keySet());
    SettingDifference.between(Setting.byName(now.values()), wanted, hypervisor::shows)
        .forEach(differing -> changing.put(differing.domain(), differing.wanted()));
    Set<String> lost = new TreeSet<>();
    changing.forEach(
        (name, wish) -> {
          if (Scope.SPLIT.has(name)) {
            Split.moved(now.get(name).parameters(), wish).stream()
                .flatMap(guest -> Stream.of(guest, Scope.PLACE.target(guest)))
                .filter(now::containsKey)
                .forEach(lost::add);
          }
        });
    lost.forEach(name -> changing.putIfAbsent(name, now.get(name).parameters()));
    List<Undo> undos = new ArrayList<>();
    changing.forEach(
        (domain, wish) -> {
          Setting current = now.get(domain);
          SchedulerParameters found = found(domain, current);
          Set<String> parameters = new TreeSet<>(wish.changedFrom(current.parameters()));
          if (lost.contains(domain)) {
            parameters.addAll(Change.ofAll(found).parameters());
          }
          List<SchedulerParameters> possible = new ArrayList<>(planned.apply(domain));
          possible.addAll(List.of(wish, current.parameters()));
          possible.addAll(lost.contains(domain) ? afterMove(found) : List.of());
          changed(domain).ifPresent(change -> parameters.addAll(change.parameters()));
          undos.add(of(current, new Change(found, parameters, possible)));
        });
    return undos;
  }

  /** Returns the undo of what an earlier process left changed. */
  List<Undo> ofTouched() {
    List<Undo> undos = new ArrayList<>();
    if (!record.touched().isEmpty()) {
      Present present = Present.of(hypervisor);
      record
          .changes()
          .forEach(
              (name, change) ->
                  present
                      .settingOf(name, record)
                      .ifPresent(
                          current ->
                              undos.add(
                                  of(
                                      current,
                                      new Change(
                                          found(name, current),
                                          change.parameters(),
                                          possible(name, change))))));
    }
    return undos;
  }

  private List<SchedulerParameters> possible(String name, DomainChange change) {
    List<SchedulerParameters> possible = new ArrayList<>(change.possible());
    if (record.changes().keySet().stream().anyMatch(Scope.SPLIT::has)) {
      possible.addAll(
          afterMove(record.originalOf(change.to().scheduler(), name).orElse(change.to())));
    }
    return possible;
  }

  private Optional<DomainChange> changed(String name) {
    return Optional.ofNullable(record.changes().get(name));
  }

  private SchedulerParameters found(String name, Setting current) {
    SchedulerParameters now = current.parameters();
    return record.originalOf(now.scheduler(), name).orElse(now);
  }

  /** Returns what a guest has after it was moved back; nobody else set that. */
  private static List<SchedulerParameters> afterMove(SchedulerParameters found) {
    return switch (found.scheduler().scope()) {
      case DOMAIN -> List.of(SchedulerParameters.defaults(found.scheduler()));
      case PLACE -> List.of(Placement.of(List.of(Pinning.ALL), List.of(Pinning.ALL)));
      default -> List.of();
    };
  }

  /** Checks that each of these domains could be restored, if it runs. */
  void check(Set<String> names) {
    for (Setting one : hypervisor.settings()) {
      if (names.contains(one.target().name())
          && hypervisor.unrestorable(one.parameters()).isEmpty()) {
        of(one, Change.ofAll(one.parameters()));
      }
    }
  }

  private Undo of(Setting current, Change change) {
    return hypervisor
        .undo(current.target(), change)
        .orElseThrow(
            () ->
                new HypervisorException(
                    "A dead man's switch cannot restore %s of %s on this host."
                        .formatted(ParametersText.of(change.found()), current.target().name()),
                    "It can with xl under credit, credit2 and RTDS, and with virsh; otherwise"
                        + " remove dead-man below host:."));
  }
}
