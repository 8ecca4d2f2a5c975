package io.slicewise.experiment;

import io.slicewise.experiment.Experiment.Order;
import java.time.Duration;

/**
 * What stands where an experiment file says nothing. {@link ValidityLimits#DEFAULT} has the limits.
 */
public final class Defaults {
  /** As in the 2010 study; an interval needs at least 2. */
  public static final int REPETITIONS = 5;

  /** Cut down to the warm-up where that is shorter. */
  public static final Duration RAMP = Duration.ofSeconds(10);

  public static final Duration WARM_UP = Duration.ofSeconds(60);
  public static final Duration MEASURE = Duration.ofMinutes(3);
  public static final Duration COOL_DOWN = Duration.ZERO;
  public static final Order ORDER = Order.BLOCKS;
  public static final long SEED = 1;
  public static final Stop.Rule STOP_RULE = Stop.Rule.TWO_STAGE;
  public static final boolean SUDO = false;

  private Defaults() {}
}
