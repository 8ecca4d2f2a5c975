package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Change;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.host.Undo.Value;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Split;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is split from a cpupool, with {@code xl}: read from the listings, and made and undone guest
 * by guest and pCPU by pCPU, so that a guest is never without a pCPU. The new cpupool is made first
 * and empty: a Xen without its scheduler refuses that, and nothing was changed.
 */
record XlSplit(Tool tool, Inventory inventory) {
  private static final String CREATE = "cpupool-create";
  private static final String MOVE = "cpupool-migrate";
  private static final String ADD = "cpupool-cpu-add";
  private static final String REMOVE = "cpupool-cpu-remove";

  /** Returns what is split from each cpupool; empty if xl does not list their pCPUs. */
  Map<String, SchedulerParameters> read(List<CpuPool> pools, List<Domain> domains) {
    Map<String, String> cpus = inventory.dialect().splits() ? inventory.poolCpus() : Map.of();
    Map<String, SchedulerParameters> splits = new LinkedHashMap<>();
    Optional<CpuPool> made =
        pools.stream().filter(pool -> pool.name().equals(Split.POOL)).findAny();
    List<String> guests =
        domains.stream()
            .filter(domain -> domain.cpupool().equals(Split.POOL))
            .map(Domain::name)
            .toList();
    for (CpuPool pool : pools) {
      if (!pool.name().equals(Split.POOL) && cpus.containsKey(pool.name())) {
        BitSet apart = set(cpus.getOrDefault(Split.POOL, ""));
        BitSet both = set(cpus.get(pool.name()));
        both.or(apart);
        splits.put(
            pool.name(), Split.of(made.map(CpuPool::scheduler).orElse(""), apart, guests, both));
      }
    }
    return splits;
  }

  private static BitSet set(String cpus) {
    return cpus.isEmpty() ? new BitSet() : Pinning.cpus(cpus);
  }

  /** Returns the commands from one value to another. */
  List<List<String>> commands(String pool, SchedulerParameters from, SchedulerParameters to) {
    Map<String, String> ids = new LinkedHashMap<>();
    for (Domain domain : inventory.domains()) {
      ids.putIfAbsent(domain.name(), Integer.toString(domain.id()));
    }
    return commands(
        pool,
        from,
        to,
        name ->
            Optional.ofNullable(ids.get(name))
                .orElseThrow(
                    () ->
                        new HypervisorException(
                            "No domain called %s runs, which %s moves."
                                .formatted(name, to.scheduler()),
                            "Start it, or fix its name in the experiment.")));
  }

  /**
   * Returns the commands from one value to another.
   *
   * @param id the word for a guest
   */
  static List<List<String>> commands(
      String pool, SchedulerParameters from, SchedulerParameters to, Function<String, String> id) {
    List<List<String>> commands = new ArrayList<>();
    String before = from.get(Split.SCHEDULER);
    String after = to.get(Split.SCHEDULER);
    boolean anew = !before.equals(after);
    BitSet had = Split.cpus(from, Split.CPUS);
    BitSet gets = Split.cpus(to, Split.CPUS);
    BitSet rest = minus(Split.cpus(from, Split.PCPUS), had);
    BitSet kept = minus(Split.cpus(to.get(Split.PCPUS).isEmpty() ? from : to, Split.PCPUS), gets);
    Set<String> moved = Split.moved(from, to);
    for (String guest : Split.domains(from)) {
      if (moved.contains(guest)) {
        commands.add(List.of(MOVE, id.apply(guest), pool));
      }
    }
    if (anew && !before.isEmpty()) {
      commands.add(List.of("cpupool-destroy", Split.POOL));
      had = new BitSet();
    }
    each(REMOVE, Split.POOL, minus(had, gets), commands);
    each(ADD, pool, minus(kept, rest), commands);
    if (anew && !after.isEmpty()) {
      commands.add(
          List.of(CREATE, "name=\"%s\"".formatted(Split.POOL), "sched=\"%s\"".formatted(after)));
    }
    each(REMOVE, pool, minus(rest, kept), commands);
    each(ADD, Split.POOL, minus(gets, had), commands);
    for (String guest : Split.domains(to)) {
      if (moved.contains(guest)) {
        commands.add(List.of(MOVE, id.apply(guest), Split.POOL));
      }
    }
    return List.copyOf(commands);
  }

