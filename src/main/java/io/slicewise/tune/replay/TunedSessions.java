package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;
import io.slicewise.tune.SwitchbackRace;

/** The tuner's race in switchback sessions of six blocks each, as a tune without a design has. */
final class TunedSessions implements Method {
  private static final int BLOCKS = 6;

  private final Rules rules;
  private final SessionDraws draws;
  private final SwitchbackRace race;
  private final int budget;
  private final int[] block;
  private final double[] values;

  /**
   * Creates a race at one load.
   *
   * @param runs the budget in trials of 30 minutes
   */
  TunedSessions(Surface surface, Rules rules, SessionDraws draws, int runs) {
    this.rules = rules;
    this.draws = draws;
    budget = (int) (runs / SessionDraws.RUNS_PER_WINDOW);
    block = new int[surface.size()];
    values = new double[surface.size()];
    race = new SwitchbackRace(rules, surface.size());
  }

  @Override
  public String name() {
    return TunedTrials.NAME;
  }

  @Override
  public End run(long seed) {
    draws.seed(seed);
    race.restart();
    double windows = 0;
    int session = -1;
    int blocks = 0;
    for (int size = members(); !race.decided(); size = members()) {
      double cost = size + (blocks == 0 ? SessionDraws.WINDOWS_PER_START : 0);
      if (windows + cost > budget) {
        break;
      }
      if (blocks == 0) {
        session++;
        blocks = BLOCKS;
        draws.start();
      }
      draws.shuffle(block, size);
      for (int i = 0; i < size; i++) {
        values[i] = draws.next(block[i]);
      }
      race.add(session, block, values, size);
      windows += cost;
      blocks--;
    }
    return new End(
        Math.max(0, race.leader()),
        windows * SessionDraws.RUNS_PER_WINDOW,
        race.probability() >= rules.confidence());
  }

  private int members() {
    int size = 0;
    for (int i = 0; i < block.length; i++) {
      if (race.races(i)) {
        block[size++] = i;
      }
    }
    return size;
  }
}
