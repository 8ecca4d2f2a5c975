package io.slicewise.experiment;

import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Creates the trials of an experiment in their order.
 *
 * <p>Block k contains the k-th repetition of every cell, including the baseline, in random order,
 * so that drift of the host affects all profiles alike. One generator, {@link Random} seeded with
 * the experiment's seed, draws all blocks in sequence; a longer experiment therefore starts with
 * the same blocks as a shorter one.
 */
public final class Plan {
  private Plan() {}

  /** Returns all trials, numbered from 1; with a {@code stop}, those of its first stage. */
  public static List<Trial> of(Experiment experiment) {
    return of(experiment, experiment.repetitions());
  }

  /** Returns the trials of that many blocks (repetitions), numbered from 1. */
  public static List<Trial> of(Experiment experiment, int blocks) {
    if (experiment.design().isPresent()) {
      return experiment.pairs().isPresent()
          ? new PairPlan(experiment).all()
          : SessionPlan.of(experiment);
    }
    return experiment.order().hasBlocks()
        ? blocks(experiment, blocks)
        : asWritten(experiment, blocks);
  }

  /**
   * Returns the largest number of blocks: more than the repetitions if a {@code stop} allows it.
   */
  public static int mostBlocks(Experiment experiment) {
    return experiment.stop().map(Stop::trials).orElse(experiment.repetitions());
  }

  /** Returns the duration of one trial: warm-up, measured window, cool-down. */
  public static Duration trialTime(Experiment experiment) {
    if (experiment.design().isPresent()) {
      return SessionPlan.washOut(experiment).plus(experiment.measure());
    }
    return experiment.warmUp().plus(experiment.measure()).plus(experiment.coolDown());
  }

  private record Cell(String profile, Load load) {}

  private static List<Trial> blocks(Experiment experiment, int blocks) {
    Random random = new Random(experiment.seed());
    List<Trial> trials = new ArrayList<>();
    for (int block = 1; block <= blocks; block++) {
      List<Cell> cells = cells(experiment);
      Collections.shuffle(cells, random);
      for (Cell cell : cells) {
        trials.add(new Trial(trials.size() + 1, block, cell.profile(), cell.load(), block));
      }
    }
    return List.copyOf(trials);
  }

  private static List<Trial> asWritten(Experiment experiment, int repetitions) {
    List<Trial> trials = new ArrayList<>();
    for (Cell cell : cells(experiment)) {
      for (int repetition = 1; repetition <= repetitions; repetition++) {
        trials.add(
            new Trial(trials.size() + 1, repetition, cell.profile(), cell.load(), repetition));
      }
    }
    return List.copyOf(trials);
  }

  private static List<Cell> cells(Experiment experiment) {
    List<Cell> cells = new ArrayList<>();
    for (SchedulerProfile profile : experiment.profiles()) {
      for (Load load : experiment.loads()) {
        cells.add(new Cell(profile.name(), load));
      }
    }
    if (experiment.order().equals(Order.LOADS_AS_WRITTEN)) {
      cells.sort(Comparator.comparingInt(cell -> experiment.loads().indexOf(cell.load())));
    }
    return cells;
  }
}
