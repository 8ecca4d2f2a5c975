package io.slicewise.lab.dom0;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.fault.CounterFaults;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.SchedulerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects that a reading of several files of a lab's machine is of one instant. */
class ProcFilesTest {
  private static final int GUEST = 1;
  private static final long SECOND = 1_000_000_000L;

  /** A real kernel answers within microseconds; the lab's files may take long on a busy machine. */
  @Test
  void filesThatAreReadTogetherAreOfOneInstant(@TempDir Path directory) throws IOException {
    try (Driver driver =
        new Driver(new Machine(new MachineSpec(2, SchedulerOptions.Credit.XEN_4_17, 1)))) {
      driver.ask(
          machine -> {
            machine.addDomain("db", GUEST, 2, Machine.POOL_0);
            machine.submit(GUEST, 5 * SECOND, done -> {});
            return machine;
          });
      HostFiles files = new HostFiles(directory);
      SharedDisk disk =
          new SharedDisk(
              new DiskSpec(Duration.ZERO, 60, 1, 1, 0), new SplittableRandom(1), guest -> 0);
      ProcFiles.ofGuest(driver, disk, CounterFaults.of(List.of(), "db"), GUEST, 2).into(files);
      files.generate("/proc/slow", () -> slow(driver), driver.atOnce(), () -> {});

      double[] before = times(files, "/proc/uptime", "/proc/stat");
      double[] after = times(files, "/proc/uptime", "/proc/slow", "/proc/stat");

      assertThat(after[1] - before[1]).isCloseTo(2 * (after[0] - before[0]), within(0.08));
    }
  }

  /** Returns the uptime and the time of all CPUs in all states, in seconds. */
  private static double[] times(HostFiles files, String... paths) {
    Map<String, String> read = files.textsAtOnce(List.of(paths));
    String all = read.get("/proc/stat").lines().findFirst().orElseThrow();
    return new double[] {
      Double.parseDouble(read.get("/proc/uptime").split(" ", 2)[0]),
      Arrays.stream(all.split(" +", -1)).skip(1).mapToLong(Long::parseLong).sum() / 100.0
    };
  }

  private static String slow(Driver driver) {
    long end = driver.now() + SECOND / 2;
    while (driver.now() < end) {
      Thread.onSpinWait();
    }
    return "";
  }
}
