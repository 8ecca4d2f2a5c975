package io.slicewise.lab.virsh;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * A set of pCPUs as virsh shows it.
 *
 * @param all the number of pCPUs of the host
 */
record Affinity(NavigableSet<Integer> pcpus, int all) {
  /** Returns the pCPUs of a thread with that pinning, or all if it is not pinned. */
  static Affinity of(Optional<String> pin, VirshSession session) {
    int all = session.daemon().pcpus();
    return new Affinity(CpuSet.parse(pin.orElse("all"), all), all);
  }

  String ranges() {
    return CpuSet.ranges(pcpus);
  }

  String pretty() {
    return ranges() + " (out of " + all + ")";
  }

  String letters() {
    StringBuilder letters = new StringBuilder();
    for (int pcpu = 0; pcpu < all; pcpu++) {
      letters.append(pcpus.contains(pcpu) ? 'y' : '-');
    }
    return letters.toString();
  }

  /** Parses a list of pCPUs as typed by a user; {@code r} means all. */
  static String typed(String text, VirshSession session) {
    int all = session.daemon().pcpus();
    if (text.equals("r")) {
      return "0-" + (all - 1);
    }
    NavigableSet<Integer> read;
    try {
      read = CpuSet.parse(text, Integer.MAX_VALUE >> 16);
    } catch (NumberFormatException noNumber) {
      throw new VirshFailure(
          "Invalid cpulist '" + text + "'",
          "invalid argument: Failed to parse bitmap '" + text + "'");
    }
    if (read.isEmpty() || text.contains("all")) {
      throw new VirshFailure(
          "Invalid cpulist '" + text + "'",
          "invalid argument: Failed to parse bitmap '" + text + "'");
    }
    if (read.last() >= all) {
      throw new VirshFailure(
          "CPU %d in cpulist '%s' exceed the maxcpu %d".formatted(read.last(), text, all));
    }
    return CpuSet.ranges(read);
  }
}
