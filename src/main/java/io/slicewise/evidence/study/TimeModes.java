package io.slicewise.evidence.study;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The breakdown of a case's time: T = user + sys + iowait + steal + rest, with one vCPU and one
 * stream. The rest is printed and never distributed over the modes.
 */
public final class TimeModes {
  public static final List<String> MODES = List.of("user", "sys", "iowait", "steal");

  /** The time in which a process was ready and had no CPU of its own system. */
  static final String CPU_WAIT = "cpu_wait";

  private TimeModes() {}

  /** The time outside all measured modes, in seconds. */
  public static double rest(StudyCell cell) {
    DoubleStream modes = MODES.stream().mapToDouble(cell::value).filter(Double::isFinite);
    return cell.value("runtime") - modes.sum();
  }

  /** A mode's part of the time, in percent. */
  public static double share(StudyCell cell, String mode) {
    return 100 * cell.value(mode) / cell.value("runtime");
  }
}
