package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;

/**
 * The CPU time of a machine, or of some of its cores, since it booted, in ticks of all of them
 * together: {@code /proc/stat}, see proc_stat(5). Idle includes waiting for disks, but not time
 * taken by a hypervisor.
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
    return of(MachineTimes::parse);
  }

  /** Reads the current times of some cores; {@code NaN} where the platform does not report them. */
  public static MachineTimes read(OwnCores cores) {
    return of(stat -> parse(stat, cores));
  }

  private static MachineTimes of(Function<String, MachineTimes> reader) {
    try {
      return reader.apply(Files.readString(STAT));
    } catch (IOException notLinux) {
      return UNKNOWN;
    }
  }

  static MachineTimes parse(String stat) {
    return ofLine(stat.lines().findFirst().orElse(""));
  }

  static MachineTimes parse(String stat, OwnCores cores) {
    return stat.lines()
        .filter(line -> line.matches("cpu\\d.*"))
        .filter(line -> cores.has(Integer.parseInt(line.substring(3, line.indexOf(' ')))))
        .map(MachineTimes::ofLine)
        .reduce((one, next) -> new MachineTimes(one.idle + next.idle, one.all + next.all))
        .orElse(UNKNOWN);
  }

  private static MachineTimes ofLine(String line) {
    double[] ticks =
        Arrays.stream(line.split("\\s+"))
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
