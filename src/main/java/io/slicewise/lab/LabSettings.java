package io.slicewise.lab;

import io.slicewise.lab.host.DomainState;
import io.slicewise.lab.host.DomainState.VcpuState;
import io.slicewise.lab.host.Hypercalls;
import io.slicewise.lab.host.Hypercalls.PoolState;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All settings of the machine, read directly and not through a tool. Equal snapshots before and
 * after a run mean that everything was restored.
 *
 * @param domains the parameters of each vCPU, by domain name
 * @param pools scheduler and pool-wide settings, by pool name
 * @param poolOf the pool of each domain
 * @param files the contents of control group and affinity files on a host with libvirt, by file
 */
public record LabSettings(
    Map<String, List<SchedulerParameters>> domains,
    Map<String, SchedulerOptions> pools,
    Map<String, String> poolOf,
    Map<String, String> files) {
  public LabSettings {
    domains = Map.copyOf(domains);
    pools = Map.copyOf(pools);
    poolOf = Map.copyOf(poolOf);
    files = Map.copyOf(files);
  }

  static LabSettings of(Hypercalls hypercalls) {
    Map<Integer, String> names = new TreeMap<>();
    Map<String, SchedulerOptions> pools = new TreeMap<>();
    for (PoolState pool : hypercalls.pools()) {
      names.put(pool.id(), pool.name());
      pools.put(pool.name(), pool.options());
    }
    Map<String, List<SchedulerParameters>> domains = new TreeMap<>();
    Map<String, String> poolOf = new TreeMap<>();
    for (DomainState domain : hypercalls.domains()) {
      domains.put(domain.name(), domain.vcpus().stream().map(VcpuState::parameters).toList());
      poolOf.put(domain.name(), names.get(domain.pool()));
    }
    return new LabSettings(domains, pools, poolOf, Map.of());
  }

  /** Returns the settings of a host with libvirt. */
  static LabSettings of(Map<String, String> files) {
    return new LabSettings(Map.of(), Map.of(), Map.of(), files);
  }

  /** Returns the parameters of a domain's first vCPU. */
  public SchedulerParameters of(String domain) {
    return domains.get(domain).get(0);
  }
}
