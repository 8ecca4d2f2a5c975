package io.slicewise.run.result;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.workload.tiles.Tile;
import io.slicewise.workload.tiles.Tiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of each tile, as labels of the whole: a tile's own first, by its name, then those of
 * its labels if it has several.
 */
record TileResults(List<LoadResult> labels, List<Measure> measures) {
  /** Reduces the samples of each tile like a load of its own. */
  static TileResults of(FinishedLoad finished, Window window, List<Tile.Loaded> tiles) {
    List<LoadResult> labels = new ArrayList<>();
    List<Measure> measures = new ArrayList<>();
    double worst = 0;
    for (Tile.Loaded one : tiles) {
      String name = one.tile().name();
      List<GeneratorSamples> files =
          finished.generators().stream()
              .filter(output -> output.generator().equals(name))
              .map(GeneratorOutput::counted)
              .toList();
      TrialSamples samples = TrialSamples.reduce(files, window, one.workload());
      Reduction reduction = samples.reduction();
      LoadResult result = LoadResults.of(samples, window);
      labels.add(result.of(name, List.of()));
      if (result.labels().size() > 1) {
        result
            .labels()
            .forEach(label -> labels.add(label.of(name + ": " + label.label(), List.of())));
      }
      one.workload()
          .measures(reduction, files)
          .forEach(
              measure ->
                  measures.add(
                      new Measure(
                          name + ": " + measure.name(),
                          measure.unit(),
                          measure.moreIsBetter(),
                          measure.value())));
      worst = Math.max(worst, strain(one.tile(), result));
    }
    measures.add(new Measure(Tiles.WORST, "", false, worst));
    return new TileResults(labels, measures);
  }

  /** How near to its limit a tile is: 1 at the limit, more beyond it; {@code NaN} if unknown. */
  private static double strain(Tile tile, LoadResult result) {
    Optional<Aim.Goal> goal = tile.goal().map(Aim.Goal::parse);
    if (goal.isEmpty()) {
      return Double.NaN;
    }
    double limit = goal.get().limit().orElse(Double.NaN);
    double value = result.value(goal.get().metric());
    return goal.get().lowest() ? value / limit : limit / value;
  }
}
