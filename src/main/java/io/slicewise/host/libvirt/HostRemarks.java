package io.slicewise.host.libvirt;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.Hypervisor.Remark;
import io.slicewise.host.libvirt.GuestListing.Guest;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Remarks on the peculiarities of a libvirt host, and on disturbances of its guests. */
final class HostRemarks {
  private static final String STAT = "/proc/stat";
  private static final String UPTIME = "/proc/uptime";

  /** The unit of {@code /proc/stat}, the same for every architecture that runs KVM. */
  private static final double TICKS_PER_SECOND = 100;

  /** The fields for idle time, in the line of all CPUs: idle and waiting for disks. */
  private static final List<Integer> NO_WORK = List.of(4, 5);

  /** Guest time is a part of user time. */
  private static final int LAST_STATE = 8;

  /** In pCPUs; the check itself needs some. */
  private static final double MUCH = 0.25;

  private final RemoteShell shell;
  private final LibvirtInventory inventory;
  private final LibvirtReadings readings;
  private final KernelFiles files;

  HostRemarks(RemoteShell shell, LibvirtInventory inventory, LibvirtReadings readings) {
    this.shell = shell;
    this.inventory = inventory;
    this.readings = readings;
    this.files = new KernelFiles(shell);
  }

  List<Remark> all() {
    List<Remark> remarks = new ArrayList<>();
    ControllerVersion version = inventory.cgroups();
    remarks.add(
        new Remark(
            "cgroups",
            "%s: shares %d to %d, %d by default"
                .formatted(
                    version, version.leastShares(), version.mostShares(), version.defaultShares()),
            ""));
    Remark otherWork = otherWork();
    String off =
        inventory.listed().stream()
            .filter(guest -> !guest.isOn())
            .map(Guest::name)
            .collect(Collectors.joining(", "));
    if (!off.isEmpty()) {
      remarks.add(new Remark("guests", "shut off, so without settings: " + off, ""));
    }
    remarks.add(otherWork);
    return List.copyOf(remarks);
  }

  /** CPU time used up to one moment. */
  private record Moment(
      double seconds, double busySeconds, double guestSeconds, List<RunningGuest> guests) {
    /** Returns the pCPUs that processes other than guests used since an earlier moment. */
    double othersSince(Moment earlier) {
      double others = busySeconds - earlier.busySeconds - (guestSeconds - earlier.guestSeconds);
      return Math.max(0, others) / (seconds - earlier.seconds);
    }
  }

  private Remark otherWork() {
    Moment first = moment();
    shell.run(Command.reading("sleep", "1"));
    Moment last = moment();
    double others = last.othersSince(first);
    String weight = readings.pool(last.guests()).parameters();
    String sentence =
        Phrase.of(
            "work beside the guests uses %.2f pCPUs%s",
            others,
            weight.isEmpty() ? "" : "; all guests together weigh as one group with " + weight);
    return new Remark(
        "other work",
        sentence,
        others > MUCH
            ? "end that work, or give the group of the guests more shares: a cap or a weight"
                + " decides little while others take the CPU"
            : "");
  }

  private Moment moment() {
    List<RunningGuest> running = inventory.running();
    double guests =
        running.stream()
            .mapToDouble(one -> one.domain().cpuSeconds())
            .filter(Double::isFinite)
            .sum();
    Map<String, String> read = files.read(List.of(UPTIME, STAT));
    return new Moment(
        Double.parseDouble(read.getOrDefault(UPTIME, "0").split(" ", -1)[0]),
        busy(read.getOrDefault(STAT, "")),
        guests,
        running);
  }

  private static double busy(String stat) {
    return stat.lines()
            .filter(line -> line.startsWith("cpu "))
            .map(line -> line.strip().split(" +"))
            .flatMapToLong(HostRemarks::work)
            .sum()
        / TICKS_PER_SECOND;
  }

  private static LongStream work(String[] fields) {
    return Stream.iterate(1, i -> i <= LAST_STATE && i < fields.length, i -> i + 1)
        .filter(i -> !NO_WORK.contains(i))
        .mapToLong(i -> Long.parseLong(fields[i]));
  }
}
