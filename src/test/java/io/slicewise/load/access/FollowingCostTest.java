package io.slicewise.load.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.Phrase;
import io.slicewise.ssh.Shells;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What following a log of 1,000 lines a second costs its machine: 1 % of a core is the goal. */
@MeasuresInRealTime
@Tag("nightly")
class FollowingCostTest {
  private static final int LINES = 1_000;
  private static final Duration LENGTH = Duration.ofSeconds(30);

  /** The most on a busy machine, where each process takes longer to begin. */
  private static final double MOST = 0.02;

  @TempDir private Path directory;

  @Test
  void followsAThousandLinesASecondForAHundredthOfACore() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "there is no /proc");
    Path log = Files.writeString(directory.resolve("access.log"), "");
    AtomicLong seen = new AtomicLong();
    long written = 0;
    try (LogFollower follower =
            new LogFollower(Shells::local, log.toString(), line -> seen.incrementAndGet());
        BufferedWriter writer = Files.newBufferedWriter(log)) {
      follower.poll();
      long pid = following();
      double before = cpuSeconds(pid);
      long began = System.nanoTime();
      while (System.nanoTime() - began < LENGTH.toNanos()) {
        for (int i = 0; i < LINES; i++) {
          writer.write(line(written++));
        }
        writer.flush();
        follower.poll();
        long next = began + TimeUnit.SECONDS.toNanos(1) * (written / LINES);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
      }
      double share = (cpuSeconds(pid) - before) / ((System.nanoTime() - began) / 1e9);
      System.out.println(
          Phrase.of("%d lines, %.2f %% of a core of the log's machine", written, 100 * share));
      assertThat(seen.get()).isEqualTo(written);
      assertThat(share).isLessThan(MOST);
    }
  }

  private static String line(long number) {
    return Phrase.of(
        "%d.%03d 0.025 0.024 200 GET web.example 512 \"/page/%d\"%n",
        1_795_440_000 + number / LINES, number % LINES, number);
  }

  private static long following() {
    return ProcessHandle.current()
        .descendants()
        .filter(
            process ->
                process.info().arguments().stream()
                    .anyMatch(words -> String.join(" ", words).contains("slicewise-log")))
        .mapToLong(ProcessHandle::pid)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the CPU time of a process and of all processes that it awaited. */
  private static double cpuSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    double ticks = 0;
    for (int field = 11; field <= 14; field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks / 100;
  }
}
