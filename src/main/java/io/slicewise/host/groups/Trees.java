package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.ssh.Command;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a host's control groups are mounted. With version 1 each controller has a tree; with
 * version 2 there is one. A host can have both versions, with the CPU controller in one of them.
 *
 * @param cpu the mount point of the CPU controller
 * @param cpuset that of the cpusets, if they are mounted
 * @param usage that of the accounts of CPU time, if they are mounted
 */
record Trees(CgroupVersion version, String cpu, Optional<String> cpuset, Optional<String> usage) {
  /** Prints the mounts, and the controllers of each tree of version 2. */
  static final Command READING =
      Command.reading(
          "sh",
          "-c",
          "cat /proc/mounts; grep ' cgroup2 ' /proc/mounts | while read -r _ tree _; do"
              + " echo \"@ $tree @ $(cat \"$tree/cgroup.controllers\")\"; done");

  /** Finds the trees in what {@link #READING} printed. */
  static Trees of(String address, String printed) {
    List<String[]> mounts =
        printed
            .lines()
            .filter(line -> !line.startsWith("@"))
            .map(line -> line.split(" "))
            .filter(fields -> fields.length > 3 && fields[2].equals("cgroup"))
            .toList();
    Optional<String> first = tree(mounts, "cpu");
    if (first.isPresent()) {
      return new Trees(
          CgroupVersion.V1, first.get(), tree(mounts, "cpuset"), tree(mounts, "cpuacct"));
    }
    return printed
        .lines()
        .filter(line -> line.startsWith("@ "))
        .map(line -> line.substring(2).split(" @ ", -1))
        .filter(fields -> fields.length == 2 && List.of(fields[1].split(" ")).contains("cpu"))
        .map(fields -> fields[0])
        .map(root -> new Trees(CgroupVersion.V2, root, Optional.of(root), Optional.of(root)))
        .findFirst()
        .orElseThrow(
            () ->
                HypervisorException.absent(
                    address + " has no control groups with a CPU controller.",
                    "Mount cgroup2 with the cpu controller, or version 1's cpu controller."));
  }

  private static Optional<String> tree(List<String[]> mounts, String controller) {
    return mounts.stream()
        .filter(fields -> List.of(fields[3].split(",")).contains(controller))
        .map(fields -> fields[1])
        .findFirst();
  }

  /** Returns the different mount points. */
  List<String> roots() {
    return Stream.of(Optional.of(cpu), cpuset, usage).flatMap(Optional::stream).distinct().toList();
  }
}
