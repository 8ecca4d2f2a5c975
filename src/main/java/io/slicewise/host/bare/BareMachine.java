package io.slicewise.host.bare;

import io.slicewise.host.CpuPool;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Target;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.List;
import java.util.Optional;

/**
 * A machine without a hypervisor. It is its own only domain and has no settings, so nothing of it
 * is ever changed.
 *
 * @param version of the kernel
 */
record BareMachine(HypervisorKind kind, HypervisorVersion version, int cpus) implements Hypervisor {
  private static final String POOL = "all";

  @Override
  public HostDescription describe() {
    CpuPool all = new CpuPool(POOL, cpus, Bare.WORD, 1);
    return new HostDescription(
        Bare.WORD, version, version.toString(), cpus, Double.NaN, Bare.WORD, List.of(all));
  }

  @Override
  public List<Domain> domains() {
    return List.of(new Domain(HypervisorKind.BASE, 0, cpus, 0, POOL));
  }

  @Override
  public List<Setting> settings() {
    return List.of();
  }

  @Override
  public List<Command> commandsFor(
      Target target, SchedulerParameters current, SchedulerParameters wanted) {
    return List.of();
  }

  @Override
  public List<Applied> apply(List<Setting> wanted) {
    if (!wanted.isEmpty()) {
      throw new IllegalArgumentException("a machine without a hypervisor has no settings");
    }
    return List.of();
  }

  @Override
  public boolean has(Scheduler scheduler) {
    return false;
  }

  @Override
  public Optional<String> refusal(String domain, SchedulerParameters wanted) {
    return Optional.of("a machine without a hypervisor has no scheduler settings");
  }

  @Override
  public String whyMissing(String name) {
    return "is not this machine, which is called %s in experiments".formatted(HypervisorKind.BASE);
  }
}
