package io.slicewise.lab.disk;

import io.slicewise.lab.disk.SharedDisk.DiskRequest.Kind;
import io.slicewise.lab.sim.Machine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The one disk of a boot, which serves its guests' requests in their order of arrival. A request
 * costs its carrier CPU time first, then a seek and the time of its bytes; it is counted in the
 * guest, at its backend and at the disk in the same instant. Used on the machine's thread only.
 */
public final class SharedDisk {
  /** CPU time that a request costs the domain that carries it to the disk. */
  private static final long CARRIED_NANOS = 50_000;

  private static final int CONTROL = 0;

  private final DiskSpec spec;
  private final RandomGenerator random;
  private final IntUnaryOperator carriers;
  private final Map<Integer, KernelIo> kernels = new HashMap<>();
  private long freeAt;

  /**
   * @param carriers the domain that carries a guest's requests
   */
  public SharedDisk(DiskSpec spec, RandomGenerator random, IntUnaryOperator carriers) {
    this.spec = spec;
    this.random = random;
    this.carriers = carriers;
  }

  /** Serves a request, which nobody carries if it is the machine's own; then calls back. */
  public void serve(Machine machine, int domid, DiskRequest request, LongConsumer done) {
    if (domid == CONTROL) {
      arrive(machine, request, done);
      return;
    }
    long asked = machine.now();
    kernel(machine, domid).begin(machine);
    machine.submit(
        carriers.applyAsInt(domid),
        CARRIED_NANOS,
        arrived ->
            arrive(
                machine,
                request,
                now -> {
                  KernelIo guest = kernels.get(domid);
                  if (guest != null) {
                    guest.end(machine, request.kind(), request.bytes(), now - asked, false);
                  }
                  done.accept(now);
                }));
  }

  private void arrive(Machine machine, DiskRequest request, LongConsumer done) {
    KernelIo control = kernel(machine, CONTROL);
    long arrived = machine.now();
    boolean merged = request.kind() != Kind.FLUSH && random.nextDouble() < spec.merged();
    long bytes = request.bytes() * (request.kind() == Kind.READ ? spec.readAhead() : 1);
    control.begin(machine);
    freeAt = Math.max(arrived, freeAt) + nanos(bytes, merged);
    machine.at(
        freeAt,
        now -> {
          control.end(machine, request.kind(), bytes, now - arrived, merged);
          done.accept(now);
        });
  }

  private long nanos(long bytes, boolean merged) {
    double seek = merged ? 0 : -Math.log(1 - random.nextDouble()) * spec.seek().toNanos();
    return Math.round(seek + bytes * 1e3 / spec.megabytes());
  }

  /** Counts page faults of a guest. */
  public void fault(Machine machine, int domid, int pages) {
    if (pages > 0) {
      kernel(machine, domid).fault(pages);
    }
  }

  /**
   * Returns what a domain's kernel counts; the control domain's disk is the machine's own.
   *
   * @param since where 32-bit counters of milliseconds began
   */
  public KernelIo.Now of(Machine machine, int domid, long since) {
    return kernel(machine, domid).now(machine, since);
  }

  /** Returns a counter of the backend of a guest, such as {@code rd_sect}. */
  public long backend(Machine machine, int domid, String counter) {
    BlockCounts counts = kernel(machine, domid).counts();
    return switch (counter) {
      case "rd_req" -> counts.requests(Kind.READ);
      case "rd_sect" -> counts.sectors(Kind.READ);
      case "wr_req" -> counts.requests(Kind.WRITE);
      case "wr_sect" -> counts.sectors(Kind.WRITE);
      case "f_req" -> counts.requests(Kind.FLUSH);
      default -> 0;
    };
  }

  private KernelIo kernel(Machine machine, int domid) {
    return kernels.computeIfAbsent(domid, any -> new KernelIo(domid, machine.vcpus(domid).size()));
  }

  /** Forgets a guest that is gone. */
  public void unplug(int domid) {
    kernels.remove(domid);
  }

  /**
   * One request to a disk.
   *
   * @param bytes 0 for a flush
   */
  public record DiskRequest(Kind kind, long bytes) {
    /** PostgreSQL's block. */
    public static final long PAGE = 8192;

    /** What is asked of the disk. */
    public enum Kind {
      READ,
      WRITE,
      FLUSH
    }

    /** Returns the request for some blocks; none for a flush. */
    public static DiskRequest blocks(Kind kind, int blocks) {
      return new DiskRequest(kind, blocks * PAGE);
    }
  }

  /**
   * The disk that the guests of a lab share, and how their databases use it.
   *
   * @param seek mean of the exponential time that a request takes before its bytes
   * @param megabytes per second
   * @param workingSet size of a guest's database, in memories of the guest; up to 1, nothing is
   *     read
   * @param readAhead how many times as much the control domain reads as its guests ask for
   * @param merged share of the requests that the control domain merges with the one before
   */
  public record DiskSpec(
      Duration seek, double megabytes, double workingSet, int readAhead, double merged) {
    /** A disk that takes no time, for databases that fit into memory. */
    public static final DiskSpec INSTANT = new DiskSpec(Duration.ZERO, 1e9, 1, 1, 0);

    public DiskSpec {
      if (seek.isNegative() || !(megabytes > 0) || !(workingSet > 0) || readAhead < 1) {
        throw new IllegalArgumentException("a disk needs a rate, a working set and a read-ahead");
      }
      if (!(merged >= 0 && merged < 1)) {
        throw new IllegalArgumentException("the share of merged requests is in 0..1");
      }
    }

    /** Returns the disk without a control domain above it. */
    public DiskSpec direct() {
      return new DiskSpec(seek, megabytes, workingSet, 1, 0);
    }
  }
}
