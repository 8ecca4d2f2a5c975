package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code virsh vcpupin}: the pCPUs of each vCPU. */
final class PinningListing {
  private static final Pattern ROW = Pattern.compile("\\s*(\\d+):?\\s+([0-9^,-]+)\\s*");

  private PinningListing() {}

  /**
   * Returns the pCPUs by vCPU number.
   *
   * @param vcpus online vCPUs, whose rows come first; virsh also lists vCPUs that a guest could
   *     have
   */
  static List<String> parse(String guest, String text, int vcpus) {
    List<String> cpus = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (cpus.size() < vcpus && row.matches() && Integer.parseInt(row.group(1)) == cpus.size()) {
        cpus.add(row.group(2));
      }
    }
    if (cpus.isEmpty()) {
      throw new HypervisorException(
          "'virsh vcpupin' of %s cannot be understood: '%s'."
              .formatted(guest, text.strip().replace('\n', '/')),
          "Please report it with the version of libvirt.");
    }
    return List.copyOf(cpus);
  }
}
