package io.slicewise.experiment;

/**
 * The predefined rules that make a trial invalid, and the number of further attempts. Shares are
 * 0..1.
 *
 * @param errorShare largest share of failed samples
 * @param generatorCpuShare largest CPU use of the generator's machine
 * @param otherWorkShare largest share of this machine's CPU that other programs use
 * @param generatorLatenessMillis largest lateness (p99) of the generator's timers
 * @param generatorPauseShare largest share of the window in which garbage collection stops the
 *     generator
 * @param littlesLawError largest deviation from N = X·(R+Z)
 * @param labLatenessMillis largest lateness (p99) of the embedded lab
 * @param moreAttempts the number of further attempts at an invalid trial; 0 = none
 */
public record ValidityLimits(
    double errorShare,
    double generatorCpuShare,
    double otherWorkShare,
    double generatorLatenessMillis,
    double generatorPauseShare,
    double littlesLawError,
    double labLatenessMillis,
    int moreAttempts) {
  /**
   * The default limits: 0.5 % errors, 80 % CPU, 25 % other work, 20 ms lateness each, 2 % pauses, 5
   * % off Little's law.
   */
  public static final ValidityLimits DEFAULT =
      new ValidityLimits(0.005, 0.8, 0.25, 20, 0.02, 0.05, 20, 2);

  /** Returns limits that do not judge what other programs use. */
  public ValidityLimits withOtherWork() {
    return new ValidityLimits(
        errorShare,
        generatorCpuShare,
        1,
        generatorLatenessMillis,
        generatorPauseShare,
        littlesLawError,
        labLatenessMillis,
        moreAttempts);
  }
}
