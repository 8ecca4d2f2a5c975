package io.slicewise.lab.disk;

import io.slicewise.lab.disk.DiskRequest.Kind;
import io.slicewise.lab.sim.Machine;
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
}
