package io.slicewise.sweep.guard;

import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.DomainChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whose the values of one domain are: found by the run, set by it, or set by someone else since.
 *
 * @param name in the run's journal
 * @param current the values on the host
 * @param found before the run, under the current scheduler
 * @param change what the run changed
 * @param restarted whether the guest restarted since, with values of its own
 */
record SettingOwner(
    Hypervisor hypervisor,
    String name,
    SchedulerParameters current,
    Optional<SchedulerParameters> found,
    Optional<DomainChange> change,
    boolean restarted) {

  static SettingOwner of(
      Hypervisor hypervisor, Present present, RunRecord record, String name, Setting now) {
    Optional<DomainChange> change =
        Optional.ofNullable(record.changes().get(name))
            .or(() -> Optional.ofNullable(record.others().get(name)));
    boolean restarted =
        change.filter(DomainChange::restarted).isPresent() || present.restarted(name, record);
    SchedulerParameters current = now.parameters();
    return new SettingOwner(
        hypervisor, name, current, record.foundFor(current.scheduler(), name), change, restarted);
  }

  /** The settings before this run; those of now if its scheduler is a new one since. */
  SchedulerParameters original() {
    return found.orElse(current);
  }

  /**
   * Returns the settings with which what the run changed is restored; all other values are those of
   * now. If none were found for the domain's scheduler, it was rebooted or moved, and the settings
   * for the old one no longer exist.
   *
   * @param except keys of parameters that are not restored
   */
  SchedulerParameters restored(Set<String> except) {
    return found.isEmpty() || change.isEmpty()
        ? current
        : current.with(change.get().parametersExcept(except), found.get());
  }

  /**
   * Returns wanted settings with the values found of those parameters that they leave as found and
   * that the run changed, so that no profile measures what the one before it set.
   */
  SchedulerParameters completed(SchedulerParameters wanted) {
    if (found.isEmpty() || change.isEmpty() || wanted.scheduler() != current.scheduler()) {
      return wanted;
    }
    Set<String> left = new TreeSet<>(wanted.leftAsFound());
    left.retainAll(change.get().parameters());
    return left.isEmpty() ? wanted : wanted.with(left, found.get());
  }

  /**
   * Returns the keys of the parameters that someone else set: those that are neither as found, nor
   * as the run set them, nor as wanted anyway.
   */
  Set<String> foreign(SchedulerParameters wanted) {
    Set<String> foreign = new TreeSet<>();
    if (found.isEmpty() || restarted) {
      return foreign;
    }
    List<SchedulerParameters> known = new ArrayList<>(List.of(found.get(), wanted));
    known.removeIf(one -> one.scheduler() != current.scheduler());
    change.ifPresent(
        one ->
            one.possible().stream()
                .filter(values -> values.scheduler() == current.scheduler())
                .map(values -> found.get().with(one.parameters(), values))
                .forEach(known::add));
    if (known.stream().noneMatch(one -> hypervisor.shows(one, current))) {
      for (int vcpu = 0; vcpu < current.each().size(); vcpu++) {
        int number = vcpu;
        foreign.addAll(
            foreign(
                current.each().get(vcpu), known.stream().map(one -> ofVcpu(one, number)).toList()));
      }
    }
    return foreign;
  }

  private static SchedulerParameters ofVcpu(SchedulerParameters of, int vcpu) {
    return of.each().get(Math.min(vcpu, of.each().size() - 1));
  }

  /** A command with several values can be cut off, so each value is looked at. */
  private Set<String> foreign(SchedulerParameters read, List<SchedulerParameters> known) {
    Set<String> foreign = new TreeSet<>();
    if (known.stream().noneMatch(one -> hypervisor.shows(one, read))) {
      boolean whole = read.scheduler().share().isPresent();
      for (Parameter<?> parameter : read.scheduler().parameters()) {
        if (whole || !isKnown(parameter, known, read)) {
          foreign.add(parameter.key());
        }
      }
    }
    return foreign;
  }

  private <T> boolean isKnown(
      Parameter<T> parameter, List<SchedulerParameters> known, SchedulerParameters read) {
    List<T> values = known.stream().map(one -> one.get(parameter)).toList();
    return parameter.kind().isAsFound(read.get(parameter)) // not read: nobody's value
        || parameter.kind().isOnTheWay(read.get(parameter), values)
        || known.stream().anyMatch(one -> shows(parameter, one, read));
  }

  private <T> boolean shows(
      Parameter<T> parameter, SchedulerParameters known, SchedulerParameters read) {
    return hypervisor.shows(read.with(parameter, known.get(parameter)), read);
  }

  /** Returns whose value the current one is, as a sentence without an end. */
  String sentence() {
    return "%s has %s, set by someone else: found was %s%s"
        .formatted(
            name,
            ParametersText.of(current),
            ParametersText.of(original()),
            change
                .map(one -> ", and this run set " + ParametersText.of(one.to()))
                .orElse(", and this run had not changed it"));
  }
}
