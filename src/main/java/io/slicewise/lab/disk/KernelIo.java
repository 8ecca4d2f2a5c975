package io.slicewise.lab.disk;

import io.slicewise.lab.disk.SharedDisk.DiskRequest.Kind;
import io.slicewise.lab.sim.Machine;

/**
 * What the kernel of one domain counts of its disk and its memory. Time in which its vCPUs are
 * blocked while it waits for requests is waiting for disks, on at most as many vCPUs as it has
 * requests. Used on the machine's thread only.
 */
public final class KernelIo {
  private static final long KIB_SECTORS = 2;

  private final int domid;
  private final int vcpus;
  private final BlockCounts counts = new BlockCounts();
  private int inFlight;
  private long changedAt;
  private long blockedThen;
  private long waitedNanos;
  private long someNanos;
  private long fullNanos;
  private long faults;

  KernelIo(int domid, int vcpus) {
    this.domid = domid;
    this.vcpus = vcpus;
  }

  /**
   * The counters at one instant.
   *
   * @param waitedNanos time of vCPUs that waited for disks
   * @param someNanos time with a request in flight
   * @param fullNanos time with a request in flight and no vCPU at work
   * @param pagedIn KiB that were read
   */
  public record Now(
      String disk,
      long waitedNanos,
      long someNanos,
      long fullNanos,
      long pagedIn,
      long pagedOut,
      long faults) {}

  /**
   * Returns the counters.
   *
   * @param since where 32-bit counters of milliseconds began
   */
  Now now(Machine machine, long since) {
    change(machine, 0);
    return new Now(
        counts.diskstats(inFlight, someNanos, since),
        waitedNanos,
        someNanos,
        fullNanos,
        counts.sectors(Kind.READ) / KIB_SECTORS,
        counts.sectors(Kind.WRITE) / KIB_SECTORS,
        faults);
  }

  BlockCounts counts() {
    return counts;
  }

  void fault(int pages) {
    faults += pages;
  }

  void begin(Machine machine) {
    change(machine, 1);
  }

  void end(Machine machine, Kind kind, long bytes, long nanos, boolean merged) {
    change(machine, -1);
    counts.add(kind, bytes, nanos, merged);
  }

  private void change(Machine machine, int by) {
    long now = machine.now();
    long blocked = 0;
    for (int vcpu = 0; vcpu < vcpus; vcpu++) {
      blocked += machine.times(domid, vcpu).blockedNanos();
    }
    if (inFlight > 0) {
      long elapsed = now - changedAt;
      waitedNanos += Math.min(blocked - blockedThen, inFlight * elapsed);
      someNanos += elapsed;
      fullNanos += Math.max(0, blocked - blockedThen - (vcpus - 1) * elapsed);
    }
    inFlight += by;
    changedAt = now;
    blockedThen = blocked;
  }
}
