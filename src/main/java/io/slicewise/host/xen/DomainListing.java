package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HostState;
import io.slicewise.host.HypervisorException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code xl list}, {@code xl list -c} and {@code xm list}. */
final class DomainListing {
  private static final Pattern ROW =
      Pattern.compile(
          "(.*\\S)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+([-a-zS]{6})\\s+(\\d+\\.\\d)(?:\\s+(\\S.*?))?\\s*");

  /** A halted domain, which xm lists without id and state. */
  private static final Pattern HALTED = Pattern.compile(".*\\S\\s+\\d+\\s+\\d+\\s+\\d+\\.\\d\\s*");

  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private DomainListing() {}

  /**
   * Returns the running domains, as listed.
   *
   * @param cpupool the pool of domains whose row names none
   */
  static List<Domain> parse(String command, String text, String cpupool) {
    List<Domain> domains = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        if (runs(row.group(5))) {
          domains.add(domain(row, cpupool));
        }
      } else if (!line.isBlank() && !line.startsWith("Name ") && !HALTED.matcher(line).matches()) {
        throw new HypervisorException(
            "'" + command + "' printed a line that cannot be understood: '" + line + "'.",
            "Please report it with the version of Xen.");
      }
    }
    return List.copyOf(domains);
  }

  /**
   * Returns the UUIDs in {@code xl list -v} by domid; Domain-0, whose UUID is all zeros, has none.
   */
  static Map<Integer, String> uuids(String text) {
    Map<Integer, String> uuids = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches() && row.group(7) != null) {
        Matcher uuid = UUID.matcher(row.group(7));
        if (uuid.lookingAt()) {
          uuids.put(Integer.parseInt(row.group(2)), uuid.group());
        }
      }
    }
    uuids.remove(0);
    return uuids;
  }

  /** Returns the activity of each listed domain, by domid. */
  static Map<Integer, String> activities(String text) {
    Map<Integer, String> activities = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        boolean paused = row.group(5).charAt(2) == 'p';
        activities.put(
            Integer.parseInt(row.group(2)),
            paused ? HostState.Guest.PAUSED : HostState.Guest.RUNNING);
      }
    }
    return activities;
  }

  private static Domain domain(Matcher row, String cpupool) {
    return new Domain(
        row.group(1),
        Integer.parseInt(row.group(2)),
        Integer.parseInt(row.group(4)),
        Double.parseDouble(row.group(6)),
        row.group(7) == null ? cpupool : row.group(7));
  }

  /**
   * Returns whether a domain runs; shut down, crashed and dying domains are still listed for a
   * while.
   */
  private static boolean runs(String state) {
    return state.charAt(3) != 's' && state.charAt(4) != 'c' && state.charAt(5) != 'd';
  }
}
