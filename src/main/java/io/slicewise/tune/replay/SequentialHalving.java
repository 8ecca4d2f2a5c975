package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;

/**
 * Sequential halving: ⌈log₂ k⌉ rounds with equal parts of the budget; each round measures its
 * profiles equally often and keeps the better half by the mean of all their trials. Trials lost to
 * rounding go to the last round, and a budget too small for one trial each shortens rounds.
 *
 * <p>Source: Z. Karnin, T. Koren and O. Somekh, <i>Almost optimal exploration in multi-armed
 * bandits</i>, ICML 2013.
 */
final class SequentialHalving implements Method {
  private final MeasuredProfile measured;
  private final Draws draws;
  private final int budget;
  private final int[] profiles;

  SequentialHalving(Surface surface, Rules rules, Draws draws, int budget) {
    this.draws = draws;
    this.budget = budget;
    measured = new MeasuredProfile(surface.size(), rules);
    profiles = new int[surface.size()];
  }

  @Override
  public String name() {
    return "sequential-halving";
  }

  @Override
  public End run(long seed) {
    draws.seed(seed);
    measured.clear();
    shuffle();
    int rounds = 32 - Integer.numberOfLeadingZeros(profiles.length - 1);
    int left = budget;
    int size = profiles.length;
    for (int round = 1; round <= rounds; round++) {
      int part = round == rounds ? left : Math.min(left, budget / rounds / size * size);
      part = Math.min(left, Math.max(part, size));
      for (int run = 0; run < part; run++) {
        int profile = profiles[run % size];
        measured.add(profile, draws.next(profile));
      }
      left -= part;
      measured.bestFirst(profiles, size);
      size = (size + 1) / 2;
    }
    return measured.end(budget - left);
  }

  private void shuffle() {
    for (int i = 0; i < profiles.length; i++) {
      int j = draws.below(i + 1);
      profiles[i] = profiles[j];
      profiles[j] = i;
    }
  }
}
