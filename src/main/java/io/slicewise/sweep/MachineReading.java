package io.slicewise.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Reads the work of other programs from this machine's kernel. */
final class MachineReading implements QuietMachine.Reading {
  /** Its fourth field is the number of runnable tasks, see proc_loadavg(5). */
  private static final Path LOAD = Path.of("/proc/loadavg");

  private final Sitting sitting;
  private Instant at;
  private MachineUse before;

  MachineReading(Sitting sitting) {
    this.sitting = sitting;
    this.at = sitting.now();
    this.before = MachineUse.read();
  }

  @Override
  public double othersFor(Duration atLeast) {
    sitting.stop().restUntil(at.plus(atLeast));
    MachineUse now = MachineUse.read();
    double share = now.othersSince(before);
    at = sitting.now();
    before = now;
    return share;
  }

  @Override
  public int runQueue() {
    try {
      String fourth = Files.readString(LOAD).split(" ", -1)[3];
      // This thread is one of them.
      return Integer.parseInt(fourth.substring(0, fourth.indexOf('/'))) - 1;
    } catch (IOException notLinux) {
      return -1;
    }
  }
}
