package io.slicewise.host;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A running domain from a listing.
 *
 * @param name as printed; may contain blanks
 * @param id the domid; changes when a guest restarts
 * @param vcpus online vCPUs
 * @param cpuSeconds CPU time of all its vCPUs since it started, resolution 0.1 s
 * @param cpupool its pool; {@code Pool-0} if the host has no cpupools
 */
public record Domain(String name, int id, int vcpus, double cpuSeconds, String cpupool)
    implements Target {
  @Override
  public boolean isSame(Target other) {
    return other instanceof Domain domain && domain.id == id;
  }

  /** Returns the names of domains by domid. */
  public static Map<Integer, String> names(List<Domain> domains) {
    return domains.stream()
        .collect(Collectors.toMap(Domain::id, Domain::name, (one, other) -> one));
  }
}
