package io.slicewise.experiment;

/**
 * The predefined rules that make a trial invalid, and the number of further attempts. Shares are
 * 0..1.
 *
 * @param errorShare largest share of failed samples
 * @param otherWorkShare largest share of this machine's CPU that other programs use
 * @param littlesLawError largest deviation from N = X·(R+Z)
 * @param labLatenessMillis largest lateness (p99) of the embedded lab
 * @param moreAttempts the number of further attempts at an invalid trial; 0 = none
 */
public record ValidityLimits(
    double errorShare,
    OfGenerator generator,
    double otherWorkShare,
    double littlesLawError,
    double labLatenessMillis,
    int moreAttempts) {
  /**
   * The default limits: 0.5 % errors, 25 % other work, 20 ms lateness of the lab, 5 % off Little's
   * law.
   */
  public static final ValidityLimits DEFAULT =
      new ValidityLimits(0.005, OfGenerator.DEFAULT, 0.25, 0.05, 20, 2);

  /**
   * The limits of a load generator.
   *
   * @param cpuShare largest CPU use of its machine
   * @param latenessMillis largest lateness (p99) of its timers
   * @param pauseShare largest share of the window in which garbage collection stops it
   * @param arrivalMillis largest lateness (p99) of the arrivals of an open load
   * @param droppedShare largest share of arrivals for which no user was free
   */
  public record OfGenerator(
      double cpuShare,
      double latenessMillis,
      double pauseShare,
      double arrivalMillis,
      double droppedShare) {
    /** 80 % CPU, 20 ms lateness each, 2 % pauses, 0.5 % dropped arrivals. */
    public static final OfGenerator DEFAULT = new OfGenerator(0.8, 20, 0.02, 20, 0.005);
  }

  /** Returns limits that do not judge what other programs use. */
  public ValidityLimits withOtherWork() {
    return new ValidityLimits(
        errorShare, generator, 1, littlesLawError, labLatenessMillis, moreAttempts);
  }

  /**
   * Returns limits for requests of others, whose failures are an outcome and no reason to leave a
   * window out.
   */
  public ValidityLimits ofOthers() {
    return new ValidityLimits(
        1, generator, otherWorkShare, littlesLawError, labLatenessMillis, moreAttempts);
  }
}
