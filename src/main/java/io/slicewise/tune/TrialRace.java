package io.slicewise.tune;

import io.slicewise.tune.Evidence.Block;
import io.slicewise.tune.Race.Answer;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A race in independent trials, one at a time. Every candidate is measured once in random order;
 * after that the next trial goes to one of the top two: the leader b, or its closest rival, the one
 * with the least (θ_b − θ_i + δ)/√(c_b²/n_b + c_i²/n_i), whichever gains more. δ in the distance
 * prevents candidates as good as the leader from taking all trials, since they need not be
 * distinguished.
 *
 * <p>Early variances are pooled strongly, since those of two or three trials are misleading. Once
 * the probability of a good selection is {@value #NEARLY_DECIDED} the rival is the one that lowers
 * it most according to the posterior, with its heavier tails.
 *
 * <p>Source: top-two sampling is D. Russo, <i>Simple Bayesian algorithms for best-arm
 * identification</i>, Operations Research 68 (2020); the rival by its distance X. Shang, R. de
 * Heide, P. Ménard, E. Kaufmann and M. Valko, <i>Fixed-confidence guarantees for Bayesian best-arm
 * identification</i>, AISTATS 2020; δ as the indifference zone of R. E. Bechhofer, Annals of
 * Mathematical Statistics 25 (1954).
 */
public final class TrialRace extends Race {
  private static final double NEARLY_DECIDED = 0.3;

  private final Rules rules;
  private final TrialEvidence evidence;
  private SplittableRandom random;
  private int trials;

  /** Creates a race without a baseline. */
  public TrialRace(Rules rules, int candidates, long seed) {
    this(rules, candidates, Standings.NO_BASELINE, seed);
  }

  /**
   * Creates a race against the settings found.
   *
   * @param baseline number of the candidate for the settings found
   */
  public TrialRace(Rules rules, int candidates, int baseline, long seed) {
    this(rules, new TrialEvidence(candidates, rules), baseline, seed);
  }

  private TrialRace(Rules rules, TrialEvidence evidence, int baseline, long seed) {
    super(new Standings(rules, evidence, baseline));
    this.rules = rules;
    this.evidence = evidence;
    restart(seed);
  }

  /** Resets the race to its initial state with another seed. */
  public void restart(long seed) {
    evidence.clear();
    standings.clear();
    random = new SplittableRandom(seed);
    trials = 0;
  }

  @Override
  public List<Integer> next() {
    int next = nextCandidate();
    return next < 0 ? List.of() : List.of(next);
  }

  /** Returns the candidate of the next trial; −1 when the race is over. */
  public int nextCandidate() {
    if (decided()) {
      return -1;
    }
    int unmeasured = anyUnmeasured();
    return unmeasured >= 0 ? unmeasured : mostInformative();
  }

  @Override
  public void add(Block block) {
    for (int i = 0; i < block.candidates().size(); i++) {
      add(block.candidates().get(i), block.values().get(i));
    }
  }

  /** Adds the result of one trial. */
  public void add(int candidate, double value) {
    evidence.add(candidate, value);
    trials++;
    if (mayStop()) {
      standings.judge();
      standings.dismiss(trials, rules.firstBlocks());
    } else {
      standings.findLeader();
    }
  }

  /** Updates the probability when the budget ends before the stopping rule is satisfied. */
  public void close() {
    standings.judge();
  }

  @Override
  public int enter() {
    evidence.enter();
    return standings.enter();
  }

  @Override
  public void exclude(int candidate, String reason) {
    standings.exclude(candidate, trials, reason);
  }

  @Override
  public boolean decided() {
    return mayStop() && standings.probability() >= rules.stop();
  }

  private boolean mayStop() {
    return trials >= rules.firstBlocks() * evidence.candidates();
  }

  @Override
  public Answer answer() {
    standings.judge();
    return super.answer();
  }

  @Override
  public TrialEvidence evidence() {
    return evidence;
  }

  /** Returns a random unmeasured candidate, by reservoir sampling. */
  private int anyUnmeasured() {
    int drawn = -1;
    int seen = 0;
    for (int i = 0; i < evidence.candidates(); i++) {
      if (standings.isIn(i) && evidence.observations(i) == 0 && random.nextInt(++seen) == 0) {
        drawn = i;
      }
    }
    return drawn;
  }

  /**
   * Returns the leader or its closest rival, whichever gains more from one more trial: the variance
   * of a mean falls by c²/(n(n + 1)).
   */
  private int mostInformative() {
    int leader = standings.leader();
    boolean planning = !mayStop() || standings.probability() < NEARLY_DECIDED;
    int rival = planning ? closest(leader) : likeliest(leader);
    return rival < 0 || gain(leader, planning) > gain(rival, planning) ? leader : rival;
  }

  /** Returns the rival with the smallest distance beyond the band, in standard errors. */
  private int closest(int leader) {
    int closest = -1;
    double least = Double.POSITIVE_INFINITY;
    double ofLeader = plannedOfMean(leader);
    for (int i = 0; i < evidence.candidates(); i++) {
      if (i != leader && standings.isIn(i)) {
        double distance = evidence.logRatio(leader, i) + rules.band();
        double errors = distance / Math.sqrt(ofLeader + plannedOfMean(i));
        if (errors < least) {
          least = errors;
          closest = i;
        }
      }
    }
    return closest;
  }

  /** Returns the rival most likely to beat the leader by more than δ. */
  private int likeliest(int leader) {
    int likeliest = -1;
    double most = -1;
    for (int i = 0; i < evidence.candidates(); i++) {
      if (i != leader && standings.isIn(i)) {
        double beats = 1 - Posterior.within(evidence, leader, i, rules.band());
        if (beats > most) {
          most = beats;
          likeliest = i;
        }
      }
    }
    return likeliest;
  }

  private double plannedOfMean(int candidate) {
    return evidence.plannedVariance(candidate) / evidence.observations(candidate);
  }

  private double gain(int candidate, boolean planning) {
    double variance = planning ? evidence.plannedVariance(candidate) : evidence.variance(candidate);
    double n = evidence.observations(candidate);
    return variance / (n * (n + 1));
  }
}
