package io.slicewise.run.result;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.workload.tiles.Tile;
import io.slicewise.workload.tiles.Tiles;
import java.util.ArrayList;
import java.util.List;

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
      worst =
          Math.max(
              worst,
              Aim.Goal.of(one.tile())
                  .map(goal -> goal.strain(result.value(goal.metric())))
                  .orElse(Double.NaN));
    }
    measures.add(new Measure(Tiles.WORST, "", false, worst));
    return new TileResults(labels, measures);
  }
}
