package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Visible;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.Verdict;
import io.slicewise.sweep.follow.Follower;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes runs as OpenMetrics: cells, effects with intervals, verdicts and age. All metrics are
 * gauges without timestamps, so that Prometheus' textfile collector, which reads the older format,
 * accepts the same text.
 */
public final class OpenMetrics {
  private static final double MILLIS = 1000;

  private final Instant now;
  private final Map<String, List<String>> families = new LinkedHashMap<>();
  private final Map<String, String> helps = new LinkedHashMap<>();

  /** Creates an empty set of metrics. */
  public OpenMetrics(Instant now) {
    this.now = now;
  }

  /** Adds the answer of a run. */
  public OpenMetrics add(String experiment, Answer answer) {
    Labels of = Labels.of(experiment).and("grade", EnumName.of(answer.grade()));
    for (Answer.Kind kind : Answer.Kind.values()) {
      sample(
          "run_answer",
          "The answer of the run: 1 for the one given, 0 for others.",
          of.and("answer", EnumName.of(kind)),
          kind == answer.kind() ? 1 : 0);
    }
    return this;
  }

  /** Adds a run: what it is, its state, its age and its cells. */
  public OpenMetrics add(LoadedRun run, SweepSummary summary) {
    Labels of = Labels.of(summary.experiment());
    sample(
        "run_info",
        "The run these numbers belong to.",
        of.and("run", run.name())
            .and("workload", summary.workload())
            .and("host", summary.host())
            .and("origin", summary.origin().kind().word()),
        1);
    RunState state = run.record().state();
    for (RunState one : RunState.values()) {
      sample(
          "run_state",
          "The state of the run: 1 for the current one, 0 for others.",
          of.and("state", EnumName.of(one)),
          one == state ? 1 : 0);
    }
    List<JournalEvent> events = run.events();
    if (!events.isEmpty()) {
      Instant ended = events.get(events.size() - 1).at();
      sample(
          "run_end_timestamp_seconds",
          "Unix time of the last entry in the run's journal.",
          of,
          ended.toEpochMilli() / MILLIS);
      sample(
          "run_age_seconds",
          "Age of the run when these numbers were written.",
          of,
          Duration.between(ended, now).toMillis() / MILLIS);
    }
    trials(of, "planned", summary.trials().planned());
    trials(of, "finished", summary.trials().finished());
    trials(of, "excluded", summary.exclusions().trials());
    trials(of, "replaced", summary.exclusions().replaced().size());
    trials(of, "failed", summary.exclusions().failed().size());
    summary.cells().forEach(cell -> addCell(of, cell));
    return this;
  }

  private void trials(Labels of, String state, int number) {
    sample("run_trials", "Trials of the run by state.", of.and("state", state), number);
  }

  private void addCell(Labels of, CellSummary cell) {
    Labels labels = of.and("profile", cell.profile()).and(cell.load());
    sample("cell_trials", "Valid trials of a profile at a load.", labels, cell.n());
    Metric.OF_LOAD.stream()
        .filter(cell.metrics()::containsKey)
        .forEach(metric -> addEstimate(labels, metric, cell.metrics().get(metric)));
    cell.measures()
        .forEach(
            measure ->
                bounds(
                    "cell_outcome",
                    "Mean of a number that the workload reports, with the ends of its 95 % interval.",
                    labels.and("outcome", measure.name()).and("unit", measure.unit()),
                    measure.estimate().mean(),
                    measure.estimate().low(),
                    measure.estimate().high()));
  }

  private void addEstimate(Labels labels, Metric metric, Estimate estimate) {
    double unit = metric.unit().equals("ms") ? MILLIS : 1;
    String name = name(metric);
    String help = "Mean over trials, with the ends of its 95 % interval.";
    bounds(
        name, help, labels, estimate.mean() / unit, estimate.low() / unit, estimate.high() / unit);
  }

  private static String name(Metric metric) {
    return switch (metric.key()) {
      case "throughput" -> "cell_throughput_per_second";
      case "errors" -> "cell_errors_ratio";
      default -> "cell_response_" + metric.key() + "_seconds";
    };
  }

