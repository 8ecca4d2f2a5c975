package io.slicewise.evidence.study;

import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

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
}
