package io.slicewise.lab.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.lab.disk.SharedDisk.DiskRequest;
import io.slicewise.lab.disk.SharedDisk.DiskRequest.Kind;
import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import io.slicewise.lab.sim.SchedulerOptions;
import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Protects the lab's disk, in virtual time: neighbours slow a guest's requests, all layers count
 * the same bytes at the same instant, and a guest that waits for its disk waits and does not idle.
 */
class SharedDiskTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LOADED = 1;
  private static final int PAGES = 1024;
  private static final int NEIGHBOUR = 2;

  private final Machine machine =
      new Machine(new MachineSpec(4, SchedulerOptions.Credit.XEN_4_17, 1));

  private SharedDisk disk(int readAhead, double merged) {
    machine.addDomain("Domain-0", 0, 2, Machine.POOL_0);
    machine.addDomain("db", LOADED, 1, Machine.POOL_0);
    machine.addDomain("other", NEIGHBOUR, 1, Machine.POOL_0);
    return new SharedDisk(
        new DiskSpec(Duration.ofMillis(4), 60, 1.25, readAhead, merged),
        new SplittableRandom(1),
        guest -> 0);
  }

  /** A process of a guest that reads without end. */
  private void reads(SharedDisk disk, int domid) {
    disk.serve(machine, domid, DiskRequest.blocks(Kind.READ, 1), done -> reads(disk, domid));
  }

  private static String[] fields(KernelIo.Now now) {
    return now.disk().split(" ");
  }

  private double millisARead(SharedDisk disk, int domid) {
    String[] fields = fields(disk.of(machine, domid, 0));
    return Double.parseDouble(fields[3]) / Double.parseDouble(fields[0]);
  }

  @Test
  void aNeighbourSlowsAGuestsReads() {
    SharedDisk disk = disk(1, 0);
    reads(disk, LOADED);
    machine.runUntil(30 * SECOND);
    double alone = millisARead(disk, LOADED);
    assertThat(alone).isCloseTo(4.2, within(0.3));

    IntStream.range(0, 2).forEach(client -> reads(disk, NEIGHBOUR));
    machine.runUntil(60 * SECOND);
    assertThat(millisARead(disk, NEIGHBOUR)).isGreaterThan(2 * alone);
    assertThat(millisARead(disk, LOADED)).isGreaterThan(1.2 * alone);
  }

  @Test
  void guestBackendAndDiskCountTheSameBytes() {
    SharedDisk disk = disk(2, 0.1);
    reads(disk, LOADED);
    reads(disk, NEIGHBOUR);
    machine.runUntil(30 * SECOND);

    long guest = Long.parseLong(fields(disk.of(machine, LOADED, 0))[2]);
    long other = Long.parseLong(fields(disk.of(machine, NEIGHBOUR, 0))[2]);
    String[] control = fields(disk.of(machine, 0, 0));
    assertThat(disk.backend(machine, LOADED, "rd_sect")).isEqualTo(guest).isPositive();
    assertThat(Long.parseLong(control[2])).isEqualTo(2 * (guest + other));
    long requests =
        disk.backend(machine, LOADED, "rd_req") + disk.backend(machine, NEIGHBOUR, "rd_req");
    assertThat(Long.parseLong(control[0]) + Long.parseLong(control[1])).isEqualTo(requests);
    assertThat(Double.parseDouble(control[1]) / requests).isCloseTo(0.1, within(0.02));
    assertThat(disk.of(machine, LOADED, 0).pagedIn()).isEqualTo(guest / 2);
  }

  @Test
  void waitingForTheDiskIsNotIdling() {
    SharedDisk disk = disk(1, 0);
    reads(disk, LOADED);
    machine.submit(LOADED, SECOND, done -> {});
    machine.runUntil(10 * SECOND);

    KernelIo.Now io = disk.of(machine, LOADED, 0);
    RunstateTimes times = machine.times(LOADED, 0);
    assertThat(io.someNanos()).isEqualTo(10 * SECOND);
    assertThat(io.waitedNanos()).isEqualTo(times.blockedNanos()).isEqualTo(io.fullNanos());
    assertThat(times.runningNanos()).isEqualTo(SECOND);
  }

  @Test
  void timesWrapAt32Bits() {
    SharedDisk disk = disk(1, 0);
    reads(disk, LOADED);
    machine.runUntil(10 * SECOND);
    long before = Long.parseLong(fields(disk.of(machine, LOADED, 0))[3]);
    long wrapped = Long.parseLong(fields(disk.of(machine, LOADED, (1L << 32) - 500))[3]);
    assertThat(wrapped).isEqualTo(before - 500).isPositive();
  }

  @Test
  void aGuestThatIsGoneIsForgotten() {
    SharedDisk disk = disk(1, 0);
    boolean[] done = new boolean[1];
    disk.serve(machine, LOADED, DiskRequest.blocks(Kind.WRITE, 1), when -> done[0] = true);
    disk.unplug(LOADED);
    machine.removeDomain(LOADED);
    machine.runUntil(SECOND);
    assertThat(done[0]).isTrue();
    assertThat(fields(disk.of(machine, 0, 0))[4]).isEqualTo("1");
  }

  @Test
  void aDatabaseThatFitsIsNeverReadAndALargerOneMissesItsPart() {
    Random random = new Random(1);
    PageCache small = new PageCache(PAGES, 0.3);
    PageCache large = new PageCache(PAGES, 1.25);
    int missed = 0;
    for (int use = 0; use < 20_000; use++) {
      int page = random.nextInt(PAGES);
      assertThat(small.touch(page, random::nextInt)).isFalse();
      missed += large.touch(page, random::nextInt) ? 1 : 0;
    }
    assertThat(missed / 20_000.0).isCloseTo(0.2, within(0.02));
  }
}
