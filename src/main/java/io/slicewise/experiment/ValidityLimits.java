package io.slicewise.experiment;

/**
 * The rules fixed beforehand by which a trial is invalid, and how often such a trial is tried
 * again. Shares are 0..1.
 *
 * @param errorShare most failed samples
 * @param generatorCpuShare most CPU of the generator's machine that may be busy
 * @param generatorLatenessMillis most lateness (p99) of the generator's timers
 * @param generatorPauseShare most of the window that garbage collection may stop the generator
 * @param littlesLawError most deviation from N = X·(R+Z)
 * @param labLatenessMillis most lateness (p99) of the embedded lab
 * @param moreAttempts how often an invalid trial is tried again; 0 = never
 */
public record ValidityLimits(
    double errorShare,
    double generatorCpuShare,
    double generatorLatenessMillis,
    double generatorPauseShare,
    double littlesLawError,
    double labLatenessMillis,
    int moreAttempts) {
  /** 0.5 % errors, 80 % CPU, 20 ms lateness of each, 2 % pauses, 5 % off Little's law. */
  public static final ValidityLimits DEFAULT =
      new ValidityLimits(0.005, 0.8, 20, 0.02, 0.05, 20, 2);
}
