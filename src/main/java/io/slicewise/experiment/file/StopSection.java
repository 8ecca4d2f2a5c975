package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.WorkloadSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The key of an experiment file that says when a sweep has seen enough. */
public record StopSection(
    Path file, YamlMap top, WorkloadSpec workload, Order order, int repetitions) {
  /** Two trials are the fewest with a variance. */
  private static final int SMALLEST_FIRST_STAGE = 2;

  public static final List<Option> OPTIONS =
      List.of(
          Option.needed(
              "precision",
              new Quantity.Percentage(),
              "half the width of each cell's 95 % interval of the primary metric, relative to the"
                  + " estimate"),
          Option.withDefault(
              "rule",
              OptionKind.Word.of(Stop.Rule.values()),
              Defaults.STOP_RULE.toString(),
              "two-stage: Stein's, from the first stage's scatter; always-valid: a confidence"
                  + " sequence, wider, evaluated after every block"),
          Option.needed(
              "within",
              new OptionKind.Group(
                  List.of(
                      Option.needed(
                          "trials",
                          new OptionKind.Whole(
                              SMALLEST_FIRST_STAGE, ExperimentReader.MOST_REPETITIONS),
                          "maximum number of trials of a cell, including the repetitions"),
                      Option.needed(
                          "time",
                          Quantity.Time.ANY,
                          "the time since the start of the run; a block that would end later does"
                              + " not begin"))),
              "both limits apply; the first stage always runs in full"));

  Optional<Stop> read() {
    Optional<YamlMap> map =
        top.get("stop").flatMap(value -> value.map(Option.names(OPTIONS), " of stop"));
    if (map.isEmpty()) {
      return Optional.empty();
    }
    refuseWhereNothingCanBeJudged();
    Options stop = new Options(Option.readAll(OPTIONS, map.get(), file, true));
    boolean precise = stop.has("precision") && isPrecise(map.get(), stop);
    Optional<Options> within = stop.group("within").filter(bounds -> bounds.has("trials"));
    within.ifPresent(bounds -> checkFirstStage(map.get(), bounds.integer("trials")));
    return within
        .filter(bounds -> precise && bounds.has("time"))
        .map(
            bounds ->
                new Stop(
                    stop.share("precision"),
                    stop.constant("rule", Stop.Rule.class),
                    bounds.integer("trials"),
                    bounds.time("time")));
  }

  private void checkFirstStage(YamlMap map, int trials) {
    if (trials < repetitions) {
      map.get("within")
          .flatMap(value -> value.anyMap(""))
          .ifPresent(bounds -> belowFirstStage(bounds, trials));
    }
  }

  private void belowFirstStage(YamlMap within, int trials) {
    within.fault(
        "trials", "trials %d of within is below the %d repetitions".formatted(trials, repetitions));
  }

  private static boolean isPrecise(YamlMap map, Options stop) {
    double share = stop.share("precision");
    if (share > 0 && share < 1) {
      return true;
    }
    map.get("precision").orElseThrow().refuse("must be between 0% and 100%");
    return false;
  }

  private void refuseWhereNothingCanBeJudged() {
    if (!workload.loads()) {
      top.fault("stop", "stop has no meaning: nothing is loaded, so no metric becomes precise");
    }
    if (!order.equals(Order.BLOCKS)) {
      top.fault("stop", "stop adds whole blocks, and 'order: " + order + "' has no blocks");
    }
    if (repetitions < SMALLEST_FIRST_STAGE) {
      top.fault(
          "stop",
          "stop needs at least 2 repetitions as its first stage; a single trial has no variance");
    }
  }

  static YamlWriter write(Stop stop) {
    return new YamlWriter()
        .share("precision", stop.precision())
        .put("rule", stop.rule())
        .put("within", new YamlWriter().put("trials", stop.trials()).put("time", stop.time()));
  }
}
