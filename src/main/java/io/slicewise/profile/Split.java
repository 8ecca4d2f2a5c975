package io.slicewise.profile;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A cpupool that Slicewise makes beside one of the host's, with pCPUs and guests of that one and a
 * scheduler of its own. As found there is none: every parameter but {@link #PCPUS} is empty.
 */
public final class Split {
  /** The name of the cpupool that is made. */
  public static final String POOL = "slicewise";

  /** The scheduler of the cpupool that is made; profiles write it once, for everything. */
  public static final Parameter<String> SCHEDULER =
      Parameter.absolute(
          "under", new Names(true), "", "The scheduler of the new cpupool: the profile's.");

  /** The pCPUs of the cpupool that is made. */
  public static final Parameter<String> CPUS =
      Parameter.absolute(
          "cpus", new Cpus("none"), "", "The pCPUs that the new cpupool gets, as in \"2-3\".");

  /** The guests in the cpupool that is made. */
  public static final Parameter<String> DOMAINS =
      Parameter.absolute(
          "domains", new Names(false), "", "The guests that are moved into the new cpupool.");

  /** The pCPUs of both cpupools together. */
  public static final Parameter<String> PCPUS =
      Parameter.absolute(
          "pcpus",
          new Cpus("as-found"),
          "",
          "The pCPUs of both cpupools together; as-found does not change them.");

  private static final String BETWEEN = "\n";

  private Split() {}

  static Scheduler description() {
    return Scheduler.named("split", "Xen")
        .with(SCHEDULER, CPUS, DOMAINS, PCPUS)
        .of(Scope.SPLIT)
        .changedTogether();
  }

  /**
   * Returns a split as read.
   *
   * @param scheduler of the new cpupool; empty if there is none
   * @param pcpus of both together
   */
  public static SchedulerParameters of(
      String scheduler, BitSet cpus, Collection<String> domains, BitSet pcpus) {
    return SchedulerParameters.defaults(Scheduler.SPLIT)
        .with(SCHEDULER, scheduler)
        .with(CPUS, Pinning.ranges(cpus))
        .with(DOMAINS, Names.of(domains))
        .with(PCPUS, Pinning.ranges(pcpus));
  }

  /** Returns the pCPUs in the value of a parameter; none if it is empty. */
  public static BitSet cpus(SchedulerParameters split, Parameter<String> parameter) {
    String text = split.get(parameter);
    return text.isEmpty() ? new BitSet() : Pinning.cpus(text);
  }

  /** Returns the names of the guests in the new cpupool. */
  public static Set<String> domains(SchedulerParameters split) {
    return split.get(DOMAINS).lines().collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the guests that change their cpupool between two values, and so lose their settings.
   */
  public static Set<String> moved(SchedulerParameters from, SchedulerParameters to) {
    Set<String> moved = new TreeSet<>(domains(from));
    moved.addAll(domains(to));
    if (from.get(SCHEDULER).equals(to.get(SCHEDULER))) {
      moved.removeIf(name -> domains(from).contains(name) && domains(to).contains(name));
    }
    return moved;
  }

  /** Returns what the splits of profiles take from everyone else, a sentence for each. */
  public static List<String> costs(Collection<SchedulerProfile> profiles) {
    Map<String, List<String>> costs = new LinkedHashMap<>();
    for (SchedulerProfile profile : profiles) {
      profile
          .of(Scope.SPLIT)
          .forEach(
              (target, split) ->
                  costs
                      .computeIfAbsent(
                          "pCPUs %s of %s from everyone in it but %s"
                              .formatted(
                                  split.get(CPUS),
                                  Scope.name(target),
                                  DOMAINS.kind().text(split.get(DOMAINS))),
                          cost -> new ArrayList<>())
                      .add(profile.name()));
    }
    return costs.entrySet().stream()
        .map(
            cost ->
                "%s %s %s"
                    .formatted(
                        String.join(", ", cost.getValue()),
                        cost.getValue().size() == 1 ? "takes" : "take",
                        cost.getKey()))
        .toList();
  }

  /** Returns the rule that a split in a profile breaks, as a sentence; empty if none. */
  static Optional<String> fault(SchedulerParameters split, Scheduler scheduler) {
    if (split.get(CPUS).isEmpty() || split.get(DOMAINS).isEmpty()) {
      return Optional.of("needs cpus and domains: the pCPUs of the new cpupool and its guests");
    }
    return split.get(SCHEDULER).equals(scheduler.xenName())
        ? Optional.empty()
        : Optional.of(
            "is under %s, which contradicts the profile's scheduler %s"
                .formatted(split.get(SCHEDULER), scheduler));
  }

  /** What both kinds of values have in common: sets that have no position on an axis. */
  private interface Parts extends ParameterKind<String> {
    Set<String> parts(String value);

    /** Half of a change is part of it: some of its pCPUs have moved, or some of its guests. */
    @Override
    default boolean isOnTheWay(String value, List<String> known) {
      Set<String> all =
          known.stream().flatMap(one -> parts(one).stream()).collect(Collectors.toSet());
      return all.containsAll(parts(value));
    }

    @Override
    default Class<String> type() {
      return String.class;
    }

    @Override
    default boolean isIdle(String value) {
      return value.isEmpty();
    }
  }

  /**
   * A set of pCPUs, ascending: {@code 0-1,3}.
   *
   * @param none the word for the empty set; {@code as-found} if that means not changed
   */
  private record Cpus(String none) implements Parts {
    @Override
    public Set<String> parts(String value) {
      return value.isEmpty()
          ? Set.of()
          : Pinning.cpus(value).stream().mapToObj(Integer::toString).collect(Collectors.toSet());
    }

    @Override
    public Optional<String> read(YamlValue value) {
      if (none.equals(value.plain())) {
        return Optional.of("");
      }
      List<YamlValue> items = value.isList() ? value.items() : List.of(value);
      List<Optional<String>> each =
          items.stream()
              .map(item -> item.parsed(text -> Pinning.ranges(Pinning.cpus(text))))
              .toList();
      return each.isEmpty() || each.stream().anyMatch(Optional::isEmpty)
          ? Optional.empty()
          : Optional.of(
              Pinning.ranges(
                  Pinning.cpus(
                      each.stream().flatMap(Optional::stream).collect(Collectors.joining(",")))));
    }

    @Override
    public Object toYaml(String value) {
      return text(value);
    }

    @Override
    public String text(String value) {
      return value.isEmpty() ? none : value;
    }

    @Override
    public boolean isAsFound(String value) {
      return value.isEmpty() && none.equals("as-found");
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return "pCPUs " + pcpus;
    }

    @Override
    public Map<String, Object> schema() {
      Map<String, Object> cpus = Map.of("type", List.of("string", "integer"));
      return Map.of(
          "oneOf",
          List.of(cpus, OptionKind.ordered("type", "array", "minItems", 1, "items", cpus)));
    }
  }

  /**
   * Names, in order; none is the empty value.
   *
   * @param single whether there is at most one
   */
  private record Names(boolean single) implements Parts {
    static String of(Collection<String> names) {
      return String.join(BETWEEN, new TreeSet<>(names));
    }

    @Override
    public Set<String> parts(String value) {
      return value.lines().collect(Collectors.toSet());
    }

    @Override
    public Optional<String> read(YamlValue value) {
      List<YamlValue> items = value.isList() && !single ? value.items() : List.of(value);
      List<Optional<String>> each = items.stream().map(YamlValue::text).toList();
      return each.stream().anyMatch(Optional::isEmpty)
          ? Optional.empty()
          : Optional.of(of(each.stream().flatMap(Optional::stream).toList()));
    }

    @Override
    public Object toYaml(String value) {
      return single ? value : new ArrayList<>(value.lines().toList());
    }

    @Override
    public String text(String value) {
      return value.isEmpty() ? "none" : String.join(", ", value.lines().toList());
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return single
          ? Schedulers.KNOWN.ofProfiles().values().stream()
              .filter(one -> one.hypervisor().equals("Xen") && one != Scheduler.SEDF)
              .map(Scheduler::xenName)
              .collect(Collectors.joining(", "))
          : "guests";
    }

    @Override
    public Map<String, Object> schema() {
      return single
          ? Map.of("type", "string")
          : OptionKind.ordered("type", "array", "minItems", 1, "items", Map.of("type", "string"));
    }
  }
}
