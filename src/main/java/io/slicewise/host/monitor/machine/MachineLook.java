package io.slicewise.host.monitor.machine;

import io.slicewise.host.monitor.machine.MachineProbe.ProbeClock;
import io.slicewise.observe.MachineCounters.Tier;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a machine's kernel offers to a probe.
 *
 * @param roundTripMillis from asking to the end of the answer
 * @param doubtMillis its clock is known to within so many milliseconds
 * @param missing files that it does not have
 * @param steal seconds of stolen time since it booted; {@code NaN} if its kernel does not list it
 * @param pressure whether its kernel counts pressure
 * @param service whether the service's control group was found; true without a service
 * @param disks that were used since it booted
 * @param type of a guest of Xen, such as {@code PVH}; empty if its kernel does not show it
 * @param memory in bytes; {@code NaN} if its kernel does not show it
 */
public record MachineLook(
    double roundTripMillis,
    double doubtMillis,
    List<String> missing,
    double steal,
    boolean pressure,
    boolean service,
    List<String> disks,
    String type,
    double memory) {
  private static final double TICKS = 100;

  public MachineLook {
    missing = List.copyOf(missing);
    disks = List.copyOf(disks);
  }

  static MachineLook of(
      MachineReading reading, ProbeClock clock, Tier tier, Optional<String> service) {
    Long steal = reading.counters().kernel().cpuTicks().get("steal");
    return new MachineLook(
        clock.roundTrip() * 1e3,
        clock.doubt() * 1e3,
        ProbeCommand.FILES.stream().filter(file -> !reading.files().contains(file)).toList(),
        steal == null || tier == Tier.BASE ? Double.NaN : steal / TICKS,
        !reading.counters().stalled().isEmpty(),
        service.isEmpty() || !reading.counters().service().isEmpty(),
        reading.counters().kernel().disks().entrySet().stream()
            .filter(disk -> disk.getValue().counters().values().stream().anyMatch(n -> n > 0))
            .map(Map.Entry::getKey)
            .sorted()
            .toList(),
        reading.type(),
        reading.levels().getOrDefault("MemTotal", Double.NaN));
  }
}
