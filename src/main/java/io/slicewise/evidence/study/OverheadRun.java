package io.slicewise.evidence.study;

import io.slicewise.evidence.facts.Conditions;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.OverheadRuns.CellMeans;
import io.slicewise.evidence.study.TimeBreakdown.TimeModes;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.profile.Role;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * One boot of a system in an overhead study.
 *
 * @param base whether the machine had no hypervisor
 * @param passes the cells of each valid trial of its baseline profile
 * @param arm the conditions under which its queries ran
 * @param reported whether PostgreSQL itself reported the use of its statements
 */
record OverheadRun(
    String name,
    Instant begun,
    boolean base,
    List<Cells> passes,
    Machine machine,
    Conditions conditions,
    List<String> arm,
    boolean reported) {
  /** The measures of PostgreSQL's own report of a statement, and what they are in a study. */
  private static final Map<String, String> STATEMENT =
      Map.of(
          "statement-user",
          "user",
          "statement-system",
          "sys",
          "statement-cpu-wait",
          TimeModes.CPU_WAIT,
          "statement-major-faults",
          "major_faults");

  /** What PostgreSQL counted of its blocks. */
  private static final Map<String, String> BLOCKS =
      Map.of(
          "heap-read",
          "heap_blocks_read",
          "heap-hit",
          "heap_blocks_hit",
          "index-read",
          "index_blocks_read");

  private static final Set<String> LOWER = Set.of(Tiers.CONTROL, Tiers.BACKEND);
  private static final String NO_HYPERVISOR = "none";

  /** An option that the experiment does not set. */
  private static final String UNSET = "none";

  private static final String CONNECT = " connect";
  private static final List<String> CONDITIONS = List.of("connection", "state");

  OverheadRun {
    passes = List.copyOf(passes);
    arm = List.copyOf(arm);
  }

  /**
   * The measured system.
   *
   * @param cpus 0 if unknown
   * @param memory in bytes; {@code NaN} if unknown
   * @param fingerprint facts about its host and its database
   */
  record Machine(int cpus, double memory, Map<String, String> fingerprint) {
    Machine {
      fingerprint = Map.copyOf(fingerprint);
    }
  }

  static OverheadRun of(LoadedRun run) {
    Experiment experiment = run.experiment();
    List<TrialResult> results = run.results();
    String guest = experiment.domains().getOrDefault(Role.MAIN, List.of("")).get(0);
    Optional<Environment> environment = run.environment();
    boolean base =
        environment.filter(found -> found.host().toolstack().equals(NO_HYPERVISOR)).isPresent()
            || results.stream().anyMatch(result -> machine(result, Tier.BASE, "").isPresent());
    OptionalInt domid = environment.map(found -> domid(found, guest)).orElse(OptionalInt.empty());
    List<Cells> passes = new ArrayList<>();
    for (TrialResult result : results) {
      if (result.valid() && result.trial().profile().equals(experiment.baseline())) {
        passes.add(cells(result, experiment, base, guest, domid));
      }
    }
    return new OverheadRun(
        run.name(),
        run.began().orElse(Instant.EPOCH),
        base,
        passes,
        new Machine(
            environment.map(found -> cpus(found, base, guest)).orElse(0),
            memory(results, base, guest),
            environment.map(Environment::fingerprint).orElse(Map.of())),
        Conditions.of(experiment),
        StudyArm.named(conditions(experiment)),
        results.stream().anyMatch(result -> faults(result).isPresent()));
  }

  private static Map<String, String> conditions(Experiment experiment) {
    Map<String, String> conditions = new TreeMap<>(experiment.workload().optionWords());
    conditions.keySet().retainAll(CONDITIONS);
    conditions.values().removeIf(UNSET::equals);
    return conditions;
  }

  /** Returns the same boot in the place of another system; only its own cells are then known. */
  OverheadRun as(String tier) {
    List<Cells> others =
        passes.stream()
            .map(
                pass ->
                    new Cells(
                        pass.all().stream()
                            .filter(cell -> !LOWER.contains(cell.tier()))
                            .map(
                                cell ->
                                    cell.tier().equals(Tiers.ACTUAL)
                                        ? cell
                                        : new StudyCell(cell.of(), tier, cell.values()))
                            .toList()))
            .toList();
    return new OverheadRun(
        name, begun, tier.equals(Tiers.BASE), others, machine, conditions, arm, reported);
  }

  /** The domain's number when the run began; empty if it is unknown. */
  static OptionalInt domid(Environment environment, String guest) {
    return environment.domains().stream()
        .filter(domain -> domain.name().equals(guest))
        .mapToInt(domain -> domain.id())
        .findFirst();
  }

  private static int cpus(Environment environment, boolean base, String guest) {
    return base
        ? environment.host().pcpus()
        : environment.domains().stream()
            .filter(domain -> domain.name().equals(guest))
            .mapToInt(domain -> domain.vcpus())
            .findFirst()
            .orElse(0);
  }

  private static double memory(List<TrialResult> results, boolean base, String guest) {
    return results.stream()
        .flatMap(result -> measured(result, base, guest).stream())
        .mapToDouble(machine -> machine.counted().levels().getOrDefault("MemTotal", Double.NaN))
        .filter(Double::isFinite)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Optional<MachineCounters> measured(
      TrialResult result, boolean base, String guest) {
    return base ? machine(result, Tier.BASE, "") : machine(result, Tier.GUEST, guest);
  }

  private static Optional<MachineCounters> machine(TrialResult result, Tier tier, String name) {
    return result.machines().entrySet().stream()
        .filter(machine -> machine.getValue().tier() == tier && machine.getValue().measured())
        .filter(machine -> name.isEmpty() || machine.getKey().equals(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /**
   * The cells of a trial: the running time of each query; and the counters per execution if the
   * window was one query's.
   */
  private static Cells cells(
      TrialResult result, Experiment experiment, boolean base, String guest, OptionalInt domid) {
    Map<String, String> conditions = new TreeMap<>(conditions(experiment));
    Load load = result.trial().load().driven();
    conditions.put(load.driver().key(), load.toString());
    List<LoadResult> queries =
        result.load().map(LoadResult::labels).orElse(List.of()).stream()
            .filter(label -> label.samples() > 0 && label.failed() < label.samples())
            .filter(label -> !label.label().endsWith(CONNECT))
            .toList();
    List<StudyCell> cells = new ArrayList<>();
    for (LoadResult query : queries) {
      Map<String, String> of = new TreeMap<>(conditions);
      of.put(
          "query", result.trial().load().level(Axis.PART).map(Level::text).orElse(query.label()));
      Map<String, Double> values = new TreeMap<>();
      values.put(Slowdowns.TIME, query.meanMillis() / 1e3);
      if (queries.size() == 1) {
        ToDoubleFunction<MachineCounters> executions =
            experiment.measuresWork()
                ? machine -> query.samples()
                : machine -> executions(result, query, machine, values.get(Slowdowns.TIME));
        measured(result, base, guest)
            .ifPresent(
                machine ->
                    values.putAll(MachineCells.use(machine, executions.applyAsDouble(machine))));
        values.putAll(measures(result, STATEMENT));
        faults(result).ifPresent(number -> values.put(PageFaults.FAULTS, number));
        Map<String, Double> blocks = measures(result, BLOCKS);
        if (!blocks.isEmpty()) {
          cells.add(new StudyCell(of, Tiers.ACTUAL, blocks));
        }
        if (!base) {
          cells.addAll(below(result, of, executions, guest, domid));
        }
      }
      cells.add(new StudyCell(of, base ? Tiers.BASE : Tiers.XEN, values));
    }
    return new Cells(cells);
  }

  private static Map<String, Double> measures(TrialResult result, Map<String, String> names) {
    Map<String, Double> values = new TreeMap<>();
    result.measures().stream()
        .filter(measure -> names.containsKey(measure.name()))
        .forEach(measure -> values.put(names.get(measure.name()), measure.value()));
    return values;
  }

  /** The faults that PostgreSQL reported for further executions. */
  private static Optional<Double> faults(TrialResult result) {
    Map<String, Double> both =
        measures(
            result, Map.of("statement-minor-faults", "minor", "statement-major-faults", "major"));
    return both.size() == 2 ? both.values().stream().reduce(Double::sum) : Optional.empty();
  }

  /** The backends of the guest, and the physical disks. */
  private static List<StudyCell> below(
      TrialResult result,
      Map<String, String> of,
      ToDoubleFunction<MachineCounters> by,
      String guest,
      OptionalInt domid) {
    List<StudyCell> cells = new ArrayList<>();
    machine(result, Tier.STORAGE, "")
        .or(() -> machine(result, Tier.DOM0, ""))
        .or(() -> machine(result, Tier.HOST, ""))
        .ifPresent(
            control -> {
              double executions = by.applyAsDouble(control);
              cells.add(new StudyCell(of, Tiers.CONTROL, MachineCells.use(control, executions)));
              double served = MachineCells.served(control, guest, domid, executions);
              if (Double.isFinite(served)) {
                cells.add(new StudyCell(of, Tiers.BACKEND, Map.of("disk_read", served)));
              }
            });
    return cells;
  }

  /**
   * The executions between a machine's two readings: those that ended in the window, and the parts
   * of those that began or ended outside it. A single stream without pauses has its time divided by
   * that of one execution; others have the number of samples.
   */
  private static double executions(
      TrialResult result, LoadResult query, MachineCounters machine, double seconds) {
    double busy = machine.seconds() / seconds;
    return result.trial().users() == 1 && Math.abs(busy - query.samples()) <= 1
        ? busy
        : query.samples();
  }

  /** The cells of the boot: the geometric mean of times over its passes, the mean of counters. */
  Cells mean() {
    return CellMeans.of(passes);
  }
}
