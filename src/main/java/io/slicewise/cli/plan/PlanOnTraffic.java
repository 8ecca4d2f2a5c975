package io.slicewise.cli.plan;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairPlan;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.load.access.LogReplay;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.stats.power.CoinPower;
import io.slicewise.sweep.outcome.TrafficResult;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.workload.Traffic;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Replays access logs as the traffic of a study of pairs: windows as the study would have had them,
 * all at the settings found, and the pairs that changes of each metric would need.
 */
record PlanOnTraffic(Experiment experiment, Traffic traffic) {
  private static final List<Double> CHANGES = List.of(0.03, 0.05, 0.1);
  private static final List<String> LOADED = List.of("mean", "p50", "p95");
  private static final String GEOMETRIC_MEAN = new OutcomeMetric(Traffic.GEOMETRIC_MEAN).toString();

  /** The fewest pairs that show how much they scatter. */
  private static final int FEWEST = 8;

  private static final int SHOWN = 80;

  /**
   * Returns the plan.
   *
   * @throws SlicewiseException if the experiment is no live study of pairs, or a log is unusable
   */
  static TrafficPlan of(Experiment experiment, List<Path> logs) {
    if (!experiment.workload().live() || experiment.pairs().isEmpty()) {
      throw SlicewiseException.input(
          "--traffic replays a log for a study of pairs under a site's own traffic, and this"
              + " experiment is none",
          "write one with: slicewise init traffic --host ADDRESS --log FILE");
    }
    Traffic traffic = ExperimentWorkload.of(experiment).traffic().orElseThrow();
    return new PlanOnTraffic(experiment, traffic)
        .of(LogReplay.read(logs, traffic.formats(), traffic.selection()));
  }

  private TrafficPlan of(LogReplay log) {
    Duration length = experiment.measure();
    Duration washOut = SessionPlan.washOut(experiment);
    List<Map<String, Double>> windows = windows(log, length, washOut);
    double seconds = log.span().map(Window::seconds).orElse(Double.NaN);
    String goal = experiment.aim().goal().orElseThrow().metric();
    List<String> metrics = new ArrayList<>(windows.isEmpty() ? List.of() : names());
    if (!metrics.contains(goal)) {
      metrics.add(goal);
    }
    return new TrafficPlan(
        experiment.name(),
        new TrafficPlan.Log(
            log.requests().size(),
            seconds,
            log.leftOut(),
            log.unread(),
            Visible.line(log.example().substring(0, Math.min(SHOWN, log.example().length())))),
        new TrafficPlan.Windows(
            windows.size(),
            (int) windows.stream().filter(window -> !window.isEmpty()).count(),
            length,
            washOut),
        CHANGES,
        metrics.stream().map(metric -> needed(metric, metric.equals(goal), windows)).toList(),
        length.plus(washOut).multipliedBy(2));
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(LOADED);
    names.add(1, GEOMETRIC_MEAN);
    return names;
  }

  /** Returns the metrics of each window, in their order; none of one that would not count. */
  private List<Map<String, Double>> windows(LogReplay log, Duration length, Duration washOut) {
    List<Map<String, Double>> windows = new ArrayList<>();
    if (log.span().isEmpty()) {
      return windows;
    }
    Instant start = log.span().get().start().plus(washOut);
    while (!start.plus(length).isAfter(log.span().get().end())) {
      Window window = new Window(start, start.plus(length));
      LoggedWindow seen = log.in(window);
      boolean counts = seen.faults().isEmpty() && seen.requests().size() >= traffic.least();
      windows.add(counts ? metrics(seen, window, log.resolutionMicros()) : Map.of());
      start = window.end().plus(washOut);
    }
    return windows;
  }

  private Map<String, Double> metrics(LoggedWindow seen, Window window, long resolutionMicros) {
    TrafficResult result =
        new TrafficResult(
            seen, window, List.copyOf(traffic.selection().labels().keySet()), resolutionMicros);
    LoadResult load = result.load();
    Map<String, Double> metrics = new LinkedHashMap<>();
    Aim.METRICS.forEach(name -> metrics.put(name, load.value(name)));
    for (Measure measure : result.measures()) {
      metrics.put(new OutcomeMetric(measure.name()).toString(), measure.value());
    }
    return metrics;
  }

  private TrafficPlan.Needed needed(
      String metric, boolean goal, List<Map<String, Double>> windows) {
    double[] changes = new double[windows.size() / 2];
    int pairs = 0;
    for (int i = 0; i + 1 < windows.size(); i += 2) {
      double change =
          Math.log(
              windows.get(i + 1).getOrDefault(metric, Double.NaN)
                  / windows.get(i).getOrDefault(metric, Double.NaN));
      if (Double.isFinite(change)) {
        changes[pairs] = change;
        pairs++;
      }
    }
    double[] known = Arrays.copyOf(changes, pairs);
    boolean few = pairs < FEWEST;
    return new TrafficPlan.Needed(
        metric,
        goal,
        pairs,
        few
            ? Double.NaN
            : Math.sqrt(Arrays.stream(known).map(change -> change * change).average().orElse(0)),
        few ? CHANGES.stream().map(any -> OptionalInt.empty()).toList() : pairs(known));
  }

  private List<OptionalInt> pairs(double... known) {
    PairsDesign design = experiment.pairs().orElseThrow();
    int candidates = design.observe() ? 1 : Math.max(1, PairPlan.candidates(experiment).size());
    CoinPower power = new CoinPower(PairedStudy.LEVEL / candidates, known);
    return CHANGES.stream().map(power::pairs).toList();
  }
}
