package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.experiment.Experiment.Order;
import java.time.Duration;
import java.util.Optional;

/** What an experiment file says under {@code stop}. */
final class StopReader {
  /** Two trials are the fewest that show any scatter. */
  private static final int SMALLEST_FIRST_STAGE = 2;

  private final YamlMap top;
  private final WorkloadSpec workload;
  private final Order order;
  private final int repetitions;

  StopReader(YamlMap top, WorkloadSpec workload, Order order, int repetitions) {
    this.top = top;
    this.workload = workload;
    this.order = order;
    this.repetitions = repetitions;
  }

  Optional<Stop> read() {
    Optional<YamlValue> value = top.get("stop");
    Optional<YamlMap> map = value.flatMap(v -> v.map(ExperimentKeys.STOP, " of stop"));
    if (map.isEmpty()) {
      return Optional.empty();
    }
    refuseWhereNothingCanBeJudged();
    Optional<Double> precision =
        map.get().required("precision").flatMap(v -> v.parsed(StopReader::precision));
    Stop.Rule rule =
        map.get()
            .get("rule")
            .flatMap(v -> v.oneOf(ExperimentKeys.STOP_RULES))
            .orElse(Defaults.STOP_RULE);
    Optional<YamlMap> within =
        map.get().required("within").flatMap(v -> v.map(ExperimentKeys.WITHIN, " of within"));
    Optional<Integer> trials = within.flatMap(bounds -> trials(bounds));
    Optional<Duration> time =
        within
            .flatMap(bounds -> bounds.required("time"))
            .flatMap(v -> v.parsed(DurationText::parse));
    return precision.isPresent() && trials.isPresent() && time.isPresent()
        ? Optional.of(new Stop(precision.get(), rule, trials.get(), time.get()))
        : Optional.empty();
  }

  private void refuseWhereNothingCanBeJudged() {
    if (!workload.loads()) {
      top.fault("stop", "stop has no meaning: nothing is loaded, so no metric becomes precise");
    }
    if (order != Order.BLOCKS) {
      top.fault("stop", "stop adds whole blocks, which 'order: " + order + "' has none of");
    }
    if (repetitions < SMALLEST_FIRST_STAGE) {
      top.fault(
          "stop", "stop needs at least 2 repetitions, its first stage; one trial has no scatter");
    }
  }

  private Optional<Integer> trials(YamlMap within) {
    Optional<Integer> trials =
        within
            .required("trials")
            .flatMap(v -> v.integer(SMALLEST_FIRST_STAGE, ExperimentReader.MOST_REPETITIONS));
    if (trials.filter(most -> most < repetitions).isPresent()) {
      within.fault(
          "trials",
          "trials " + trials.get() + " of within is below the " + repetitions + " repetitions");
    }
    return trials;
  }

  private static double precision(String text) {
    double share = PercentText.parse(text);
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("must lie between 0% and 100%");
    }
    return share;
  }
}
