package io.slicewise.lab.sim;

import java.util.Optional;

/**
 * What a Linux host can set for the threads of its guests, and their accounts. A guest is a domain;
 * what QEMU does beside the vCPUs (its emulator, an I/O thread) is a domain of its own that {@link
 * #nest} puts beside the vCPUs of the guest.
 */
public interface FairScheduler {
  /** Weight of a group or thread that nobody changed. */
  int DEFAULT_WEIGHT = 1024;

  /** The base of the emulators' domain ids, above those of the guests. */
  int EMULATORS = 8000;

  /**
   * A quota of CPU time in each period.
   *
   * @param quotaMicros time in each period
   * @param periodMicros length of a period
   */
  record Quota(long quotaMicros, long periodMicros) {}

  /**
   * What bandwidth control has counted.
   *
   * @param periods periods in which there was something to run
   * @param throttled periods in which the quota was used up
   * @param throttledNanos time during which nothing could run for want of quota
   */
  record Throttling(long periods, long throttled, long throttledNanos) {
    static final Throttling NONE = new Throttling(0, 0, 0);
  }

  /** Returns the id of the domain that stands for the emulator of a guest. */
  static int emulator(int guest) {
    return EMULATORS + guest;
  }

  /** Makes a domain one child group of a guest, which competes with the guest's vCPUs. */
  void nest(int domid, int guest);

  /** Sets the weight of all guests together against other work on the host. */
  void setMachineWeight(double weight);

  /** Sets a guest's weight against other guests. */
  void setWeight(int domid, double weight);

  /** Sets the weight of one vCPU against what else runs in its guest. */
  void setWeight(int domid, int vcpu, double weight);

  /** Limits a guest as a whole; empty removes the limit. */
  void setQuota(int domid, Optional<Quota> quota);

  /** Limits one vCPU; empty removes the limit. */
  void setQuota(int domid, int vcpu, Optional<Quota> quota);

  /** What the limit of a whole guest did. */
  Throttling throttling(int domid);

  /** What the limit of one vCPU did. */
  Throttling throttling(int domid, int vcpu);

  /** How long a vCPU was ready to run and did not: it waited its turn, or was throttled. */
  long readyNanos(int domid, int vcpu);
}
