package io.slicewise.load;

/**
 * The generator's own condition in the measured window; {@code NaN} where the platform does not
 * tell.
 *
 * @param cpuSeconds used by the generator's process
 * @param cpuShare of the machine's cores, 0..1
 * @param gcPauseMillis sum of pauses
 * @param longestGcPauseMillis the longest single pause
 * @param latenessP99Millis 99th percentile of how late a 10 ms timer inside the JVM fired
 * @param runQueuePerCore mean load of the machine's run queue per core
 * @param cores of the machine
 */
public record GeneratorHealth(
    double cpuSeconds,
    double cpuShare,
    double gcPauseMillis,
    double longestGcPauseMillis,
    double latenessP99Millis,
    double runQueuePerCore,
    int cores) {}
