package io.slicewise.profile;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The description of what can be set together on something on a host (its {@link Scope}): a CPU
 * scheduler's name and its parameters. All code that reads, checks, writes, prints or compares
 * settings uses it. One instance each.
 */
public final class Scheduler {
  public static final Scheduler CREDIT_POOL = PoolWide.ofCredit();
  public static final Scheduler CREDIT2_POOL = PoolWide.ofCredit2();
  public static final Scheduler CREDIT = Credit.description().withPool(CREDIT_POOL);
  public static final Scheduler CREDIT2 = Credit2.description().withPool(CREDIT2_POOL);
  public static final Scheduler SEDF = Sedf.description();
  public static final Scheduler RTDS = Rtds.description();
  public static final Scheduler CFS = Cfs.description();
  public static final Scheduler FAIR = Fair.description();
  public static final Scheduler ARINC653 = named("arinc653", "Xen").with();
  public static final Scheduler NULL = named("null", "Xen").with();
  public static final Scheduler PLACEMENT = Placement.description();
  public static final Scheduler SPLIT = Split.description();
  public static final Scheduler KERNEL = Kernel.ofHost();
  public static final Scheduler DISK = Kernel.ofDisks();

  private final String name;
  private final String hypervisor;
  private final List<Parameter<?>> parameters;
  private final Optional<Parameter<Integer>> cap;
  private final Optional<TimeShare> share;
  private final List<TimeLimit> limits;
  private final Reach reach;

  /**
   * What the parameters are of.
   *
   * @param of whose they are
   * @param pool the parameters of a pool that runs this scheduler; empty if it has none
   * @param together whether all of them change whenever one does
   */
  private record Reach(Scope of, Optional<Scheduler> pool, boolean together) {
    static final Reach DOMAIN = new Reach(Scope.DOMAIN, Optional.empty(), false);
  }

  private Scheduler(
      String name,
      String hypervisor,
      List<Parameter<?>> parameters,
      Optional<Parameter<Integer>> cap,
      Optional<TimeShare> share,
      List<TimeLimit> limits,
      Reach reach) {
    this.name = name;
    this.hypervisor = hypervisor;
    this.parameters = List.copyOf(parameters);
    this.cap = cap;
    this.share = share;
    this.limits = List.copyOf(limits);
    this.reach = reach;
  }

  /** Returns a scheduler without parameters, to be completed. */
  static Scheduler named(String name, String hypervisor) {
    return new Scheduler(
        name, hypervisor, List.of(), Optional.empty(), Optional.empty(), List.of(), Reach.DOMAIN);
  }

  /** Returns a copy with these parameters, in the order in which they are written. */
  Scheduler with(Parameter<?>... described) {
    return new Scheduler(name, hypervisor, List.of(described), cap, share, limits, reach);
  }

  /**
   * Returns a copy with a parameter that limits a domain, in percent of one pCPU; 0 is no limit.
   */
  Scheduler cappedBy(Parameter<Integer> percent) {
    return new Scheduler(name, hypervisor, parameters, Optional.of(percent), share, limits, reach);
  }

  /** Returns a copy that allots time in each period. */
  Scheduler sharing(TimeShare time) {
    return new Scheduler(name, hypervisor, parameters, cap, Optional.of(time), limits, reach);
  }

  /** Returns a copy with quotas. */
  Scheduler limitedBy(List<TimeLimit> quotas) {
    return new Scheduler(name, hypervisor, parameters, cap, share, quotas, reach);
  }

  /** Returns a copy whose parameters are set on something else than a domain. */
  Scheduler of(Scope scope) {
    return with(new Reach(scope, Optional.empty(), reach.together()));
  }

  /** Returns a copy whose pools have these parameters as a whole. */
  Scheduler withPool(Scheduler pool) {
    return with(new Reach(reach.of(), Optional.of(pool), reach.together()));
  }

  /** Returns a copy whose parameters all change when one does. */
  Scheduler changedTogether() {
    return with(new Reach(reach.of(), reach.pool(), true));
  }

  private Scheduler with(Reach other) {
    return new Scheduler(name, hypervisor, parameters, cap, share, limits, other);
  }

  /** Returns the name in JSON; a scheduler alone is written in capitals. */
  @JsonValue
  String json() {
    return name.toUpperCase(Locale.ROOT);
  }

  /** Returns the scheduler with that name in JSON. */
  @JsonCreator
  static Scheduler ofJson(String text) {
    return ofXenName(text.toLowerCase(Locale.ROOT))
        .orElseThrow(
            () -> new IllegalArgumentException("'%s' is not a known scheduler".formatted(text)));
  }

  /** Returns the hypervisor's name for it: {@code credit}, {@code credit2}, {@code sedf}, … */
  public String xenName() {
    return name;
  }

  /** Returns the name of the product that has it. */
  public String hypervisor() {
    return hypervisor;
  }

  /** Returns all parameters, in the order in which they are written. */
  public List<Parameter<?>> parameters() {
    return parameters;
  }

  /** Returns the keys allowed in a file: parameter names, and those of quotas in percent. */
  public List<String> keys() {
    List<String> keys = new ArrayList<>(parameters.stream().<String>map(Parameter::key).toList());
    limits.forEach(limit -> limit.percent().ifPresent(keys::add));
    return keys;
  }

  Optional<Parameter<Integer>> cap() {
    return cap;
  }

  /** Returns the time that it allots in each period, if it works that way. */
  public Optional<TimeShare> share() {
    return share;
  }

  /** Its quotas. */
  public List<TimeLimit> limits() {
    return limits;
  }

  /** Returns what the parameters are set on. */
  public Scope scope() {
    return reach.of();
  }

  /** Returns whether all parameters change when one does: values are computed from others. */
  boolean changesTogether() {
    return reach.together() || share.isPresent();
  }

  /** Returns the parameters that a pool with this scheduler has as a whole; empty if none. */
  public Optional<Scheduler> pool() {
    return reach.pool();
  }

  /** Returns the two parameters that a grid of profiles crosses; fewer if it has fewer. */
  public List<Parameter<?>> axes() {
    if (share.isPresent()) {
      return List.of(share.get().whole(), share.get().part());
    }
    List<Parameter<?>> axes = new ArrayList<>(parameters);
    axes.removeIf(parameter -> parameter.inert() || parameter.kind().type() == Boolean.class);
    return List.copyOf(axes.subList(0, Math.min(2, axes.size())));
  }

  /** Returns the scheduler of that name, or empty if Slicewise does not support it. */
  public static Optional<Scheduler> ofXenName(String name) {
    return Schedulers.KNOWN.named(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
