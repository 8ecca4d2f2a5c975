package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;

/** Spends the budget equally: rounds of all profiles in random order, the last one cut short. */
final class EqualAllocation implements Method {
  /** The repetitions of every profile in the full grid, as in the 2010 study. */
  static final int GRID_REPETITIONS = 5;

  private final String name;
  private final MeasuredProfile measured;
  private final Draws draws;
  private final int budget;
  private final int[] order;

  private EqualAllocation(String name, Surface surface, Rules rules, Draws draws, int budget) {
    this.name = name;
    this.draws = draws;
    this.budget = budget;
    measured = new MeasuredProfile(surface.size(), rules);
    order = new int[surface.size()];
  }

  static Method of(Surface surface, Rules rules, Draws draws, int budget) {
    return new EqualAllocation("equal-allocation", surface, rules, draws, budget);
  }

  /** Returns a method with five repetitions of every profile. */
  static Method grid(Surface surface, Rules rules, Draws draws) {
    return new EqualAllocation("grid", surface, rules, draws, gridRuns(surface));
  }

  static int gridRuns(Surface surface) {
    return GRID_REPETITIONS * surface.size();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public End run(long seed) {
    draws.seed(seed);
    measured.clear();
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    for (int run = 0; run < budget; run++) {
      int at = run % order.length;
      int drawn = at + draws.below(order.length - at);
      int profile = order[drawn];
      order[drawn] = order[at];
      order[at] = profile;
      measured.add(profile, draws.next(profile));
    }
    return measured.end(budget);
  }
}
