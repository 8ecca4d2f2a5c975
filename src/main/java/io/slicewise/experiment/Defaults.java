package io.slicewise.experiment;

import java.time.Duration;

/** The defaults of an experiment file, except those in {@link ValidityLimits#DEFAULT}. */
public final class Defaults {
  /** As in the 2010 study; an interval needs at least 2. */
  public static final int REPETITIONS = 5;

  /** Limited to the warm-up if that is shorter. */
  public static final Duration RAMP = Duration.ofSeconds(10);

  public static final Duration WARM_UP = Duration.ofSeconds(60);
  public static final Duration MEASURE = Duration.ofMinutes(3);
  public static final Duration COOL_DOWN = Duration.ZERO;
  public static final Order ORDER = Order.BLOCKS;
  public static final long SEED = 1;
  public static final long MOST_SEED = 999_999_999_999_999_999L;

  /** Stands for a seed that is drawn when a run begins. */
  public static final long UNDRAWN = -1;

  public static final Stop.Rule STOP_RULE = Stop.Rule.TWO_STAGE;
  public static final boolean SUDO = false;

  private Defaults() {}
}