  /**
   * Runs a command; if it could not make a cpupool, its error says so.
   *
   * @param first whether no other command was sent before
   */
  static void explained(List<String> words, boolean first, Runnable change) {
    try {
      change.run();
    } catch (HypervisorException refused) {
      if (!words.get(0).equals(CREATE)) {
        throw refused;
      }
      throw new HypervisorException(
          "Xen made no cpupool with %s, as if it was built without that scheduler; %s (%s)"
              .formatted(
                  words.get(2),
                  first ? "nothing was changed" : "the split before it is undone",
                  refused.getMessage()),
          "Use a Xen that has it, or remove the profile.");
    }
  }

  private static BitSet minus(BitSet of, BitSet without) {
    BitSet left = (BitSet) of.clone();
    left.andNot(without);
    return left;
  }

  private static void each(String command, String pool, BitSet cpus, List<List<String>> into) {
    cpus.stream().forEach(cpu -> into.add(List.of(command, pool, Integer.toString(cpu))));
  }

  /** Returns why a cpupool cannot be split so, as a sentence; empty if it can. */
  Optional<String> refusal(Target.Pool target, SchedulerParameters wanted) {
    Dialect dialect = inventory.dialect();
    String scheduler = wanted.get(Split.SCHEDULER);
    if (!dialect.splits()) {
      return Optional.of(
          "%s cannot be made by %s of Xen %s: it needs xl of Xen 4.6 or later"
              .formatted(target.name(), dialect.name(), dialect.version()));
    }
    if (Scheduler.ofXenName(scheduler)
        .filter(XenSchedulers.possible(dialect.version())::contains)
        .isEmpty()) {
      return Optional.of(
          "%s needs the scheduler %s, which Xen %s does not have"
              .formatted(target.name(), scheduler, dialect.version()));
    }
    if (inventory.isBuiltIn(scheduler).filter(built -> !built).isPresent()) {
      return Optional.of(
          "%s needs the scheduler %s, with which this Xen was not built"
              .formatted(target.name(), scheduler));
    }
    return Optional.ofNullable(inventory.poolCpus().get(target.pool()))
        .map(cpus -> contradiction(target, wanted, set(cpus)))
        .orElseGet(
            () -> Optional.of("%s %s".formatted(target.name(), inventory.describe().noSuchPool())));
  }

  private Optional<String> contradiction(
      Target.Pool target, SchedulerParameters wanted, BitSet present) {
    List<CpuPool> pools = inventory.cpupools();
    List<Domain> domains = inventory.domains(pools);
    SchedulerParameters found = read(pools, domains).get(target.pool());
    BitSet pcpus = Split.cpus(found, Split.PCPUS);
    BitSet cpus = Split.cpus(wanted, Split.CPUS);
    BitSet left = minus(pcpus, cpus);
    String whose = "cpupool %s, which has %s".formatted(target.pool(), Pinning.ranges(pcpus));
    if (!minus(cpus, pcpus).isEmpty()) {
      return Optional.of(
          "%s: pCPU %s is not in %s"
              .formatted(target.name(), Pinning.ranges(minus(cpus, pcpus)), whose));
    }
    if (left.isEmpty()) {
      return Optional.of(
          "%s: cpus %s would take the last pCPU of %s"
              .formatted(target.name(), Pinning.ranges(cpus), whose));
    }
    int vcpus = 0;
    for (String name : Split.domains(wanted)) {
      Optional<Domain> guest = domains.stream().filter(one -> one.name().equals(name)).findFirst();
      if (guest.isEmpty()) {
        continue;
      }
      if (guest.get().id() == 0) {
        return Optional.of(
            "%s: %s cannot leave its cpupool; keep pCPUs for it".formatted(target.name(), name));
      }
      if (!Set.of(target.pool(), Split.POOL).contains(guest.get().cpupool())) {
        return Optional.of(
            "%s: %s is in cpupool %s, not in %s"
                .formatted(target.name(), name, guest.get().cpupool(), target.pool()));
      }
      vcpus += guest.get().vcpus();
    }
    if (wanted.get(Split.SCHEDULER).equals(Scheduler.NULL.xenName())
        && vcpus > cpus.cardinality()) {
      return Optional.of(
          "%s: the scheduler null runs one vCPU on each pCPU, and %d vCPUs of %s would share %d"
              .formatted(
                  target.name(),
                  vcpus,
                  String.join(", ", Split.domains(wanted)),
                  cpus.cardinality()));
    }
    return stranded(target, wanted, domains, minus(present, cpus));
  }

