package io.slicewise.host.xen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code xl vcpu-list} and {@code xm vcpu-list}: the affinity of each domain's vCPUs. */
final class VcpuListing {
  private static final Pattern ROW =
      Pattern.compile(
          ".*\\S\\s+(\\d+)\\s+(\\d+)\\s+(?:\\d+|-)\\s+[-a-z]{2,3}\\s+\\d+\\.\\d\\s+(\\S.*?)\\s*");

  private VcpuListing() {}

  /** Returns affinities by domid, in the order of the vCPUs; malformed rows are ignored. */
  static Map<Integer, List<String>> affinities(String text) {
    Map<Integer, List<String>> byDomain = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        byDomain
            .computeIfAbsent(Integer.parseInt(row.group(1)), id -> new ArrayList<>())
            .add(row.group(3));
      }
    }
    return byDomain;
  }
}
