package io.slicewise.load.generator;

/**
 * The generator's own condition in the measured window; {@code NaN} where the platform does not
 * tell.
 *
 * @param cpuSeconds used by the generator's process
 * @param cpuShare of the machine's cores that the process used, 0..1
 * @param gcPauseMillis sum of pauses
 * @param longestGcPauseMillis the longest single pause
 * @param latenessP99Millis 99th percentile of how late a 10 ms timer inside the JVM fired
 * @param runQueuePerCore mean load of the machine's run queue per core
 * @param cores of the machine
 * @param machineShare of the machine's CPU time that was not idle, whoever used it, 0..1
 */
public record GeneratorHealth(
    double cpuSeconds,
    double cpuShare,
    double gcPauseMillis,
    double longestGcPauseMillis,
    double latenessP99Millis,
    double runQueuePerCore,
    int cores,
    double machineShare) {
  /** The health of a generator whose machine was not looked at. */
  public GeneratorHealth(
      double cpuSeconds,
      double cpuShare,
      double gcPauseMillis,
      double longestGcPauseMillis,
      double latenessP99Millis,
      double runQueuePerCore,
      int cores) {
    this(
        cpuSeconds,
        cpuShare,
        gcPauseMillis,
        longestGcPauseMillis,
        latenessP99Millis,
        runQueuePerCore,
        cores,
        Double.NaN);
  }

  /**
   * How busy the machine was, 0..1: what it counted itself, or what the process used where that is
   * more, as in a container that has fewer cores than its machine, or all that is known.
   */
  public double busyShare() {
    return machineShare >= cpuShare ? machineShare : cpuShare;
  }
}
