package io.slicewise.profile;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The schedulers allowed in files and journals. */
public record Schedulers(List<Scheduler> all) {
  /** All supported schedulers. */
  public static final Schedulers KNOWN =
      new Schedulers(
          List.of(
              Scheduler.CREDIT,
              Scheduler.CREDIT2,
              Scheduler.SEDF,
              Scheduler.RTDS,
              Scheduler.CFS,
              Scheduler.FAIR,
              Scheduler.ARINC653,
              Scheduler.NULL,
              Scheduler.CREDIT_POOL,
              Scheduler.CREDIT2_POOL,
              Scheduler.PLACEMENT,
              Scheduler.SPLIT,
              Scheduler.KERNEL,
              Scheduler.DISK));

  /** The order in which schedulers are listed: that of {@link #KNOWN}, then by name. */
  public static final Comparator<Scheduler> ORDER =
      Comparator.comparingInt(Schedulers::place).thenComparing(Scheduler::xenName);

  public Schedulers {
    all = List.copyOf(all);
  }

  private static int place(Scheduler scheduler) {
    int place = KNOWN.all.indexOf(scheduler);
    return place < 0 ? Integer.MAX_VALUE : place;
  }

  public Optional<Scheduler> named(String name) {
    return all.stream().filter(one -> one.xenName().equals(name)).findFirst();
  }

  /** Returns the scheduler whose pools have these parameters as a whole. */
  public Scheduler ofPools(Scheduler poolWide) {
    return all.stream()
        .filter(scheduler -> scheduler.pool().filter(poolWide::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }

  /** Returns the schedulers with parameters of domains, by name. */
  public Map<String, Scheduler> settable() {
    return named(scheduler -> !scheduler.parameters().isEmpty());
  }

  /** Returns the schedulers of Xen with parameters of domains, by name. */
  public Map<String, Scheduler> ofXen() {
    return named(
        scheduler -> scheduler.hypervisor().equals("Xen") && !scheduler.parameters().isEmpty());
  }

  /** Returns the schedulers that a profile can name: those, and null, which can have a cpupool. */
  public Map<String, Scheduler> ofProfiles() {
    return named(scheduler -> !scheduler.parameters().isEmpty() || scheduler == Scheduler.NULL);
  }

  private Map<String, Scheduler> named(Predicate<Scheduler> wanted) {
    Map<String, Scheduler> names = new LinkedHashMap<>();
    all.stream()
        .filter(scheduler -> scheduler.scope() == Scope.DOMAIN && wanted.test(scheduler))
        .forEach(scheduler -> names.put(scheduler.xenName(), scheduler));
    return names;
  }
}
