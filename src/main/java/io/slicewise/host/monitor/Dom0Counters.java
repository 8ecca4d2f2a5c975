package io.slicewise.host.monitor;

import io.slicewise.observe.Location;
import io.slicewise.observe.Reading;
import io.slicewise.observe.Sighting;
import io.slicewise.observe.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The control domain's kernel counters, as in runs recorded before {@link Machines}. */
public final class Dom0Counters {
  /** The control domain's kernel counters. */
  public static final Topic TOPIC = new Topic("dom0", "Host kernel counters", "");

  public static final String BUSY = "busy";
  public static final String STOLEN = "stolen";
  public static final String SECONDS = "seconds";

  private static final String DOMAIN = "Domain-0";

  private Dom0Counters() {}

  /**
   * Returns the kernel's counts. A share is of the time of all vCPUs, and {@code NaN} if this
   * kernel does not count it: stolen time is runnable time without a pCPU, which the hypervisor's
   * monitors call waiting; waiting for disks is idle time with a pending request. The details have
   * each device, partitions and mapped devices included, so they do not add up.
   */
  public static Sighting sighting(ProcUse use) {
    double busiest =
        use.disks().values().stream()
            .mapToDouble(ProcUse.DiskUse::busyShare)
            .filter(Double::isFinite)
            .max()
            .orElse(Double.NaN);
    List<Reading> details = new ArrayList<>();
    details.add(new Reading(SECONDS, "s", use.seconds()));
    details.add(new Reading("load_average", "", use.loadAverage()));
    new TreeMap<>(use.disks()).forEach((name, disk) -> details.addAll(disk(name, disk)));
    return new Sighting(
        Location.domain(DOMAIN),
        List.of(
            Reading.share(BUSY, use.busy()),
            Reading.share(STOLEN, use.share("steal")),
            Reading.share("waiting_for_disks", use.share("iowait")),
            Reading.share("busiest_disk", busiest)),
        details,
        "");
  }

  private static List<Reading> disk(String name, ProcUse.DiskUse disk) {
    return List.of(
        new Reading(name + ".reads", "1/s", disk.readsPerSecond()),
        new Reading(name + ".writes", "1/s", disk.writesPerSecond()),
        new Reading(name + ".bytes_read", "B/s", disk.readBytesPerSecond()),
        new Reading(name + ".bytes_written", "B/s", disk.writtenBytesPerSecond()),
        Reading.share(name + ".busy", disk.busyShare()));
  }
}