  /** Adds the effects and verdicts of a comparison, and its answer. */
  public OpenMetrics add(Compared compared) {
    Labels of = Labels.of(compared.names().experiment()).and("reference", compared.names().from());
    for (Compared.Overall overall : Compared.Overall.values()) {
      sample(
          "comparison_answer",
          "The answer of a comparison: 1 for the one given, 0 for others.",
          of.and("answer", EnumName.of(overall)),
          overall == compared.overall() ? 1 : 0);
    }
    for (Comparison one : compared.rows().comparisons()) {
      addEffect(of, one);
    }
    compared.control().controls().forEach(control -> addEffect(of, control));
    return this;
  }

  private void addEffect(Labels of, Comparison one) {
    Labels labels =
        of.and("profile", one.profile())
            .and(one.load())
            .and("metric", one.metric().key())
            .and("kind", EnumName.of(one.kind()));
    double percent = 100;
    bounds(
        "effect_ratio",
        "Change against the reference, 0.1 for 10 % more, with the ends of its 95 % interval.",
        labels,
        one.change().percent() / percent,
        one.change().low() / percent,
        one.change().high() / percent);
    for (Verdict verdict : Verdict.values()) {
      sample(
          "effect_verdict",
          "The verdict on an effect: 1 for the one reached, 0 for others.",
          labels.and("verdict", EnumName.of(verdict)),
          verdict == one.verdict() ? 1 : 0);
    }
  }

  /** Adds the exit code of a night. */
  public OpenMetrics addExitCode(String experiment, int code) {
    sample("nightly_exit_code", "Exit code of the last night.", Labels.of(experiment), code);
    return this;
  }

  private void bounds(
      String name, String help, Labels labels, double estimate, double low, double high) {
    sample(name, help, labels.and("bound", "estimate"), estimate);
    sample(name, help, labels.and("bound", "low"), low);
    sample(name, help, labels.and("bound", "high"), high);
  }

  /** Adds what following a policy does now. */
  public OpenMetrics add(Policy policy, Follower.Status status) {
    Labels of = new Labels(Map.of()).and("policy", policy.name());
    sample(
        "follow_load",
        "The load of the policy's window, in the policy's unit.",
        of.and("load", policy.load().toString()),
        status.load());
    policy.bands().stream()
        .map(Band::profile)
        .distinct()
        .forEach(
            profile ->
                sample(
                    "follow_profile",
                    "1 for the profile in force, 0 for others.",
                    of.and("profile", profile),
                    profile.equals(status.profile()) ? 1 : 0));
    sample("follow_changes", "Changes of settings so far.", of, status.changes());
    sample(
        "follow_outside",
        "1 while the load is outside the measured loads.",
        of,
        status.outside() ? 1 : 0);
    sample(
        "follow_timestamp_seconds",
        "Unix time when these numbers were written.",
        of,
        now.toEpochMilli() / MILLIS);
    return this;
  }

  /** Adds a sample; an unknown value has none. */
  private void sample(String name, String help, Labels labels, double value) {
    if (Double.isFinite(value)) {
      String full = "slicewise_" + name;
      helps.put(full, help);
      families
          .computeIfAbsent(full, first -> new ArrayList<>())
          .add(full + labels.text() + " " + value);
    }
  }

  /** Returns the exposition, which ends with {@code # EOF}. */
  public String text() {
    StringBuilder text = new StringBuilder();
    families.forEach(
        (name, samples) -> {
          text.append("# HELP %s %s\n".formatted(name, helps.get(name)));
          text.append("# TYPE %s gauge\n".formatted(name));
          samples.forEach(sample -> text.append(sample).append('\n'));
        });
    return text.append("# EOF\n").toString();
  }

  /** The labels of a sample, in order. */
  private record Labels(Map<String, String> values) {
    static Labels of(String experiment) {
      return new Labels(Map.of()).and("experiment", experiment);
    }

    Labels and(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(values);
      more.put(name, value);
      return new Labels(more);
    }

    Labels and(Load load) {
      Labels labels = this;
      for (Map.Entry<Axis, Level> at : load.levels().entrySet()) {
        labels = labels.and(at.getKey().key(), at.getValue().text());
      }
      return labels;
    }

    String text() {
      return values.entrySet().stream()
          .map(entry -> entry.getKey() + "=\"" + escaped(entry.getValue()) + "\"")
          .collect(Collectors.joining(",", "{", "}"));
    }

    private static String escaped(String value) {
      return Visible.text(value).replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
  }
}
