package io.slicewise.tune.replay;

/** The distribution of trials around the mean of their profile. */
public enum Noise {
  /** Normal; a value that is not positive is redrawn. */
  NORMAL,
  /** Lognormal with the same mean and deviation. */
  LOGNORMAL,
  /** Lognormal trials; the tuner uses switchback sessions, see {@link SessionDraws}. */
  SESSION
}
