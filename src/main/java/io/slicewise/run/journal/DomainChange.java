package io.slicewise.run.journal;

import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a run changed of a domain and has not restored.
 *
 * @param parameters keys of all parameters that it changed
 * @param from the values before its last change
 * @param to the values of its last change
 * @param read what the host showed after it, if that was something else
 * @param restarted whether the guest restarted since, with values of its own
 */
public record DomainChange(
    Set<String> parameters,
    SchedulerParameters from,
    SchedulerParameters to,
    Optional<SchedulerParameters> read,
    boolean restarted) {
  public DomainChange {
    parameters = Set.copyOf(parameters);
  }

  public static DomainChange of(JournalEvent.Applying applying) {
    return new DomainChange(
        applying.to().changedFrom(applying.from()),
        applying.from(),
        applying.to(),
        Optional.empty(),
        false);
  }

  /** A domain that was not restored to these settings by a run whose changes are unknown. */
  public static DomainChange unknown(SchedulerParameters found) {
    Set<String> all = new TreeSet<>();
    found.scheduler().parameters().forEach(one -> all.add(one.key()));
    return new DomainChange(all, found, found, Optional.empty(), true);
  }

  /** Returns this change and a later one together. */
  public DomainChange and(DomainChange later) {
    if (to.scheduler() != later.to.scheduler()) {
      return later;
    }
    Set<String> both = new TreeSet<>(parameters);
    both.addAll(later.parameters);
    return new DomainChange(
        both, ours(later.from, later), ours(later.to, later), later.read, later.restarted);
  }

  /**
   * Returns the values of a later change without those that someone else set: what it leaves as it
   * was, and this change did not set, is nobody's of this run.
   */
  private SchedulerParameters ours(SchedulerParameters values, DomainChange later) {
    Set<String> foreign = parametersExcept(later.parameters);
    foreign.removeIf(
        key -> possible().stream().anyMatch(one -> values.with(Set.of(key), one).equals(values)));
    return values.with(foreign, to);
  }

  public DomainChange showing(SchedulerParameters shown) {
    return new DomainChange(parameters, from, to, Optional.of(shown), restarted);
  }

  public DomainChange afterRestart() {
    return new DomainChange(parameters, from, to, read, true);
  }

  /** Returns whether the run changed parameters other than these, by key. */
  public Set<String> parametersExcept(Set<String> others) {
    Set<String> left = new TreeSet<>(parameters);
    left.removeAll(others);
    return left;
  }

  /** Returns the values that the run may have left: before, after, and what the host made of it. */
  public List<SchedulerParameters> possible() {
    return read.map(shown -> List.of(from, to, shown)).orElse(List.of(from, to));
  }
}
