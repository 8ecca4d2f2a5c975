package io.slicewise.lab.host;

import io.slicewise.lab.host.DomainState.VcpuState;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.sim.HypervisorRefusal.Errno;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.DomainView;
import io.slicewise.lab.sim.Machine.PoolView;
import io.slicewise.lab.sim.Machine.VcpuView;
import io.slicewise.lab.sim.Runstate;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The hypercalls of a simulated machine, available to the tools. Each call runs on the machine's
 * thread, and so reads and changes one consistent state. Refusals are {@link HypervisorRefusal}s
 * with the error number that Xen would return.
 */
public final class Hypercalls {
  private static final String NO_UUID = "00000000-0000-0000-0000-000000000000";

  private final Driver driver;
  private final int pcpus;
  private final BuiltIn schedulers;
  private final Map<Integer, Long> memoryKib = new ConcurrentHashMap<>();
  private final Map<VcpuName, Set<Integer>> preferred = new ConcurrentHashMap<>();
  private final Map<Integer, String> uuids = new ConcurrentHashMap<>();
  private final Set<Integer> crashed = ConcurrentHashMap.newKeySet();

  private record VcpuName(int domid, int vcpu) {}

  public Hypercalls(Driver driver, int pcpus, BuiltIn schedulers) {
    this.driver = driver;
    this.pcpus = pcpus;
    this.schedulers = schedulers;
  }

  /** Creates a guest in Pool-0, as booting or {@code xl create} would. */
  public void createDomain(int domid, String name, String uuid, int vcpus, long kib) {
    uuids.put(domid, uuid);
    createDomain(domid, name, vcpus, kib);
  }

  /** Creates a domain without a UUID, such as Domain-0. */
  public void createDomain(int domid, String name, int vcpus, long kib) {
    memoryKib.put(domid, kib);
    change(machine -> machine.addDomain(name, domid, vcpus, Machine.POOL_0));
  }

  /** Returns the domid of the next domain. No domid is used twice before the machine reboots. */
  public int nextDomid() {
    return 1 + memoryKib.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** Pauses all vCPUs of a domain. */
  public void pause(int domid) {
    change(machine -> machine.pause(domid));
  }

  /** Resumes a paused domain. */
  public void unpause(int domid) {
    if (!crashed.contains(domid)) {
      change(machine -> machine.unpause(domid));
    }
  }

  /** Destroys a domain, whose name is free afterwards. */
  public void destroyDomain(int domid) {
    change(machine -> machine.removeDomain(domid));
  }

  /** Crashes a domain, which no longer runs or answers but remains listed as crashed. */
  public void crash(int domid) {
    crashed.add(domid);
    change(machine -> machine.pause(domid));
  }

  public boolean crashed(int domid) {
    return crashed.contains(domid);
  }

  /** Returns the nanoseconds since the hypervisor started. */
  public long now() {
    return driver.now();
  }

  public int pcpus() {
    return pcpus;
  }

  /** Returns all cpupools, Pool-0 first. */
  public List<PoolState> pools() {
    return driver.ask(machine -> machine.pools().stream().map(Hypercalls::state).toList());
  }

  private static PoolState state(PoolView pool) {
    return new PoolState(pool.id(), pool.name(), pool.options(), List.copyOf(pool.pcpus()));
  }

  /** Returns all domains by ascending domid, Domain-0 first. */
  public List<DomainState> domains() {
    return driver.ask(machine -> machine.domains().stream().map(d -> state(machine, d)).toList());
  }

  private DomainState state(Machine machine, DomainView domain) {
    List<VcpuState> vcpus = new ArrayList<>();
    for (VcpuView vcpu : machine.vcpus(domain.domid())) {
      vcpus.add(
          new VcpuState(
              vcpu.vcpu(),
              vcpu.state() == Runstate.OFFLINE ? Runstate.RUNNABLE : vcpu.state(),
              vcpu.pcpu(),
              machine.times(domain.domid(), vcpu.vcpu()).runningNanos(),
              vcpu.affinity(),
              preferred(domain.domid(), vcpu.vcpu()),
              machine.parameters(domain.domid(), vcpu.vcpu()),
              vcpu.online()));
    }
    int pool = pool(machine, domain.pool()).id();
    long kib = memoryKib.getOrDefault(domain.domid(), 0L);
    boolean dead = crashed.contains(domain.domid());
    return new DomainState(
        domain.domid(),
        domain.name(),
        uuids.getOrDefault(domain.domid(), NO_UUID),
        pool,
        kib,
        dead,
        domain.paused() && !dead,
        vcpus);
  }

  private static PoolView pool(Machine machine, String name) {
    return pool(machine, pool -> pool.name().equals(name));
  }

  private static PoolView pool(Machine machine, int id) {
    return pool(machine, pool -> pool.id() == id);
  }

  private static PoolView pool(Machine machine, Predicate<PoolView> wanted) {
    return machine.pools().stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() -> new HypervisorRefusal(Errno.ENOENT, "there is no such pool"));
  }

