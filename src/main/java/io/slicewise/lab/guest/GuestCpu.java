package io.slicewise.lab.guest;

import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.disk.SharedDisk.DiskRequest;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.sim.Machine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * The CPU and the disk of one boot's guests: bursts and requests are submitted in order, and a
 * stage completes when the last is done. If the machine goes down, waiting stages fail.
 */
public final class GuestCpu {
  private final Driver driver;
  private final SharedDisk disk;
  private final IntPredicate crashed;
  private final Map<Long, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong tickets = new AtomicLong();

  /**
   * A burst of CPU time in a domain, with page faults in it and a request to the disk after it.
   *
   * @param nanos may be 0 if there is a request
   */
  public record Burst(int domid, long nanos, int faults, Optional<DiskRequest> request) {
    /** Creates a burst that only computes. */
    public Burst(int domid, long nanos) {
      this(domid, nanos, 0, Optional.empty());
    }
  }

  public GuestCpu(Driver driver, SharedDisk disk, IntPredicate crashed) {
    this.driver = driver;
    this.disk = disk;
    this.crashed = crashed;
  }

  /** Completes when all bursts have been executed, in that order. */
  public CompletionStage<Void> spend(List<Burst> bursts) {
    long ticket = tickets.incrementAndGet();
    CompletableFuture<Void> done = new CompletableFuture<>();
    waiting.put(ticket, done);
    driver.post(
        machine -> next(machine, bursts, 0, ticket), () -> fail(ticket, "the host is down"));
    return done;
  }

  private void next(Machine machine, List<Burst> bursts, int at, long ticket) {
    if (at == bursts.size()) {
      Optional.ofNullable(waiting.remove(ticket)).ifPresent(done -> done.complete(null));
      return;
    }
    Burst burst = bursts.get(at);
    if (crashed.test(burst.domid())) {
      fail(ticket, "domain " + burst.domid() + " has crashed");
      return;
    }
    try {
      disk.fault(machine, burst.domid(), burst.faults());
      LongConsumer then = when -> next(machine, bursts, at + 1, ticket);
      if (burst.nanos() > 0) {
        machine.submit(burst.domid(), burst.nanos(), when -> request(machine, burst, then, ticket));
      } else {
        request(machine, burst, then, ticket);
      }
    } catch (HypervisorRefusal gone) {
      fail(ticket, "domain " + burst.domid() + " does not exist");
    }
  }

  private void request(Machine machine, Burst burst, LongConsumer then, long ticket) {
    if (burst.request().isEmpty()) {
      then.accept(machine.now());
      return;
    }
    try {
      disk.serve(machine, burst.domid(), burst.request().get(), then);
    } catch (HypervisorRefusal gone) {
      fail(ticket, "domain " + burst.domid() + " does not exist");
    }
  }

  /** Fails all waiting stages. */
  public void abandon(String why) {
    waiting.keySet().forEach(ticket -> fail(ticket, why));
  }

  private void fail(long ticket, String why) {
    Optional.ofNullable(waiting.remove(ticket))
        .ifPresent(done -> done.completeExceptionally(new IllegalStateException(why)));
  }
}