  /** Xen would remove the affinity of a guest that stays and may use none of the pCPUs left. */
  private Optional<String> stranded(
      Target.Pool target, SchedulerParameters wanted, List<Domain> domains, BitSet left) {
    Set<Integer> staying =
        domains.stream()
            .filter(domain -> domain.cpupool().equals(target.pool()))
            .filter(domain -> !Split.domains(wanted).contains(domain.name()))
            .map(Domain::id)
            .collect(Collectors.toSet());
    for (ParameterListing.Entry entry : inventory.places()) {
      String affinity = entry.parameters().orElseThrow().get(Placement.AFFINITY);
      for (String each : Pinning.each(affinity, 1)) {
        if (staying.contains(entry.id())
            && !each.equals(Pinning.ALL)
            && !Pinning.cpus(each).intersects(left)) {
          return Optional.of(
              "%s would leave a vCPU of %s without a pCPU: its affinity is %s, and %s keeps %s"
                  .formatted(
                      target.name(), entry.name(), each, target.pool(), Pinning.ranges(left)));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns how the host undoes a split: every guest is moved back, the cpupool destroyed and each
   * pCPU given back. The commands of the pCPUs work whatever is left to do.
   */
  Undo undo(Target.Pool target, Change change) {
    BitSet cpus = new BitSet();
    Set<String> guests = new TreeSet<>();
    change
        .possible()
        .forEach(
            one -> {
              cpus.or(Split.cpus(one, Split.CPUS));
              guests.addAll(Split.domains(one));
            });
    List<Part> parts = new ArrayList<>();
    for (Domain domain : inventory.domains()) {
      if (guests.contains(domain.name())) {
        String id = Integer.toString(domain.id());
        parts.add(
            new Part(
                "guest " + id,
                List.of(tool.changing(List.of(MOVE, id, target.pool()))),
                reading("list", "-c"),
                List.of(
                    new Value(
                        " " + id + " +[0-9]+ +[0-9]+ +[-a-z]+ +[0-9.]+ +",
                        Undo.literally(target.pool()),
                        Set.of(Undo.literally(target.pool()), Split.POOL),
                        " *$"))));
      }
    }
    BitSet found = Split.cpus(change.found(), Split.PCPUS);
    parts.add(
        new Part(
            "cpupool",
            List.of(tool.changing(List.of("cpupool-destroy", Split.POOL))),
            whetherMade(),
            List.of(new Value("^", "none", Set.of("none", "made"), "$"))));
    List<Command> commands = new ArrayList<>();
    cpus.stream()
        .forEach(
            cpu -> commands.add(tool.changing(List.of(ADD, target.pool(), Integer.toString(cpu)))));
    parts.add(
        new Part(
            "pCPUs",
            commands,
            reading("cpupool-list", "-c"),
            List.of(
                new Value(
                    "^" + Undo.literally(target.pool()) + " +",
                    listed(found, new BitSet()),
                    Set.of(listed(found, cpus)),
                    " *$")),
            true));
    return new Undo(
        target.name(),
        new Reading(reading("cpupool-list", target.pool()), List.of(" y ")),
        List.copyOf(parts));
  }

  /** Returns a regular expression for pCPUs as xl lists them, some of which may be away. */
  private static String listed(BitSet pcpus, BitSet away) {
    int stays = minus(pcpus, away).nextSetBit(0);
    return pcpus.stream()
        .mapToObj(
            cpu ->
                cpu == stays
                    ? Integer.toString(cpu)
                    : (cpu < stays ? "(%d,)" : "(,%d)").formatted(cpu) + (away.get(cpu) ? "?" : ""))
        .collect(Collectors.joining());
  }

  /**
   * Returns the command that prints {@code made} while the new cpupool is there, or {@code none}.
   */
  private Command whetherMade() {
    return Command.reading(
        "sh",
        "-c",
        "pools=$(%s) && case $pools in *\"\n%s \"*) echo made ;; *) echo none ;; esac"
            .formatted(reading("cpupool-list").quoted(), Split.POOL));
  }

  private Command reading(String... arguments) {
    return tool.reading(List.of(arguments));
  }
}
