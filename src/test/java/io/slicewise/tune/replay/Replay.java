package io.slicewise.tune.replay;

import io.slicewise.tune.Rules;
import io.slicewise.tune.SwitchbackRace;
import io.slicewise.tune.TrialEvidence;
import io.slicewise.tune.TrialRace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

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

  /** Spends the budget equally: rounds of all profiles in random order, the last one cut short. */
  static final class EqualAllocation implements Method {
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

  /**
   * Sequential halving: ⌈log₂ k⌉ rounds with equal parts of the budget; each round measures its
   * profiles equally often and keeps the better half by the mean of all their trials. Trials lost
   * to rounding go to the last round, and a budget too small for one trial each shortens rounds.
   *
   * <p>Source: Z. Karnin, T. Koren and O. Somekh, <i>Almost optimal exploration in multi-armed
   * bandits</i>, ICML 2013.
   */
  static final class SequentialHalving implements Method {
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

  /** The tuner's race in switchback sessions of six blocks each, as a tune without a design has. */
  static final class TunedSessions implements Method {
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

  /**
   * The trials of a design without a decision rule of its own, evaluated like those of the tuner.
   */
  private static final class MeasuredProfile {
    private final Rules rules;
    private final TrialEvidence evidence;

    MeasuredProfile(int profiles, Rules rules) {
      this.rules = rules;
      evidence = new TrialEvidence(profiles, rules);
    }

    void clear() {
      evidence.clear();
    }

    void add(int profile, double value) {
      evidence.add(profile, value);
    }

    /**
     * Sorts the first {@code size} profiles by their mean, the best first; unmeasured ones last.
     */
    void bestFirst(int[] profiles, int size) {
      for (int i = 1; i < size; i++) {
        int profile = profiles[i];
        int at = i;
        for (; at > 0 && better(profile, profiles[at - 1]); at--) {
          profiles[at] = profiles[at - 1];
        }
        profiles[at] = profile;
      }
    }

    Method.End end(int runs) {
      int best = evidence.best();
      return new Method.End(
          best, runs, evidence.probabilityGood(best, rules) >= rules.confidence());
    }

    private boolean better(int profile, int other) {
      return evidence.observations(profile) > 0
          && (evidence.observations(other) == 0 || evidence.logRatio(profile, other) > 0);
    }
  }

  /** The tuner's race in independent trials. */
  static final class TunedTrials implements Method {
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

  /** A method to find the best profile of one load, which can be replayed any number of times. */
  interface Method {
    /** Returns the name in tables and JSON. */
    String name();

    /** Searches for the best profile once; the same seed gives the same result. */
    End run(long seed);

    /**
     * The result of one search.
     *
     * @param runs used, in units of one trial
     * @param claimed whether the choice is claimed to be within δ of the best
     */
    record End(int choice, double runs, boolean claimed) {}
  }

  /**
   * Draws windows of switchback sessions around the means of a table.
   *
   * <p>A trial of 30 minutes has the coefficient of variation c (25 % in the 2010 study). 95 % of
   * its variance is drawn once per start; a given share of that is specific to the profile, the
   * rest is common to all. A session adds first-order autoregressive noise of 0.8·c per 10 s (20 %
   * where c is 25 %) with a correlation time of 60 s. A window is 5 s of wash-out and 30 s of
   * measurement; the start of a session takes two minutes. All effects are logarithmic.
   */
  private static final class SessionDraws {
    /** The time of a start in windows. */
    static final double WINDOWS_PER_START = 120 / 35.0;

    /** The length of a window in trials of 30 minutes. */
    static final double RUNS_PER_WINDOW = 35 / 1_800.0;

    private static final double DRAWN_PER_START = 0.95;
    private static final double NOISE_RATIO = 0.8;
    private static final double STEP = Math.exp(-10 / 60.0);
    private static final double STEP_AFTER_WASH_OUT = Math.exp(-15 / 60.0);
    private static final double FRESH = Math.sqrt(1 - STEP * STEP);
    private static final double FRESH_AFTER_WASH_OUT =
        Math.sqrt(1 - STEP_AFTER_WASH_OUT * STEP_AFTER_WASH_OUT);

    private final double[] means;
    private final double[] levels;
    private final double particular;
    private final double common;
    private final double noise;
    private SplittableRandom random = new SplittableRandom(0);
    private double state;

    /**
     * Creates the windows of one load.
     *
     * @param particularShare share of the variance between starts that is specific to the profile
     */
    SessionDraws(Surface surface, double particularShare) {
      means = surface.means();
      levels = new double[means.length];
      double variation = surface.variation();
      double start = variation * Math.sqrt(DRAWN_PER_START);
      particular = start * Math.sqrt(particularShare);
      common = start * Math.sqrt(1 - particularShare);
      noise = NOISE_RATIO * variation;
    }

    void seed(long seed) {
      random = new SplittableRandom(seed);
    }

    /** Starts a session and draws its start effects. */
    void start() {
      double all = common * random.nextGaussian();
      for (int i = 0; i < levels.length; i++) {
        levels[i] = means[i] * Math.exp(all + particular * random.nextGaussian());
      }
      state = random.nextGaussian();
    }

    /** Returns the mean of the next window, under a profile. */
    double next(int profile) {
      state = STEP_AFTER_WASH_OUT * state + FRESH_AFTER_WASH_OUT * random.nextGaussian();
      double sum = Math.exp(noise * state);
      for (int step = 1; step < 3; step++) {
        state = STEP * state + FRESH * random.nextGaussian();
        sum += Math.exp(noise * state);
      }
      return levels[profile] * sum / 3;
    }

    /** Puts the first {@code size} entries into random order. */
    void shuffle(int[] order, int size) {
      for (int i = size - 1; i > 0; i--) {
        int j = random.nextInt(i + 1);
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
      }
    }
  }

  /** Draws results of trials around the means of a table. */
  static final class Draws {
    private final double[] means;
    private final double[] scatters;
    private final double[] centres;
    private final boolean normal;
    private SplittableRandom random = new SplittableRandom(0);

    Draws(Surface surface, Noise noise) {
      means = surface.means();
      scatters = new double[means.length];
      centres = new double[means.length];
      normal = noise == Noise.NORMAL;
      for (int i = 0; i < means.length; i++) {
        double variation = surface.profiles().get(i).variation();
        scatters[i] = normal ? variation : Math.sqrt(Math.log1p(variation * variation));
        centres[i] = -scatters[i] * scatters[i] / 2;
      }
    }

    void seed(long seed) {
      random = new SplittableRandom(seed);
    }

    /** Returns the result of one trial of a profile, positive. */
    double next(int profile) {
      double z = random.nextGaussian();
      if (!normal) {
        return means[profile] * Math.exp(centres[profile] + scatters[profile] * z);
      }
      while (1 + scatters[profile] * z <= 0) {
        z = random.nextGaussian();
      }
      return means[profile] * (1 + scatters[profile] * z);
    }

    /** Returns a whole number from 0 to a bound (exclusive). */
    int below(int bound) {
      return random.nextInt(bound);
    }
  }

  /** The distribution of trials around the mean of their profile. */
  public enum Noise {
    /** Normal; a value that is not positive is redrawn. */
    NORMAL,
    /** Lognormal with the same mean and deviation. */
    LOGNORMAL,
    /** Lognormal trials; the tuner uses switchback sessions. */
    SESSION
  }
}
