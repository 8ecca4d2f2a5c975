package io.slicewise.evidence.study;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.OverheadRun.Machine;
import io.slicewise.run.LoadedRun;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs of the bare machine and of a guest as the data of an overhead study. A block is one boot of
 * each; boots are paired in their order in time.
 *
 * @param notes how the boots were paired, and what is missing
 */
public record OverheadRuns(StudyData data, List<String> notes) {
  public OverheadRuns {
    notes = List.copyOf(notes);
  }

  /**
   * The data of some runs.
   *
   * @param accepted whether the two systems may differ in what a comparison needs to be equal
   * @param alike whether all are boots of one system, the second of each pair in the place of the
   *     other
   * @throws SlicewiseException if a system has no run, or they differ
   */
  public static OverheadRuns of(List<LoadedRun> loaded, boolean accepted, boolean alike) {
    List<OverheadRun> runs =
        loaded.stream()
            .map(OverheadRun::of)
            .sorted(Comparator.comparing(OverheadRun::begun))
            .toList();
    Map<List<String>, List<OverheadRun>> arms = new LinkedHashMap<>();
    runs.forEach(run -> arms.computeIfAbsent(run.arm(), arm -> new ArrayList<>()).add(run));
    List<OverheadArm> pairs =
        arms.values().stream().map(arm -> OverheadArm.of(arm, alike)).toList();
    List<String> differences = distinct(pairs, OverheadArm::differences);
    if (!differences.isEmpty() && !accepted) {
      throw SlicewiseException.input(
          "base and guest differ in more than Xen: " + String.join("; ", differences),
          "measure both alike, or use --accept-differences");
    }
    return paired(pairs, differences, alike);
  }

  private static List<String> distinct(
      List<OverheadArm> arms, Function<OverheadArm, Set<String>> of) {
    return arms.stream().flatMap(arm -> of.apply(arm).stream()).distinct().toList();
  }

  private static OverheadRuns paired(
      List<OverheadArm> arms, List<String> differences, boolean alike) {
    int most = arms.stream().mapToInt(OverheadArm::pairs).max().orElse(0);
    List<Cells> blocks =
        IntStream.range(0, most)
            .mapToObj(at -> joined(arms.stream().map(arm -> arm.block(at)).toList()))
            .toList();
    List<Cells> passes = new ArrayList<>();
    if (most == 1) {
      arms.forEach(arm -> passes.addAll(arm.passes()));
    }
    StudyData data = new StudyData(CellMeans.of(blocks), blocks, passes);
    List<String> notes = new ArrayList<>();
    if (alike) {
      notes.add(falseAlarms(Slowdowns.of(data)));
    }
    arms.forEach(arm -> notes.addAll(arm.notes(arms.size() > 1)));
    if (most == 1) {
      notes.add("one boot of each system: boot and Xen cannot be distinguished");
    }
    if (arms.stream().anyMatch(OverheadArm::reported)) {
      notes.add(
          "user and system time, page faults and waiting for a CPU are PostgreSQL's own, of"
              + " executions after the measured ones");
    }
    differences.forEach(one -> notes.add("accepted difference, base / guest: " + one));
    List<String> others = distinct(arms, OverheadArm::others);
    if (!others.isEmpty()) {
      notes.add("also different, base / guest: " + String.join("; ", others));
    }
    return new OverheadRuns(data, notes);
  }

  /** Both boots of a pair are of one system, so every difference that is shown is a false alarm. */
  private static String falseAlarms(List<Slowdowns> arms) {
    List<String> alarms =
        arms.stream()
            .flatMap(arm -> arm.cases().stream())
            .filter(row -> row.verdict().filter(Verdict::isChange).isPresent())
            .map(Slowdowns.Row::name)
            .toList();
    int cases = arms.stream().mapToInt(arm -> arm.cases().size()).sum();
    return "A/A, boots of one system: false alarms %d of %d%s"
        .formatted(
            alarms.size(),
            cases,
            alarms.isEmpty()
                ? ""
                : " (%s), so the study cannot be trusted".formatted(String.join(", ", alarms)));
  }

