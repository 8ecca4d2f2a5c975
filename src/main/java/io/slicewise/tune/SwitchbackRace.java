package io.slicewise.tune;

import java.util.List;

/**
 * A race inside switchback sessions. A block contains the baseline and all remaining candidates.
 * Candidates that are almost certainly not within δ of the best leave, so that later blocks are
 * shorter and more of them fit into the same time. The race does not stop before its third session,
 * because variance between starts is visible only across sessions.
 *
 * <p>Source: E. Paulson, <i>A sequential procedure for selecting the population with the largest
 * mean from k normal populations</i>, Annals of Mathematical Statistics 35 (1964), for elimination
 * on paired differences.
 */
public final class SwitchbackRace implements Race {
  private static final int LEAST_SESSIONS = 3;

  private final Rules rules;
  private final BlockEvidence evidence;
  private final Standings standings;
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
    this.rules = rules;
    evidence = new BlockEvidence(candidates, rules);
    standings = new Standings(rules, evidence, baseline);
  }

  /** Resets the race to its initial state. */
  public void restart() {
    evidence.clear();
    standings.clear();
    blocks = 0;
    sessions = 0;
  }

  @Override
  public List<Integer> next() {
    return decided() ? List.of() : standings.survivors();
  }

  /** Returns whether a candidate is part of the next block. */
  public boolean races(int candidate) {
    return standings.isIn(candidate);
  }

  @Override
  public void add(Block block) {
    add(
        block.session(),
        block.candidates().stream().mapToInt(Integer::intValue).toArray(),
        block.values().stream().mapToDouble(Double::doubleValue).toArray(),
        block.candidates().size());
  }

  /** Adds a block: the first {@code size} entries of the arrays. */
  public void add(int session, int[] candidates, double[] values, int size) {
    evidence.add(session, candidates, values, size);
    blocks++;
    sessions = Math.max(sessions, session + 1);
    standings.judge();
    if (blocks >= rules.firstBlocks()) {
      standings.dismiss(blocks, rules.firstBlocks());
    }
  }

  @Override
  public int enter() {
    evidence.enter();
    return standings.enter();
  }

  @Override
  public void exclude(int candidate, String reason) {
    standings.exclude(candidate, blocks, reason);
  }

  @Override
  public boolean decided() {
    return sessions >= LEAST_SESSIONS
        && evidence.observations(standings.leader()) >= rules.firstBlocks()
        && standings.probability() >= rules.stop();
  }

  @Override
  public int leader() {
    return standings.leader();
  }

  @Override
  public double probability() {
    return standings.probability();
  }

  @Override
  public List<Integer> survivors() {
    return standings.survivors();
  }

  @Override
  public List<Departure> departures() {
    return standings.departures();
  }

  @Override
  public Answer answer() {
    return standings.answer();
  }

  @Override
  public Evidence evidence() {
    return evidence;
  }
}
