package io.slicewise.load.generator;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * The health of the generator in the measured window; {@code NaN} where the platform does not
 * report it.
 *
 * @param cpuSeconds used by the generator's process
 * @param cpuShare of the machine's cores that the process used, 0..1
 * @param gcPauseMillis sum of pauses
 * @param longestGcPauseMillis the longest single pause
 * @param latenessP99Millis 99th percentile of how late a 10 ms timer inside the JVM fired
 * @param runQueuePerCore mean load of the machine's run queue per core; of a generator that is
 *     confined to some cores, of its own threads
 * @param cores of the machine that the process may use
 * @param machineShare of the CPU time of these cores that was not idle, for all processes, 0..1
 * @param arrivals of an open load
 */
public record GeneratorHealth(
    double cpuSeconds,
    double cpuShare,
    double gcPauseMillis,
    double longestGcPauseMillis,
    double latenessP99Millis,
    double runQueuePerCore,
    int cores,
    double machineShare,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Arrivals> arrivals) {
  public GeneratorHealth {
    arrivals = arrivals == null ? Optional.empty() : arrivals;
  }

  /** The health of the generator of a closed load. */
  public GeneratorHealth(
      double cpuSeconds,
      double cpuShare,
      double gcPauseMillis,
      double longestGcPauseMillis,
      double latenessP99Millis,
      double runQueuePerCore,
      int cores,
      double machineShare) {
    this(
        cpuSeconds,
        cpuShare,
        gcPauseMillis,
        longestGcPauseMillis,
        latenessP99Millis,
        runQueuePerCore,
        cores,
        machineShare,
        Optional.empty());
  }

  /** Returns the same health with the arrivals of an open load. */
  public GeneratorHealth with(Optional<Arrivals> seen) {
    return new GeneratorHealth(
        cpuSeconds,
        cpuShare,
        gcPauseMillis,
        longestGcPauseMillis,
        latenessP99Millis,
        runQueuePerCore,
        cores,
        machineShare,
        seen);
  }

  /**
   * The share of the machine that was busy, 0..1: the machine's own count, or the process's share
   * if that is larger, as in a container with fewer cores than its machine, or if nothing else is
   * known.
   */
  public double busyShare() {
    return machineShare >= cpuShare ? machineShare : cpuShare;
  }

  /**
   * The arrivals of an open load in the measured window.
   *
   * @param started that a user took
   * @param dropped for which no user was free for a second
   * @param lateP99Millis 99th percentile of how late they were taken; {@code NaN} without any
   * @param passes empty if they were not counted
   */
  public record Arrivals(
      long started,
      long dropped,
      double lateP99Millis,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Passes> passes) {
    public Arrivals {
      passes = passes == null ? Optional.empty() : passes;
    }

    /** Returns the share of arrivals that were dropped; {@code NaN} without any. */
    public double droppedShare() {
      return (double) dropped / (started + dropped);
    }
  }

  /**
   * The passes of users through the plan, which has any number of requests: each arrival begins
   * one.
   *
   * @param ended in the window
   * @param inFlight at its beginning
   */
  public record Passes(long ended, long inFlight) {}
}
