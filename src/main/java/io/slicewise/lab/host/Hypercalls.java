package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the tools may ask of the hypervisor. Every call sees and changes one consistent moment;
 * refusals are {@link HypercallException}s that carry the error number Xen would answer.
 */
public interface Hypercalls {
  /** Nanoseconds since the hypervisor started. */
  long now();

  int pcpus();

  /** All cpupools, Pool-0 first. */
  List<PoolState> pools();

  /** All domains by rising domid, Domain-0 first. */
  List<DomainState> domains();

  /** Nanoseconds since the domain was created; empty if it does not exist. */
  OptionalLong age(int domid);

  /** Sets all vCPUs of a domain; {@code EINVAL} if its pool runs another scheduler. */
  void setParameters(int domid, SchedulerParameters parameters);

  /** Sets one vCPU (RTDS only). */
  void setVcpuParameters(int domid, int vcpu, SchedulerParameters parameters);

  void setPoolParameters(int pool, PoolParameters parameters);

  /** Keeps all vCPUs of a domain from running. */
  void pause(int domid);

  /** Lets a paused domain run again. */
  void unpause(int domid);

  /** Ends a domain; its guest's name is that of none then. */
  void destroyDomain(int domid);

  /** Hard affinity; only pCPUs of the domain's pool count. */
  void pin(int domid, int vcpu, Set<Integer> pcpus);

  /** Soft affinity; empty is refused with {@code EINVAL}. */
  void prefer(int domid, int vcpu, Set<Integer> pcpus);

  /** Creates a pool of free pCPUs and answers its id. */
  int createPool(String name, Scheduler scheduler, Set<Integer> pcpus);

  /** {@code EBUSY} while the pool holds domains. */
  void destroyPool(int pool);

  void renamePool(int pool, String name);

  /** {@code EBUSY} if the pCPU is not free. */
  void addPcpu(int pool, int pcpu);

  /** {@code EBUSY} if it is the last pCPU of a pool with domains. */
  void removePcpu(int pool, int pcpu);

  /** Moves a domain; its parameters become the target scheduler's defaults. */
  void moveDomain(int domid, int pool);
}
