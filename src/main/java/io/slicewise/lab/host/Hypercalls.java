package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The hypercalls available to the tools. Every call reads and changes one consistent state.
 * Refusals are {@link HypercallException}s with the error number that Xen would return.
 */
public interface Hypercalls {
  /** Returns the nanoseconds since the hypervisor started. */
  long now();

  int pcpus();

  /** Returns all cpupools, Pool-0 first. */
  List<PoolState> pools();

  /** Returns all domains by ascending domid, Domain-0 first. */
  List<DomainState> domains();

  /** Returns the nanoseconds since the domain was created, or empty if it does not exist. */
  OptionalLong age(int domid);

  /** Sets all vCPUs of a domain; fails with {@code EINVAL} if its pool runs another scheduler. */
  void setParameters(int domid, SchedulerParameters parameters);

  /** Sets one vCPU (RTDS only). */
  void setVcpuParameters(int domid, int vcpu, SchedulerParameters parameters);

  void setPoolParameters(int pool, PoolParameters parameters);

  /** Pauses all vCPUs of a domain. */
  void pause(int domid);

  /** Resumes a paused domain. */
  void unpause(int domid);

  /** Destroys a domain, whose name is free afterwards. */
  void destroyDomain(int domid);

  /** Sets hard affinity. Only pCPUs of the domain's pool count. */
  void pin(int domid, int vcpu, Set<Integer> pcpus);

  /** Sets soft affinity; fails with {@code EINVAL} if the set is empty. */
  void prefer(int domid, int vcpu, Set<Integer> pcpus);

  /** Creates a pool of free pCPUs and returns its id. */
  int createPool(String name, Scheduler scheduler, Set<Integer> pcpus);

  /** Destroys a pool; fails with {@code EBUSY} if it contains domains. */
  void destroyPool(int pool);

  void renamePool(int pool, String name);

  /** Adds a pCPU to a pool; fails with {@code EBUSY} if the pCPU is not free. */
  void addPcpu(int pool, int pcpu);

  /** Removes a pCPU; fails with {@code EBUSY} if it is the last one of a pool with domains. */
  void removePcpu(int pool, int pcpu);

  /** Moves a domain, which takes on the default parameters of the target scheduler. */
  void moveDomain(int domid, int pool);
}
