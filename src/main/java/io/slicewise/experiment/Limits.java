package io.slicewise.experiment;

/**
 * The rules fixed beforehand by which a trial is invalid, and how often such a trial is tried
 * again. Shares are 0..1.
 *
 * @param errorShare most failed samples
 * @param generatorCpuShare most CPU the generator may use of its machine
 * @param generatorLatenessMillis most lateness (p99) of the generator's timers
 * @param generatorPauseShare most of the window that garbage collection may stop the generator
 * @param littlesLawError most deviation from N = X·(R+Z)
 * @param moreAttempts how often an invalid trial is tried again; 0 = never
 */
public record Limits(
    double errorShare,
    double generatorCpuShare,
    double generatorLatenessMillis,
    double generatorPauseShare,
    double littlesLawError,
    int moreAttempts) {
  /** Half a percent errors, 80 % CPU, 20 ms lateness, 2 % pauses, 5 % off Little's law. */
  public static final Limits DEFAULT = new Limits(0.005, 0.8, 20, 0.02, 0.05, 2);
}
