package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays a table: the tuner, the full grid, sequential halving and equal allocation search for the
 * best profile of each load, many times.
 *
 * @param runs the budget per load in trials; 0 for {@value #DEFAULT_SHARE} of the full grid's
 *     budget
 * @param particular share of the variance between starts that is specific to the profile; only for
 *     {@link Noise#SESSION}
 */
public record Replay(
    Rules rules, int runs, Noise noise, double particular, int replications, long seed) {
  /** The default budget as a share of the full grid's runs. */
  public static final double DEFAULT_SHARE = 0.65;

  public Replay {
    if (runs < 0 || replications < 1 || !(particular >= 0 && particular <= 1)) {
      throw new IllegalArgumentException("not a replay");
    }
  }

  /** Replays all loads, in their order. */
  public ReplayReport of(List<Surface> surfaces) {
    return new ReplayReport(surfaces.stream().map(this::load).toList());
  }

  /** Returns the budget of a load, in trials. */
  public int budget(Surface surface) {
    return runs > 0
        ? runs
        : Math.max(
            surface.size(), (int) (DEFAULT_SHARE * EqualAllocation.gridRuns(surface) + 1e-9));
  }

  private ReplayReport.Load load(Surface surface) {
    List<ReplayReport.Score> scores = new ArrayList<>();
    for (Method method : methods(surface)) {
      scores.add(score(surface, method));
    }
    return new ReplayReport.Load(surface.users(), scores);
  }

  private List<Method> methods(Surface surface) {
    Draws draws = new Draws(surface, noise);
    int budget = budget(surface);
    return List.of(
        noise == Noise.SESSION
            ? new TunedSessions(surface, rules, new SessionDraws(surface, particular), budget)
            : new TunedTrials(surface, rules, draws, budget),
        EqualAllocation.grid(surface, rules, draws),
        new SequentialHalving(surface, rules, draws, budget),
        EqualAllocation.of(surface, rules, draws, budget));
  }

  private ReplayReport.Score score(Surface surface, Method method) {
    double[] losses = losses(surface);
    double limit = rules.within() + 1e-12;
    double runsUsed = 0;
    double loss = 0;
    int good = 0;
    int claims = 0;
    int falseClaims = 0;
    for (int replication = 0; replication < replications; replication++) {
      Method.End end = method.run(seedOf(surface, method, replication));
      boolean within = losses[end.choice()] <= limit;
      runsUsed += end.runs();
      loss += losses[end.choice()];
      good += within ? 1 : 0;
      claims += end.claimed() ? 1 : 0;
      falseClaims += end.claimed() && !within ? 1 : 0;
    }
    double all = replications;
    return new ReplayReport.Score(
        method.name(), runsUsed / all, good / all, loss / all, falseClaims / all, claims / all);
  }

  /** Returns the loss of choosing each profile, as a share of the best. */
  private double[] losses(Surface surface) {
    double[] losses = surface.means();
    double best = losses[0];
    for (double mean : losses) {
      best = rules.lowerIsBetter() ? Math.min(best, mean) : Math.max(best, mean);
    }
    for (int i = 0; i < losses.length; i++) {
      losses[i] = Math.abs(losses[i] - best) / best;
    }
    return losses;
  }

  /**
   * Returns a seed for each search: the finalizer of SplitMix64 over everything that identifies it.
   */
  private long seedOf(Surface surface, Method method, int replication) {
    long mixed = mix(seed + 0x9E3779B97F4A7C15L * (surface.users() + 1));
    mixed = mix(mixed ^ method.name().hashCode());
    return mix(mixed + replication);
  }

  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