  static Cells joined(List<Cells> several) {
    return new Cells(several.stream().flatMap(cells -> cells.all().stream()).toList());
  }

  /** Means of cells over passes or boots. */
  static final class CellMeans {
    private record Key(Map<String, String> of, String tier) {}

    private CellMeans() {}

    /** The geometric mean of running times, and the arithmetic mean of all other metrics. */
    static Cells of(List<Cells> several) {
      Map<Key, Map<String, List<Double>>> all = new LinkedHashMap<>();
      for (Cells cells : several) {
        for (StudyCell cell : cells.all()) {
          Map<String, List<Double>> values =
              all.computeIfAbsent(new Key(cell.of(), cell.tier()), key -> new TreeMap<>());
          cell.values()
              .forEach(
                  (metric, value) ->
                      values.computeIfAbsent(metric, none -> new ArrayList<>()).add(value));
        }
      }
      List<StudyCell> means = new ArrayList<>();
      all.forEach(
          (key, values) -> {
            Map<String, Double> mean = new TreeMap<>();
            values.forEach((metric, each) -> mean.put(metric, mean(metric, each)));
            means.add(new StudyCell(key.of(), key.tier(), mean));
          });
      return new Cells(means);
    }

    private static double mean(String metric, List<Double> values) {
      return metric.equals(Slowdowns.TIME)
          ? Math.exp(values.stream().mapToDouble(Math::log).average().orElseThrow())
          : values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
  }

  /**
   * The boots of both systems in one arm of an overhead study, such as warm caches with a
   * connection for each query, paired in their order in time.
   */
  private record OverheadArm(List<OverheadRun> base, List<OverheadRun> xen) {
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
          one.conditions().differences(other.conditions()).stream()
              .filter(difference -> OWN.stream().noneMatch(difference::startsWith))
              .forEach(all::add);
          int cpus = one.machine().cpus();
          int vcpus = other.machine().cpus();
          if (cpus > 0 && vcpus > 0 && cpus != vcpus) {
            all.add("CPUs %d / %d vCPUs".formatted(cpus, vcpus));
          }
          memory(one.machine(), other.machine()).ifPresent(all::add);
          facts(one.machine(), other.machine(), true).forEach(all::add);
        }
      }
      return all;
    }

    /** Returns the other facts that differ, which do not prevent a comparison. */
    Set<String> others() {
      Set<String> all = new TreeSet<>();
      base.forEach(
          one ->
              xen.forEach(other -> facts(one.machine(), other.machine(), false).forEach(all::add)));
      return all;
    }

    /** The facts that differ, if both systems showed facts of their kind. */
    private static Stream<String> facts(Machine base, Machine xen, boolean needed) {
      Set<String> names = new TreeSet<>(base.fingerprint().keySet());
      names.addAll(xen.fingerprint().keySet());
      return names.stream()
          .filter(name -> (name.equals(CPU) || name.startsWith(DATABASE)) == needed)
          .filter(
              name ->
                  name.startsWith(DATABASE)
                      ? Stream.of(base, xen).allMatch(one -> one.fingerprint().containsKey(VERSION))
                      : Stream.of(base, xen).allMatch(one -> one.fingerprint().containsKey(name)))
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
    private static String fact(Machine machine, String name) {
      String value = machine.fingerprint().getOrDefault(name, "");
      return name.equals(VERSION) ? value.split("[. ]", -1)[0] : value;
    }

    private static Optional<String> memory(Machine base, Machine xen) {
      return Math.abs(base.memory() / xen.memory() - 1) > MEMORY
          ? Optional.of(
              Phrase.of(
                  "memory %.0f / %.0f MB", base.memory() / (1 << 20), xen.memory() / (1 << 20)))
          : Optional.empty();
    }
  }
}
