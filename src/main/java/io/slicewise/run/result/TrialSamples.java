package io.slicewise.run.result;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.workload.Turns;
import io.slicewise.workload.Workload;
import io.slicewise.workload.tiles.Tile;
import io.slicewise.workload.tiles.Tiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A trial's samples, reduced according to its workload.
 *
 * @param reduction the total
 * @param transactions additional sums with their own labels
 * @param turns the users' turns, if their pauses count as think time
 */
public record TrialSamples(
    Reduction reduction, Counted counted, List<SampleSummary> transactions, Optional<Turns> turns) {
  /** Reduces the outputs of all generators of a trial together. */
  public static TrialLoad load(FinishedLoad finished, Window window, Workload workload) {
    List<GeneratorSamples> files = files(finished);
    TrialSamples samples = reduce(files, window, workload);
    long untimed = samples.reduction().untimed();
    TrialLoad load = load(finished, files, samples, window, workload);
    return untimed == 0
        ? load
        : load.withFault(
            Phrase.of(
                "requests that could not be made (as with a malformed URL) and have no time: %d; how"
                    + " many belong to the window is unknown",
                untimed));
  }

  private static TrialLoad load(
      FinishedLoad finished,
      List<GeneratorSamples> files,
      TrialSamples samples,
      Window window,
      Workload workload) {
    if (!workload.tiles().isEmpty()) {
      TileResults tiles = TileResults.of(finished, window, workload.tiles());
      LoadResult whole = LoadResults.of(samples, window);
      return new TrialLoad(
          Optional.of(whole.of(whole.label(), tiles.labels())),
          generators(finished, samples.reduction()),
          tiles.measures());
    }
    return new TrialLoad(
        Optional.of(LoadResults.of(samples, window)),
        generators(finished, samples.reduction()),
        workload.measures(samples.reduction(), files));
  }

  private static List<GeneratorResult> generators(FinishedLoad finished, Reduction reduction) {
    return IntStream.range(0, finished.generators().size())
        .mapToObj(
            place ->
                GeneratorResult.of(
                    finished.generators().get(place), reduction.generators().get(place)))
        .toList();
  }

  private static List<GeneratorSamples> files(FinishedLoad finished) {
    return finished.generators().stream().map(GeneratorOutput::counted).toList();
  }

  /** Returns the time from the first request's start to the last answer's end; empty if none. */
  public static Optional<Window> span(FinishedLoad finished) {
    return Turns.span(files(finished));
  }

  static TrialSamples reduce(List<GeneratorSamples> files, Window window, Workload workload) {
    ReductionOptions options = ReductionOptions.standard();
    Reduction reduction =
        Reductions.reduce(
            files, window, options.counting(workload.counted()).totalling(workload.totalLabels()));
    boolean sums = workload.listsTransactions() && reduction.leftOut().transactions() > 0;
    return new TrialSamples(
        reduction,
        workload.counted(),
        sums
            ? Reductions.reduce(files, window, options.counting(Counted.TRANSACTIONS_BY_LABEL))
                .labels()
            : List.of(),
        workload.pausesAreThinking() ? Optional.of(Turns.read(files, window)) : Optional.empty());
  }

  /**
   * The results of each tile, as labels of the whole: a tile's own first, by its name, then those
   * of its labels if it has several.
   */
  private record TileResults(List<LoadResult> labels, List<Measure> measures) {
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
}
