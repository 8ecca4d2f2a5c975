package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.facts.Conditions;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Environment;
import io.slicewise.run.HostIdentity;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a run that is needed to compare it with other runs: its cells with one value per
 * trial, and the host and conditions. Also the content of a named baseline, which outlives the run
 * directory.
 *
 * @param begun the start of its journal
 */
public record MeasuredRun(
    String name,
    String experiment,
    Instant begun,
    @JsonUnwrapped Place place,
    Conditions conditions,
    String baseline,
    List<MeasuredCell> cells,
    ControlCheck control,
    @JsonUnwrapped Counts counts) {
  public MeasuredRun {
    cells = List.copyOf(cells);
  }

  /**
   * Where a run was measured.
   *
   * @param host empty if the run never reached one, or nothing was measured
   */
  public record Place(Origin origin, Optional<HostIdentity> host) {
    /** Returns the host, measured or simulated; empty if it is unknown. */
    public Optional<HostIdentity> identity() {
      return origin.isSimulated() ? Optional.of(HostIdentity.simulated(origin)) : host;
    }
  }

  /**
   * The number of trials.
   *
   * @param planned including added blocks
   * @param finished valid or not
   */
  public record Counts(int planned, int finished, int excluded) {}

  /**
   * The valid trials of a profile at a load.
   *
   * @param settings of the profile, by domain, as text
   * @param control whether it is an A/A control
   * @param confirmation whether the values are of a tune's confirmation alone
   * @param values one per trial in run order; unknown metrics are absent
   */
  public record MeasuredCell(
      String profile,
      Map<String, String> settings,
      boolean control,
      boolean confirmation,
      @JsonUnwrapped Load load,
      Map<Metric, List<Double>> values) {
    /** Returns one value per trial; empty if the metric is unknown. */
    public double[] of(Metric metric) {
      return values.getOrDefault(metric, List.of()).stream()
          .mapToDouble(Double::doubleValue)
          .toArray();
    }
  }

  /**
   * Returns the results of a run so far.
   *
   * @param control its check of itself
   */
  public static MeasuredRun of(LoadedRun run, ControlCheck control) {
    Experiment experiment = run.experiment();
    List<TrialResult> results = run.results();
    Attempts attempts = new Attempts(results);
    return new MeasuredRun(
        run.name(),
        experiment.name(),
        run.events().stream().findFirst().map(JournalEvent::at).orElse(Instant.EPOCH),
        new Place(run.origin(), run.environment().map(Environment::identity)),
        Conditions.of(experiment),
        experiment.baseline(),
        cells(experiment, results, false),
        control,
        new Counts(planned(run), attempts.trials(), attempts.excluded()));
  }

  /** Returns the number of planned trials, including the blocks added so far. */
  public static int planned(LoadedRun run) {
    return run.record().trials(run.experiment()).size();
  }

  private static List<MeasuredCell> cells(
      Experiment experiment, List<TrialResult> results, boolean confirmation) {
    List<MeasuredCell> cells = new ArrayList<>();
    for (CellTrials cell : CellTrials.of(experiment, results)) {
      Map<Metric, List<Double>> values = new LinkedHashMap<>();
      for (Metric metric : Metric.of(experiment)) {
        double[] known = cell.values(metric);
        if (known.length > 0) {
          values.put(metric, Arrays.stream(known).boxed().toList());
        }
      }
      SchedulerProfile profile = experiment.profile(cell.profile());
      cells.add(
          new MeasuredCell(
              cell.profile(),
              settings(experiment.settings(profile)),
              Comparisons.isControl(experiment, cell.profile()),
              confirmation,
              cell.load(),
              values));
    }
    return cells;
  }

  private static Map<String, String> settings(Map<String, SchedulerParameters> settings) {
    Map<String, String> words = new LinkedHashMap<>();
    settings.forEach(
        (domain, parameters) ->
            words.put(
                domain, parameters.scheduler().xenName() + " " + ParametersText.of(parameters)));
    return words;
  }

  /**
   * Returns this run with the values of a tune's confirmation in place of those of all windows.
   *
   * @param pair the experiment with the confirmed profile and the baseline, at the loads of the
   *     confirmation
   * @param results of the confirmation
   */
  public MeasuredRun confirmed(Experiment pair, List<TrialResult> results) {
    Map<List<Object>, MeasuredCell> confirmed = new HashMap<>();
    cells(pair, results, true)
        .forEach(cell -> confirmed.put(List.of(cell.profile(), cell.load()), cell));
    return with(
        cells.stream()
            .map(cell -> confirmed.getOrDefault(List.of(cell.profile(), cell.load()), cell))
            .toList());
  }

  /** Returns a copy with only these cells. */
  public MeasuredRun with(List<MeasuredCell> some) {
    return new MeasuredRun(
        name, experiment, begun, place, conditions, baseline, some, control, counts);
  }

  /** Returns the cell of that profile and load, if it has any value. */
  public Optional<MeasuredCell> cell(String profile, Load load) {
    return cells.stream()
        .filter(cell -> cell.profile().equals(profile) && cell.load().equals(load))
        .filter(cell -> !cell.values().isEmpty())
        .findFirst();
  }

  /** Returns whether the experiment has that cell, with or without values. */
  public boolean has(String profile, Load load) {
    return cells.stream()
        .anyMatch(cell -> cell.profile().equals(profile) && cell.load().equals(load));
  }

  /** Returns whether the metric is known in every valid trial. */
  public boolean knows(Metric metric) {
    return known(metric) == trials();
  }

  /** Returns the number of valid trials, or of sessions of a profile, that have the metric. */
  public long known(Metric metric) {
    return cells.stream().mapToLong(cell -> cell.of(metric).length).sum();
  }

  /** Returns the number of valid trials, or of sessions of a profile. */
  public long trials() {
    return cells.stream()
        .mapToLong(cell -> cell.values().values().stream().mapToInt(List::size).max().orElse(0))
        .sum();
  }
}
