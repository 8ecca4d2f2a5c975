package io.slicewise.cli.plan;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
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
import io.slicewise.report.table.TextColumns;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.stats.SlowdownAlarm;
import io.slicewise.stats.power.CoinPower;
import io.slicewise.sweep.outcome.TrafficResult;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.workload.Traffic;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a study of pairs would need under the traffic of a log that the site already has.
 *
 * @param changes as shares, which {@code metrics} are about
 * @param pair the time that one takes at least
 */
public record TrafficPlan(
    String experiment,
    Log log,
    Windows windows,
    Guard guard,
    List<Double> changes,
    List<Needed> metrics,
    Duration pair) {
  public TrafficPlan {
    changes = List.copyOf(changes);
    metrics = List.copyOf(metrics);
  }

  /**
   * What was read.
   *
   * @param seconds from the first request to the last
   * @param example of a line that was not understood; empty if all were
   * @param note on its times; empty without one
   */
  public record Log(
      long requests, double seconds, long leftOut, long unread, String example, String note) {}

  /**
   * The windows that a study would have had.
   *
   * @param counted of {@code all} of them; the others had too few requests or a pause
   */
  public record Windows(int all, int counted, Duration length, Duration washOut) {}

  /**
   * What the guard of a study would have done on this log, with the settings found throughout.
   *
   * @param errors share of failed requests; {@code limit} is the largest that is allowed for 10 s
   * @param cut windows that it would have ended, by the reason
   */
  public record Guard(double errors, double limit, Map<String, Integer> cut) {
    public Guard {
      cut = Collections.unmodifiableMap(new TreeMap<>(cut));
    }

    private void add(int windows, List<String> lines) {
      if (errors > limit) {
        lines.add(
            Phrase.of(
                "Errors  %.2f %% of the requests failed, more than 'limits: errors' allows (%.2f"
                    + " %%): the guard ends windows for what is usual here; allow more",
                100 * errors, 100 * limit));
      }
      if (!cut.isEmpty()) {
        lines.add(
            cut.entrySet().stream()
                .map(one -> "%d since %s".formatted(one.getValue(), one.getKey()))
                .collect(
                    Collectors.joining(
                        "; ",
                        "Guard   would end %d of %d windows early with no change of settings: "
                            .formatted(
                                cut.values().stream().mapToInt(Integer::intValue).sum(), windows),
                        "")));
      }
    }
  }

  /**
   * What one metric needs.
   *
   * @param pairs that have it
   * @param scatter deviation of the log ratio of a pair; {@code NaN} if too few pairs have it
   * @param needed pairs for each change; empty beyond what is searched, or if too few have it
   */
  public record Needed(
      String metric, boolean goal, int pairs, double scatter, List<OptionalInt> needed) {
    public Needed {
      needed = List.copyOf(needed);
    }
  }

  /** Returns the screen. */
  public List<String> lines(int width) {
    List<String> lines = new ArrayList<>();
    lines.add("PLAN    %s on a log   nothing has been asked or changed".formatted(experiment));
    lines.add(
        Phrase.of(
            "Log     %s in %s: %.1f/s; %d left out, %d lines not understood%s",
            Plural.of(log.requests(), "request"),
            DurationText.spaced(Duration.ofMillis(Math.round(1000 * log.seconds()))),
            log.requests() / log.seconds(),
            log.leftOut(),
            log.unread(),
            log.example().isEmpty() ? "" : ", such as '%s'".formatted(log.example())));
    lines.add(
        "Windows %d of %d count, of %s each after a wash-out of %s"
            .formatted(
                windows.counted(),
                windows.all(),
                DurationText.spaced(windows.length()),
                DurationText.spaced(windows.washOut())));
    if (!log.note().isEmpty()) {
      lines.add("Times   " + log.note());
    }
    guard.add(windows.all(), lines);
    lines.add("");
    lines.addAll(
        TextColumns.lines(
            rows(), IntStream.range(0, 3 + changes.size()).mapToObj(i -> i == 0).toList(), width));
    lines.add("");
    lines.add(
        "pairs of each candidate after which half of all studies show a change; a pair takes %s"
            .formatted(DurationText.spaced(pair)));
    return lines;
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("metric", "pairs here", "they scatter by"));
    changes.forEach(change -> head.add(Phrase.of("%.0f %%", 100 * change)));
    rows.add(head);
    for (Needed metric : metrics) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  metric.metric() + (metric.goal() ? " (goal)" : ""),
                  Integer.toString(metric.pairs()),
                  Double.isNaN(metric.scatter())
                      ? "–"
                      : Phrase.of("%.1f %%", 100 * metric.scatter())));
      row.addAll(
          metric.needed().stream()
              .map(
                  pairs ->
                      Double.isNaN(metric.scatter())
                          ? "–"
                          : pairs.isPresent() ? Integer.toString(pairs.getAsInt()) : "> 500")
              .collect(Collectors.toList()));
      rows.add(row);
    }
    return rows;
  }

  /**
   * Replays access logs as the traffic of a study of pairs: windows as the study would have had
   * them, all at the settings found, and the pairs that changes of each metric would need.
   */
  record PlanOnTraffic(Experiment experiment, Traffic traffic) {
    private static final List<Double> CHANGES = List.of(0.03, 0.05, 0.1);
    private static final List<String> LOADED = List.of("mean", "p50", "p95");
    private static final String GEOMETRIC_MEAN =
        new OutcomeMetric(Traffic.GEOMETRIC_MEAN).toString();

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
              Visible.line(log.example().substring(0, Math.min(SHOWN, log.example().length()))),
              log.note().orElse("")),
          new TrafficPlan.Windows(
              windows.size(),
              (int) windows.stream().filter(window -> !window.isEmpty()).count(),
              length,
              washOut),
          guard(log, length, washOut),
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

    /** Watches the windows as a study does, which learns from each what is usual. */
    private TrafficPlan.Guard guard(LogReplay log, Duration length, Duration washOut) {
      double limit = experiment.limits().errorShare();
      SlowdownAlarm alarm = new SlowdownAlarm(limit);
      Map<String, Integer> cut = new TreeMap<>();
      long whole = length.plus(washOut).toSeconds();
      long[] sums = new long[3];
      boolean[] given = new boolean[1];
      log.seconds(
          (at, requests, errors, sumOfLogMillis) -> {
            SlowdownAlarm.Second second =
                new SlowdownAlarm.Second(requests, errors, sumOfLogMillis);
            long place = sums[2] % whole;
            if (place == 0) {
              given[0] = false;
              alarm.begin();
            }
            if (!given[0]) {
              Optional<SlowdownAlarm.Alarm> alarmed = alarm.watch(second);
              given[0] = alarmed.isPresent();
              alarmed.ifPresent(one -> cut.merge(one.sentence(), 1, Integer::sum));
            }
            if (place >= washOut.toSeconds()) {
              alarm.learn(second);
            }
            sums[0] += requests;
            sums[1] += errors;
            sums[2]++;
          });
      return new TrafficPlan.Guard((double) sums[1] / Math.max(1, sums[0]), limit, cut);
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
          few
              ? CHANGES.stream().map(any -> OptionalInt.empty()).toList()
              : pairs(changes.length, known));
    }

    /** A pair without the metric takes its time, too, and shows nothing. */
    private List<OptionalInt> pairs(int ran, double... known) {
      PairsDesign design = experiment.pairs().orElseThrow();
      int candidates = design.observe() ? 1 : Math.max(1, PairPlan.candidates(experiment).size());
      CoinPower power = new CoinPower(PairedStudy.LEVEL / candidates, known);
      return CHANGES.stream().map(change -> power.pairs(change, ran)).toList();
    }
  }
}
