package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;
import io.slicewise.tune.TrialRace;

/** The tuner's race in independent trials. */
final class TunedTrials implements Method {
  static final String NAME = "slicewise";

  private final Rules rules;
  private final Draws draws;
  private final TrialRace race;
  private final int budget;

  TunedTrials(Surface surface, Rules rules, Draws draws, int budget) {
    this.rules = rules;
    this.draws = draws;
    this.budget = budget;
    race = new TrialRace(rules, surface.size(), 0);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public End run(long seed) {
    draws.seed(seed);
    race.restart(seed);
    int runs = 0;
    for (int next = race.nextCandidate(); next >= 0 && runs < budget; runs++) {
      race.add(next, draws.next(next));
      next = race.nextCandidate();
    }
    race.close();
    return new End(race.leader(), runs, race.probability() >= rules.confidence());
  }
}
