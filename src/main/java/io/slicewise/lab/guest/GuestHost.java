package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestCpu.Burst;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The machine that guests run on, through all its reboots: whoever serves in a guest asks here for
 * the guest's CPU time, by the name of the domain.
 */
public final class GuestHost {
  /** The control domain's name. */
  public static final String DOM0 = "Domain-0";

  private final AtomicReference<Boot> now = new AtomicReference<>();

  private record Boot(GuestCpu cpu, Map<String, Integer> domids) {}

  /** CPU time to be spent in a domain. */
  public record Work(String domain, long nanos) {}

  /** The machine has booted: from now on this is its CPU, and these are the guests' ids. */
  public void booted(GuestCpu cpu, Map<String, Integer> domids) {
    now.set(new Boot(cpu, Map.copyOf(domids)));
  }

  /** Guests were started anew: these are their ids on the same machine. */
  public void restarted(Map<String, Integer> domids) {
    now.updateAndGet(boot -> new Boot(boot.cpu, Map.copyOf(domids)));
  }

  /**
   * Completes when all of it has been executed, in that order; fails when the machine goes down.
   */
  public CompletionStage<Void> spend(List<Work> works) {
    Boot boot = now.get();
    List<Burst> bursts =
        works.stream()
            .filter(work -> work.nanos > 0)
            .map(work -> new Burst(domid(boot, work.domain), work.nanos))
            .toList();
    return bursts.isEmpty() ? CompletableFuture.completedFuture(null) : boot.cpu.spend(bursts);
  }

  private static int domid(Boot boot, String domain) {
    if (domain.equals(DOM0)) {
      return 0;
    }
    return Optional.ofNullable(boot.domids.get(domain))
        .orElseThrow(() -> new IllegalArgumentException("the lab has no guest " + domain));
  }

  /** Fails everybody who waits. */
  public void abandon(String why) {
    now.get().cpu.abandon(why);
  }
}
