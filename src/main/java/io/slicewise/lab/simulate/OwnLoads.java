package io.slicewise.lab.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.WebApplicationModel.Exponential;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * The load of domains that compute without requests of the modelled users: every vCPU alternates
 * exponential bursts of CPU time, with a mean of 5 ms, and exponential times blocked. Counters show
 * how much a domain computes, not in which bursts; the 5 ms are assumed.
 */
final class OwnLoads {
  private static final long BURST_NANOS = 5_000_000;

  private final Machine machine;
  private final Exponential chance;

  OwnLoads(Machine machine, long seed) {
    this.machine = machine;
    this.chance = new Exponential(seed);
  }

  /**
   * Starts the load of a domain's vCPUs.
   *
   * @param blocked mean time blocked for each unit of CPU time
   */
  void start(int domid, int vcpus, double blocked) {
    for (int vcpu = 0; vcpu < vcpus; vcpu++) {
      if (blocked == 0) {
        machine.burn(domid, vcpu);
      } else {
        new Task(domid, Math.round(BURST_NANOS * blocked)).accept(machine.now());
      }
    }
  }

  /** Returns the loads as a phrase: {@code own load (web 50 %, db 3 % if alone)}. */
  static String text(Map<String, Double> ownLoad) {
    List<String> words = new ArrayList<>();
    new TreeMap<>(ownLoad)
        .forEach(
            (domain, blocked) -> words.add(Phrase.of("%s %.1f %%", domain, 100 / (1 + blocked))));
    return words.isEmpty() ? "" : "own load (" + String.join(", ", words) + " if alone)";
  }

  /** One vCPU's worth of load: called at the end of each burst and of each time blocked. */
  private final class Task implements LongConsumer {
    private final int domid;
    private final long blockedNanos;
    private boolean computing = true;

    Task(int domid, long blockedNanos) {
      this.domid = domid;
      this.blockedNanos = blockedNanos;
    }

    @Override
    public void accept(long nanos) {
      computing = !computing;
      if (computing) {
        machine.submit(domid, chance.next(BURST_NANOS), this);
      } else {
        machine.at(nanos + chance.next(blockedNanos), this);
      }
    }
  }
}
