package io.slicewise.lab.guest;

import io.slicewise.lab.disk.SharedDisk.DiskRequest;
import io.slicewise.lab.guest.GuestCpu.Burst;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * The machine of the guests, across reboots: servers in a guest request its CPU time here, by the
 * name of the domain.
 */
public final class GuestHost {
  /** The control domain's name. */
  public static final String DOM0 = "Domain-0";

  private final AtomicReference<Boot> now = new AtomicReference<>();

  private record Boot(
      GuestCpu cpu,
      GuestCosts costs,
      Map<String, Integer> domids,
      IntFunction<OptionalInt> carriers) {
    OptionalInt id(String domain) {
      Integer id = domain.equals(DOM0) ? Integer.valueOf(0) : domids.get(domain);
      return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    Optional<Burst> burst(Work work, int guest) {
      if (!work.domain.equals(DOM0)) {
        long nanos = costs.nanos(work.nanos, work.faults);
        return Optional.of(new Burst(guest, nanos, work.faults, work.request));
      }
      OptionalInt carrier = carriers.apply(guest);
      return carrier.isPresent()
          ? Optional.of(new Burst(carrier.getAsInt(), work.nanos))
          : Optional.empty();
    }
  }

  /**
   * CPU time to spend in a domain, as on the bare machine and without that of its page faults.
   *
   * @param faults page faults in it
   * @param request to the disk afterwards
   */
  public record Work(String domain, long nanos, int faults, Optional<DiskRequest> request) {
    /** Creates work that only computes. */
    public Work(String domain, long nanos) {
      this(domain, nanos, 0, Optional.empty());
    }
  }

  /**
   * The machine has booted: from now on this is its CPU, and these are the guests' ids, as long as
   * it runs.
   *
   * @param carriers who carries a guest's packets where the work is that of {@link #DOM0}; empty =
   *     nobody, so that they cost nothing
   */
  public void booted(
      GuestCpu cpu,
      GuestCosts costs,
      Map<String, Integer> domids,
      IntFunction<OptionalInt> carriers) {
    now.set(new Boot(cpu, costs, domids, carriers));
  }

  /** Completes when all work has been executed, in order; fails if the machine goes down. */
  public CompletionStage<Void> spend(List<Work> works) {
    Boot boot = now.get();
    List<Burst> bursts = new ArrayList<>();
    for (int at = 0; at < works.size(); at++) {
      Work work = works.get(at);
      if (work.nanos > 0 || work.request.isPresent()) {
        String served = served(works, at);
        OptionalInt guest = boot.id(served);
        if (guest.isEmpty()) {
          return CompletableFuture.failedFuture(
              new IllegalStateException("guest " + served + " is not running"));
        }
        boot.burst(work, guest.getAsInt()).ifPresent(bursts::add);
      }
    }
    return bursts.isEmpty() ? CompletableFuture.completedFuture(null) : boot.cpu.spend(bursts);
  }

  /** Packets are carried for the guest that has to work next, or else had to before. */
  private static String served(List<Work> works, int at) {
    for (int next = at; next < works.size() + at; next++) {
      Work other = works.get(next % works.size());
      if (!other.domain.equals(DOM0)) {
        return other.domain;
      }
    }
    return DOM0;
  }

  /** Fails all waiting stages. */
  public void abandon(String why) {
    now.get().cpu.abandon(why);
  }

  /**
   * What computing costs in a guest.
   *
   * @param cpu factor on the CPU time of all work, at least 1
   * @param fault the CPU time of a page fault
   */
  public record GuestCosts(double cpu, Duration fault) {
    /** On the bare machine. */
    public static final GuestCosts BARE = new GuestCosts(1, Duration.ofNanos(2_000));

    public GuestCosts {
      if (!(cpu >= 1) || fault.isNegative()) {
        throw new IllegalArgumentException("a guest needs no less CPU time than the bare machine");
      }
    }

    /** Returns the CPU time of some work, with its page faults. */
    long nanos(long work, int faults) {
      return Math.round(work * cpu) + faults * fault.toNanos();
    }
  }
}
