package io.slicewise.tune;

import io.slicewise.tune.Evidence.Block;
import java.util.Arrays;
import java.util.List;

/**
 * A race inside switchback sessions. A block contains the baseline, the leader, and other remaining
 * candidates as often as they may be better than the leader: in every block from a probability of
 * {@value #ALWAYS} on, in one of four at least. Candidates that are almost certainly not within δ
 * of the best leave. So later blocks are shorter, and more of them fit into the same time. The race
 * does not stop before its third session, because variance between starts is visible only across
 * sessions.
 *
 * <p>Source: E. Paulson, <i>A sequential procedure for selecting the population with the largest
 * mean from k normal populations</i>, Annals of Mathematical Statistics 35 (1964), for elimination
 * on paired differences.
 */
public final class SwitchbackRace extends Race {
  private static final int LEAST_SESSIONS = 3;

  /** The blocks that contain all candidates. */
  private static final int FIRST_BLOCKS = 6;

  /** The probability of being better than the leader at which a candidate is in every block. */
  private static final double ALWAYS = 0.25;

  /** The smallest share of blocks that a remaining candidate is in. */
  private static final double LEAST_SHARE = 0.25;

  private final Rules rules;
  private final BlockEvidence evidence;
  private final int baseline;
  private double[] due;
  private boolean[] next;
  private int blocks;
  private int sessions;

  /** Creates a race without a baseline. */
  public SwitchbackRace(Rules rules, int candidates) {
    this(rules, candidates, Standings.NO_BASELINE);
  }

  /**
   * Creates a race against the settings found.
   *
   * @param baseline number of the candidate for the settings found; part of every block
   */
  public SwitchbackRace(Rules rules, int candidates, int baseline) {
    this(rules, new BlockEvidence(candidates, rules), baseline);
  }

  private SwitchbackRace(Rules rules, BlockEvidence evidence, int baseline) {
    super(new Standings(rules, evidence, baseline));
    this.rules = rules;
    this.evidence = evidence;
    this.baseline = baseline;
    due = new double[evidence.candidates()];
    next = new boolean[evidence.candidates()];
    choose();
  }

  /** Resets the race to its initial state. */
  public void restart() {
    evidence.clear();
    standings.clear();
    blocks = 0;
    sessions = 0;
    Arrays.fill(due, 0);
    choose();
  }

  @Override
  public List<Integer> next() {
    return decided() ? List.of() : standings.survivors().stream().filter(i -> next[i]).toList();
  }

  /** Returns whether a candidate is part of the next block. */
  public boolean races(int candidate) {
    return next[candidate] && standings.isIn(candidate);
  }

  @Override
  public void add(Block block) {
    evidence.add(block);
    added(block.session());
  }

  /** Adds a block: the first {@code size} entries of the arrays. */
  public void add(int session, int[] candidates, double[] values, int size) {
    evidence.add(session, candidates, values, size);
    added(session);
  }

  private void added(int session) {
    blocks++;
    sessions = Math.max(sessions, session + 1);
    standings.judge();
    if (blocks >= rules.firstBlocks()) {
      standings.dismiss(blocks, rules.firstBlocks());
    }
    choose();
  }

  /** Chooses the candidates of the next block, at least two of them. */
  private void choose() {
    int leader = standings.leader();
    int rival = -1;
    double most = -1;
    int members = 0;
    for (int i = 0; i < next.length; i++) {
      next[i] = standings.isIn(i);
      if (next[i] && i != leader && i != baseline) {
        double chance = leader < 0 ? 1 : Posterior.exceeds(evidence, i, leader, 0);
        next[i] = isDue(i, chance);
        if (chance > most) {
          most = chance;
          rival = i;
        }
        members += next[i] ? 1 : 0;
      }
    }
    if (members == 0 && rival >= 0) {
      next[rival] = true;
    }
  }

  private boolean isDue(int candidate, double chance) {
    if (blocks < FIRST_BLOCKS || evidence.observations(candidate) < rules.firstBlocks()) {
      return true;
    }
    due[candidate] += Math.min(1, Math.max(LEAST_SHARE, chance / ALWAYS));
    boolean now = due[candidate] >= 1;
    due[candidate] -= now ? 1 : 0;
    return now;
  }

  @Override
  public int enter() {
    evidence.enter();
    int entered = standings.enter();
    due = Arrays.copyOf(due, entered + 1);
    next = Arrays.copyOf(next, entered + 1);
    next[entered] = true;
    return entered;
  }

  @Override
  public void exclude(int candidate, String reason) {
    List<Integer> before = standings.survivors();
    standings.exclude(candidate, blocks, reason);
    standings.survivors().stream().filter(i -> !before.contains(i)).forEach(i -> next[i] = true);
  }

  @Override
  public boolean decided() {
    return sessions >= LEAST_SESSIONS
        && leader() >= 0
        && evidence.observations(standings.leader()) >= rules.firstBlocks()
        && standings.probability() >= rules.stop();
  }

  @Override
  public Evidence evidence() {
    return evidence;
  }
}
