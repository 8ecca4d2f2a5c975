package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The CPU time of the whole machine since it booted, in ticks of all cores together: the first line
 * of {@code /proc/stat}, see proc_stat(5). Idle includes waiting for disks, but not time taken by a
 * hypervisor.
 */
public record MachineTimes(double idle, double all) {
  private static final Path STAT = Path.of("/proc/stat");
  private static final MachineTimes UNKNOWN = new MachineTimes(Double.NaN, Double.NaN);
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISKS = 4;

  /** From user to steal; guest time is part of user and nice. */
  private static final int STATES = 8;

  /** Reads the current times; {@code NaN} where the platform does not report them. */
  public static MachineTimes read() {
    try {
      return parse(Files.readString(STAT));
    } catch (IOException notLinux) {
      return UNKNOWN;
    }
  }

  static MachineTimes parse(String stat) {
    String total = stat.lines().findFirst().orElse("");
    double[] ticks =
        Arrays.stream(total.split("\\s+"))
            .skip(1)
            .limit(STATES)
            .mapToDouble(Double::parseDouble)
            .toArray();
    return ticks.length <= WAITING_FOR_DISKS
        ? UNKNOWN
        : new MachineTimes(ticks[IDLE] + ticks[WAITING_FOR_DISKS], Arrays.stream(ticks).sum());
  }

  /** The share of the time since {@code before} in which cores were not idle, 0..1. */
  public double busySince(MachineTimes before) {
    double passed = all - before.all;
    return passed > 0 ? Math.max(0, 1 - (idle - before.idle) / passed) : Double.NaN;
  }
}
