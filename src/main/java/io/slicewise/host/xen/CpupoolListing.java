package io.slicewise.host.xen;

import io.slicewise.host.CpuPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code xl cpupool-list} and {@code xm cpupool-list}. */
final class CpupoolListing {
  private static final Pattern ROW =
      Pattern.compile("(.*\\S)\\s+(\\d+)\\s+(\\S+)\\s+([yn])\\s+(\\d+)\\s*");

  private static final Pattern CPUS = Pattern.compile("(.*\\S)\\s+(\\d+(?:[-,]\\d+)*)\\s*");

  private CpupoolListing() {}

  /** Returns the pCPUs' numbers by pool, from {@code xl cpupool-list -c}. */
  static Map<String, String> cpus(String text) {
    Map<String, String> byPool = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher row = CPUS.matcher(line);
      if (row.matches()) {
        byPool.put(row.group(1), row.group(2));
      }
    }
    return byPool;
  }

  /** Returns the active pools; xm also lists pools that are only defined. */
  static List<CpuPool> parse(String command, String text) {
    List<CpuPool> pools = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> strange = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        names.add(row.group(1));
        if (row.group(4).equals("y")) {
          pools.add(
              new CpuPool(
                  row.group(1),
                  Integer.parseInt(row.group(2)),
                  row.group(3),
                  Integer.parseInt(row.group(5))));
        }
      } else if (!line.isBlank() && !line.startsWith("Name ")) {
        strange.add(line);
      }
    }
    new StrangeRows().keep(command, names, strange);
    return List.copyOf(pools);
  }
}
