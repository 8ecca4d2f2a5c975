package io.slicewise.evidence.study;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.study.Cells.Tiers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The boots of both systems in one arm of an overhead study, such as warm caches with a connection
 * for each query, paired in their order in time.
 */
record OverheadArm(List<OverheadRun> base, List<OverheadRun> xen) {
  private static final double MEMORY = 0.05;

  /** Facts of an experiment that differ between the two systems by their nature. */
  private static final List<String> OWN =
      List.of("main domains", "other domains", "dom0 domains", "order", "lab");

  private static final String DATABASE = "PostgreSQL ";
  private static final String VERSION = DATABASE + "version";
  private static final String CPU = "CPU model";

  OverheadArm {
    base = List.copyOf(base);
    xen = List.copyOf(xen);
  }

  /**
   * Pairs the runs of an arm.
   *
   * @param runs in their order in time
   * @param alike whether they are boots of one system
   * @throws SlicewiseException if a system has no run
   */
  static OverheadArm of(List<OverheadRun> runs, boolean alike) {
    List<OverheadRun> base = new ArrayList<>();
    List<OverheadRun> xen = new ArrayList<>();
    for (OverheadRun run : runs) {
      if (alike && run.base() != runs.get(0).base()) {
        throw SlicewiseException.input(
            "%s and %s are of different systems".formatted(runs.get(0).name(), run.name()),
            "omit --same-system to compare them");
      }
      boolean second = alike ? base.size() > xen.size() : !run.base();
      (second ? xen : base).add(alike ? run.as(second ? Tiers.XEN : Tiers.BASE) : run);
    }
    if (base.isEmpty() || xen.isEmpty()) {
      throw SlicewiseException.input(
          alike
              ? "an A/A needs at least two boots of the system"
              : base.isEmpty()
                  ? "none of these runs is of a machine without a hypervisor"
                  : "none of these runs is of a guest",
          "name at least one run of each; host: {hypervisor: none} measures the bare machine");
    }
    return new OverheadArm(base, xen);
  }

  int pairs() {
    return Math.min(base.size(), xen.size());
  }

  private Stream<OverheadRun> all() {
    return Stream.concat(base.stream(), xen.stream());
  }

  /** Returns how the boots were paired, and which were not. */
  List<String> notes(boolean named) {
    String arm = named ? " (%s)".formatted(String.join(", ", base.get(0).arm())) : "";
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < pairs(); i++) {
      notes.add("pair %d%s: %s, %s".formatted(i + 1, arm, base.get(i).name(), xen.get(i).name()));
    }
    Stream.of(base, xen)
        .flatMap(side -> side.stream().skip(pairs()))
        .forEach(run -> notes.add("left out, without a partner: " + run.name()));
    return notes;
  }

  boolean reported() {
    return all().anyMatch(OverheadRun::reported);
  }

  /** Returns the cells of a pair; what the database needed is the guest's. */
  Cells block(int at) {
    if (at >= pairs()) {
      return new Cells(List.of());
    }
    Cells own =
        new Cells(
            base.get(at).mean().all().stream()
                .filter(cell -> !cell.tier().equals(Tiers.ACTUAL))
                .toList());
    return OverheadRuns.joined(List.of(own, xen.get(at).mean()));
  }

  List<Cells> passes() {
    return all().flatMap(run -> run.passes().stream()).toList();
  }

  /** Returns what must be equal for a comparison and is not. */
  Set<String> differences() {
    Set<String> all = new TreeSet<>();
    for (OverheadRun one : base) {
      for (OverheadRun other : xen) {
        one.run().conditions().differences(other.run().conditions()).stream()
            .filter(difference -> OWN.stream().noneMatch(difference::startsWith))
            .forEach(all::add);
        if (one.cpus() > 0 && other.cpus() > 0 && one.cpus() != other.cpus()) {
          all.add("CPUs %d / %d vCPUs".formatted(one.cpus(), other.cpus()));
        }
        memory(one, other).ifPresent(all::add);
        facts(one, other, true).forEach(all::add);
      }
    }
    return all;
  }

  /** Returns the other facts that differ, which do not prevent a comparison. */
  Set<String> others() {
    Set<String> all = new TreeSet<>();
    base.forEach(one -> xen.forEach(other -> facts(one, other, false).forEach(all::add)));
    return all;
  }

  /** The facts that differ, if both systems showed facts of their kind. */
  private static Stream<String> facts(OverheadRun base, OverheadRun xen, boolean needed) {
    Set<String> names = new TreeSet<>(base.fingerprint().keySet());
    names.addAll(xen.fingerprint().keySet());
    return names.stream()
        .filter(name -> (name.equals(CPU) || name.startsWith(DATABASE)) == needed)
        .filter(
            name ->
                name.startsWith(DATABASE)
                    ? Stream.of(base, xen).allMatch(run -> run.fingerprint().containsKey(VERSION))
                    : Stream.of(base, xen).allMatch(run -> run.fingerprint().containsKey(name)))
        .filter(name -> !fact(base, name).equals(fact(xen, name)))
        .map(
            name ->
                "%s %s / %s"
                    .formatted(
                        name,
                        base.fingerprint().getOrDefault(name, "default"),
                        xen.fingerprint().getOrDefault(name, "default")));
  }

  /** A fact as it is compared: of PostgreSQL's version the major number. */
  private static String fact(OverheadRun run, String name) {
    String value = run.fingerprint().getOrDefault(name, "");
    return name.equals(VERSION) ? value.split("[. ]", -1)[0] : value;
  }

  private static Optional<String> memory(OverheadRun base, OverheadRun xen) {
    return Math.abs(base.memory() / xen.memory() - 1) > MEMORY
        ? Optional.of(
            Phrase.of("memory %.0f / %.0f MB", base.memory() / (1 << 20), xen.memory() / (1 << 20)))
        : Optional.empty();
  }
}
