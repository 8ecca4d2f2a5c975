package io.slicewise.profile;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
              Scheduler.PLACEMENT));

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

  /** Returns the schedulers with parameters of domains, by name: those that a profile can name. */
  public Map<String, Scheduler> settable() {
    Map<String, Scheduler> names = new LinkedHashMap<>();
    all.stream()
        .filter(
            scheduler ->
                !(scheduler.parameters().isEmpty()
                    || scheduler.isPoolWide()
                    || scheduler.isPlace()))
        .forEach(scheduler -> names.put(scheduler.xenName(), scheduler));
    return names;
  }
}
