package io.slicewise.tune;

import io.slicewise.tune.Race.Answer;
import io.slicewise.tune.Race.Departure;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The candidates in a race, those that left with their reasons, and the leader with its
 * probability.
 */
final class Standings {
  /** Stands for the baseline in a race without one. */
  static final int NO_BASELINE = -1;

  private final Rules rules;
  private final Evidence evidence;
  private final int baseline;
  private final List<Departure> departures = new ArrayList<>();
  private boolean[] in;
  private boolean[] eligible;
  private int leader = -1;
  private double probability;

  Standings(Rules rules, Evidence evidence, int baseline) {
    this.rules = rules;
    this.evidence = evidence;
    this.baseline = baseline;
    in = new boolean[evidence.candidates()];
    eligible = new boolean[evidence.candidates()];
    clear();
  }

  void clear() {
    Arrays.fill(in, true);
    Arrays.fill(eligible, true);
    departures.clear();
    leader = -1;
    probability = 0;
  }

  /** Adds a candidate that the evidence already contains. */
  int enter() {
    int entered = in.length;
    in = Arrays.copyOf(in, entered + 1);
    eligible = Arrays.copyOf(eligible, entered + 1);
    in[entered] = true;
    eligible[entered] = true;
    judge();
    return entered;
  }

  /** Removes a candidate for good; those that left for being too far from it come back. */
  void exclude(int candidate, int block, String reason) {
    if (eligible[candidate] && in[candidate]) {
      departures.add(new Departure(candidate, block, reason));
    }
    in[candidate] = false;
    eligible[candidate] = false;
    recall();
    judge();
  }

  private void recall() {
    int best = Posterior.leader(evidence, eligible);
    for (int i = 0; i < in.length; i++) {
      int candidate = i;
      if (eligible[i] && !in[i] && !isFarFrom(best, i)) {
        in[i] = true;
        departures.removeIf(left -> left.candidate() == candidate);
      }
    }
  }

  private boolean isFarFrom(int best, int candidate) {
    return candidate != best
        && Posterior.within(evidence, candidate, best, rules.band()) < rules.leave();
  }

  /** Updates the leader and its probability. */
  void judge() {
    leader = Posterior.leader(evidence, in);
    probability = leader < 0 ? 0 : Posterior.good(evidence, eligible, leader, rules.band());
  }

  /** Updates the leader only, while its probability is not needed. */
  void findLeader() {
    leader = Posterior.leader(evidence, in);
    probability = 0;
  }

  /** Removes candidates that were measured often enough and are almost certainly not good. */
  void dismiss(int block, int leastObservations) {
    boolean left = false;
    for (int i = 0; i < in.length; i++) {
      if (in[i]
          && i != baseline
          && evidence.observations(i) >= leastObservations
          && isFarFrom(leader, i)) {
        in[i] = false;
        left = true;
        departures.add(new Departure(i, block, reason()));
      }
    }
    if (left) {
      judge();
    }
  }

  private String reason() {
    String percent =
        BigDecimal.valueOf(100 * rules.within())
            .round(new MathContext(3))
            .stripTrailingZeros()
            .toPlainString();
    return "P(within %s %% of the best) < %s".formatted(percent, rules.leave());
  }

  boolean isIn(int candidate) {
    return in[candidate];
  }

  int leader() {
    return leader;
  }

  double probability() {
    return probability;
  }

  List<Integer> survivors() {
    List<Integer> survivors = new ArrayList<>();
    for (int i = 0; i < in.length; i++) {
      if (in[i]) {
        survivors.add(i);
      }
    }
    return survivors;
  }

  List<Departure> departures() {
    return List.copyOf(departures);
  }

  Answer answer() {
    if (leader < 0) {
      return new Answer(Answer.Kind.KEEP, baseline, List.of(), 0);
    }
    boolean claimed = probability >= rules.confidence();
    List<Integer> set = possibleBest();
    if (baseline != NO_BASELINE && (claimed ? !beatsBaseline() : set.contains(baseline))) {
      return new Answer(Answer.Kind.KEEP, leader, set, probability);
    }
    return new Answer(claimed ? Answer.Kind.PROFILE : Answer.Kind.SET, leader, set, probability);
  }

  /** Returns a lower bound of the probability that the baseline is within δ of the best. */
  double keeping() {
    return baseline == NO_BASELINE || leader < 0
        ? 0
        : Posterior.good(evidence, eligible, baseline, rules.band());
  }

  private boolean beatsBaseline() {
    return leader != baseline
        && Posterior.exceeds(evidence, leader, baseline, 0) >= rules.confidence();
  }

  private List<Integer> possibleBest() {
    List<Integer> set = new ArrayList<>();
    for (int i = 0; i < in.length; i++) {
      if (in[i]
          && evidence.observations(i) > 0
          && (i == leader
              || Posterior.within(evidence, i, leader, rules.band()) > 1 - rules.confidence())) {
        set.add(i);
      }
    }
    set.sort(Comparator.comparingDouble((Integer i) -> -evidence.logRatio(i, leader)));
    return set;
  }
}
