package io.slicewise.experiment;

/**
 * The rules fixed beforehand by which a trial is invalid. Shares are 0..1.
 *
 * @param errorShare most failed samples
 * @param generatorCpuShare most CPU the generator may use of its machine
 * @param generatorLatenessMillis most lateness (p99) of the generator's timers
 * @param littlesLawError most deviation from N = X·(R+Z)
 */
public record Limits(
    double errorShare,
    double generatorCpuShare,
    double generatorLatenessMillis,
    double littlesLawError) {
  /** Half a percent errors, 80 % CPU, 20 ms lateness, 5 % off Little's law. */
  public static final Limits DEFAULT = new Limits(0.005, 0.8, 20, 0.05);
}
