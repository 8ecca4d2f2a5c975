package io.slicewise.tune.replay;

/** How a trial scatters around the mean of its profile. */
public enum Noise {
  /** Normal; a value that is not positive is drawn again. */
  NORMAL,
  /** Lognormal with the same mean and deviation. */
  LOGNORMAL,
  /** Trials lognormal, the tuner in switchback sessions: see {@link SessionDraws}. */
  SESSION
}
