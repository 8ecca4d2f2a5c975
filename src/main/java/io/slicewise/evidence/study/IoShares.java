package io.slicewise.evidence.study;

import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Whose a disk's traffic is: of each guest, by its backends in the domain that serves disks, or
 * without them by the guests' own kernels.
 *
 * @param bytes moved for each domain, in both directions
 * @param requests of each domain
 */
record IoShares(Map<String, Double> bytes, Map<String, Double> requests) {
  IoShares {
    bytes = Map.copyOf(bytes);
    requests = Map.copyOf(requests);
  }

  /**
   * The shares in a window.
   *
   * @param serving the machine with the disks
   * @param guest the loaded domain
   * @param domid of that domain, if known: backends of guests whose names are not known have ids
   */
  static IoShares of(
      Map<String, MachineCounters> machines,
      Optional<MachineCounters> serving,
      String guest,
      OptionalInt domid) {
    Map<String, List<DiskCounters>> owners = new TreeMap<>();
    serving
        .map(MachineCounters::backends)
        .orElse(Map.of())
        .forEach(
            (backend, counts) ->
                owners
                    .computeIfAbsent(owner(backend, guest, domid), any -> new ArrayList<>())
                    .add(counts));
    if (owners.isEmpty()) {
      machines.forEach(
          (name, machine) -> {
            if (machine.tier() == Tier.GUEST && machine.measured()) {
              owners.put(name, machine.ownDisks());
            }
          });
    }
    return new IoShares(
        each(owners, MachineCells::bytes),
        each(
            owners,
            disks ->
                MachineCells.sum(disks, DiskCounters.READS)
                    + disks.stream()
                        .mapToDouble(disk -> disk.counts().getOrDefault(DiskCounters.WRITES, 0.0))
                        .sum()));
  }

  private static String owner(String backend, String guest, OptionalInt domid) {
    if (MachineCells.isOf(backend, guest, domid)) {
      return guest;
    }
    int slash = backend.indexOf('/');
    return slash < 0 ? backend : backend.substring(0, slash);
  }

  /** A guest without disks moves nothing. */
  private static Map<String, Double> each(
      Map<String, List<DiskCounters>> owners, ToDoubleFunction<List<DiskCounters>> value) {
    Map<String, Double> values = new TreeMap<>();
    owners.forEach(
        (name, disks) -> values.put(name, disks.isEmpty() ? 0 : value.applyAsDouble(disks)));
    values.values().removeIf(one -> one.isNaN());
    return values;
  }

  private static double sum(Map<String, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  double allBytes() {
    return sum(bytes);
  }

  /** The share of the others' bytes, 0 to 1; {@code NaN} if the guest's are not known. */
  double others(String guest) {
    return bytes.containsKey(guest) ? 1 - bytes.get(guest) / allBytes() : Double.NaN;
  }

  /** Each domain's share of the bytes, in percent. */
  Map<String, Double> byBytes() {
    return percent(bytes);
  }

  /** Each domain's share of the requests, in percent. */
  Map<String, Double> byRequests() {
    return percent(requests);
  }

  private static Map<String, Double> percent(Map<String, Double> values) {
    double all = sum(values);
    Map<String, Double> shares = new TreeMap<>(values);
    shares.replaceAll((name, value) -> all > 0 ? 100 * value / all : 0);
    return shares;
  }
}