  /** Sets all vCPUs of a domain; fails with {@code EINVAL} if its pool runs another scheduler. */
  public void setParameters(int domid, SchedulerParameters parameters) {
    change(machine -> machine.set(domid, parameters));
  }

  /** Sets one vCPU (RTDS only). */
  public void setVcpuParameters(int domid, int vcpu, SchedulerParameters parameters) {
    if (parameters.scheduler() != Scheduler.RTDS) {
      throw HypervisorRefusal.invalid("only RTDS sets single vCPUs");
    }
    change(machine -> machine.set(domid, vcpu, parameters));
  }

  public void setPoolOptions(int pool, SchedulerOptions options) {
    change(machine -> machine.setPoolOptions(pool(machine, pool).name(), options));
  }

  /** Sets hard affinity. Only pCPUs of the domain's pool count. */
  public void pin(int domid, int vcpu, Set<Integer> wanted) {
    change(machine -> machine.pin(domid, vcpu, wanted));
  }

  /** Asks a domain to use only its first vCPUs; its kernel does so at once. */
  public void setOnline(int domid, int vcpus) {
    change(machine -> machine.setOnline(domid, vcpus));
  }

  private Set<Integer> preferred(int domid, int vcpu) {
    return preferred.getOrDefault(
        new VcpuName(domid, vcpu),
        IntStream.range(0, pcpus).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  /** Sets soft affinity; fails with {@code EINVAL} if the set is empty. */
  public void prefer(int domid, int vcpu, Set<Integer> wanted) {
    if (wanted.isEmpty()) {
      throw HypervisorRefusal.invalid("an empty affinity");
    }
    driver.ask(machine -> machine.times(domid, vcpu)); // refuses a vCPU that does not exist
    preferred.put(new VcpuName(domid, vcpu), Set.copyOf(wanted));
  }

  /** Creates a pool of free pCPUs. */
  public void createPool(String name, Scheduler scheduler, Set<Integer> wanted) {
    change(machine -> machine.addPool(name, schedulers.options(scheduler), wanted));
  }

  /** Destroys a pool; fails with {@code EBUSY} if it contains domains. */
  public void destroyPool(int pool) {
    change(machine -> machine.removePool(pool(machine, pool).name()));
  }

  /** Adds a pCPU to a pool; fails with {@code EBUSY} if the pCPU is not free. */
  public void addPcpu(int pool, int pcpu) {
    change(machine -> machine.addPcpu(pool(machine, pool).name(), pcpu));
  }

  /** Removes a pCPU; fails with {@code EBUSY} if it is the last one of a pool with domains. */
  public void removePcpu(int pool, int pcpu) {
    change(machine -> machine.removePcpu(pool(machine, pool).name(), pcpu));
  }

  /**
   * Moves a domain, which takes on the default parameters of the target scheduler, and any pCPU of
   * the pool. A domain that is there already stays as it is.
   */
  public void moveDomain(int domid, int pool) {
    boolean elsewhere = domains().stream().anyMatch(d -> d.id() == domid && d.pool() != pool);
    change(machine -> machine.migrate(domid, pool(machine, pool).name()));
    if (elsewhere) {
      preferred.keySet().removeIf(vcpu -> vcpu.domid() == domid);
    }
  }

  private void change(Consumer<Machine> change) {
    driver.ask(
        machine -> {
          change.accept(machine);
          return true;
        });
  }

  /** A snapshot of a cpupool, with its pCPUs in ascending order. */
  public record PoolState(int id, String name, SchedulerOptions options, List<Integer> pcpus) {
    public PoolState {
      pcpus = List.copyOf(pcpus);
    }

    public Scheduler scheduler() {
      return options.scheduler();
    }
  }
}
