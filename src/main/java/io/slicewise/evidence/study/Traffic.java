package io.slicewise.evidence.study;

import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * One domain's part of the traffic of all guests' disks in one case, in percent, over blocks.
 *
 * @param more of the bytes than in the case without neighbours, in the same block
 */
public record Traffic(
    String place,
    String name,
    String domain,
    boolean guest,
    Estimate bytes,
    Estimate requests,
    Estimate more) {
  private static final double CONFIDENCE = 0.95;

  /** Percent points below which a share is the same. */
  private static final double SAME_SHARE = 2;

  /** Whether it is another domain that moves more than without neighbours, by its interval. */
  public boolean accused() {
    return !guest && more.low() > 0 && more.mean() > SAME_SHARE;
  }

  /** Whether it is another domain that moves something. */
  boolean busy() {
    return !guest && bytes.mean() > SAME_SHARE;
  }

  /**
   * The parts of all domains in one case.
   *
   * @param now by block
   * @param alone by block, of the same blocks
   */
  static List<Traffic> of(
      String place,
      String name,
      String guest,
      Map<Integer, IoShares> now,
      Map<Integer, IoShares> alone) {
    Set<String> domains = new TreeSet<>();
    now.values().forEach(shares -> domains.addAll(shares.bytes().keySet()));
    List<Traffic> all = new ArrayList<>();
    for (String domain : domains) {
      all.add(
          new Traffic(
              place,
              name,
              domain,
              domain.equals(guest),
              estimate(now, domain, IoShares::byBytes),
              estimate(now, domain, IoShares::byRequests),
              StudentInterval.of(CONFIDENCE, more(domain, now, alone))));
    }
    return all;
  }

  private static Estimate estimate(
      Map<Integer, IoShares> blocks,
      String domain,
      Function<IoShares, Map<String, Double>> shares) {
    return StudentInterval.of(
        CONFIDENCE,
        blocks.values().stream()
            .mapToDouble(block -> shares.apply(block).getOrDefault(domain, 0.0))
            .toArray());
  }

  private static double[] more(
      String domain, Map<Integer, IoShares> now, Map<Integer, IoShares> alone) {
    Map<Integer, Double> more = new LinkedHashMap<>();
    now.forEach(
        (block, shares) -> {
          if (alone.containsKey(block)) {
            more.put(
                block,
                shares.byBytes().getOrDefault(domain, 0.0)
                    - alone.get(block).byBytes().getOrDefault(domain, 0.0));
          }
        });
    return more.values().stream().mapToDouble(Double::doubleValue).toArray();
  }

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
          .map(machine -> machine.counted().backends())
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
}
