package io.slicewise.evidence.study;

import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.experiment.Experiment;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.Tier;
import io.slicewise.profile.Role;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadResult;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * One boot of a system in an overhead study.
 *
 * @param base whether the machine had no hypervisor
 * @param passes the cells of each valid trial of its baseline profile
 * @param cpus of the measured system; 0 if unknown
 * @param memory of the measured system in bytes; {@code NaN} if unknown
 */
record OverheadRun(
    String name,
    Instant begun,
    boolean base,
    List<Cells> passes,
    int cpus,
    double memory,
    MeasuredRun run) {
  private static final String NO_HYPERVISOR = "none";
  private static final List<String> CONDITIONS = List.of("connection", "state");

  OverheadRun {
    passes = List.copyOf(passes);
  }

  static OverheadRun of(RunDirectory directory) {
    Experiment experiment = directory.readExperiment();
    List<TrialResult> results = directory.results();
    String guest = experiment.domains().getOrDefault(Role.MAIN, List.of("")).get(0);
    Optional<Environment> environment = directory.environment();
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
        directory.name(),
        directory.began().orElse(Instant.EPOCH),
        base,
        passes,
        environment.map(found -> cpus(found, base, guest)).orElse(0),
        memory(results, base, guest),
        MeasuredRun.of(directory, results));
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
        .mapToDouble(machine -> machine.levels().getOrDefault("MemTotal", Double.NaN))
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
    Map<String, String> conditions = new TreeMap<>();
    conditions.put("users", String.valueOf(result.trial().users()));
    Map<String, String> options = experiment.workload().optionWords();
    CONDITIONS.stream()
        .filter(options::containsKey)
        .forEach(option -> conditions.put(option, options.get(option)));
    List<LoadResult> queries =
        result.load().map(LoadResult::labels).orElse(List.of()).stream()
            .filter(label -> label.samples() > 0 && label.failed() < label.samples())
            .toList();
    List<StudyCell> cells = new ArrayList<>();
    for (LoadResult query : queries) {
      Map<String, String> of = new TreeMap<>(conditions);
      of.put("query", result.trial().load().part().orElse(query.label()));
      Map<String, Double> values = new TreeMap<>();
      values.put(Slowdowns.TIME, query.meanMillis() / 1e3);
      if (queries.size() == 1) {
        double seconds = values.get(Slowdowns.TIME);
        measured(result, base, guest)
            .ifPresent(
                machine ->
                    values.putAll(
                        MachineCells.use(machine, executions(result, query, machine, seconds))));
        if (!base) {
          cells.addAll(below(result, of, query, seconds, guest, domid));
        }
      }
      cells.add(new StudyCell(of, base ? Tiers.BASE : Tiers.XEN, values));
    }
    return new Cells(cells);
  }

  /** The backends of the guest, and the physical disks. */
  private static List<StudyCell> below(
      TrialResult result,
      Map<String, String> of,
      LoadResult query,
      double seconds,
      String guest,
      OptionalInt domid) {
    List<StudyCell> cells = new ArrayList<>();
    machine(result, Tier.STORAGE, "")
        .or(() -> machine(result, Tier.DOM0, ""))
        .or(() -> machine(result, Tier.HOST, ""))
        .ifPresent(
            control -> {
              double executions = executions(result, query, control, seconds);
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
