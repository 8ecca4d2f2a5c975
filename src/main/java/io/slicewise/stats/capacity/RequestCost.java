package io.slicewise.stats.capacity;

import java.util.List;

/**
 * The CPU time of a request and the CPUs of the host, by the utilization law D = U / X (Denning and
 * Buzen 1978): a domain's time per request is its run share × its vCPUs ÷ requests per second.
 *
 * @param guest seconds of the guest that serves it
 * @param control seconds of the control domain, or of the guests' emulators
 * @param guestVcpus of one guest
 * @param controlVcpus of the control domain; 0 if it has none of its own
 * @param pcpus that all of them share
 * @param others pCPUs that domains without requests use
 */
public record RequestCost(
    double guest, double control, int guestVcpus, int controlVcpus, int pcpus, double others) {
  /** The resources that can limit guests, as phrases. */
  public static final String PCPUS = "the pCPUs";

  public static final String CONTROL = "dom0's CPU";
  public static final String GUEST = "the guests' own vCPUs";

  /** Returns the host with that many guests as a network of queues. */
  public List<Station> network(int guests) {
    // Others take their part of each pCPU away, which makes all work there last longer.
    double free = Math.max(0.05, 1 - others / pcpus);
    Station host = new Station(PCPUS, (guest + control) / free, pcpus, 1, false);
    Station own = new Station(GUEST, guest / free, guestVcpus, guests, true);
    return controlVcpus < 1 || controlVcpus >= pcpus
        ? List.of(host, own)
        : List.of(host, own, new Station(CONTROL, control / free, controlVcpus, 1, true));
  }
}
