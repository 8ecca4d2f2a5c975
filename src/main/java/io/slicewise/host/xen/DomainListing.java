package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import io.slicewise.host.HostState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code xl list}, {@code xl list -c} and {@code xm list}. */
final class DomainListing {
  /**
   * What was listed.
   *
   * @param domains that run
   * @param names in all rows that were understood
   * @param strange all other rows
   */
  record Listed(List<Domain> domains, List<String> names, List<String> strange) {}

  private static final Pattern ROW =
      Pattern.compile(
          "(.*\\S)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+([-a-zS]{6})\\s+(\\d+\\.\\d)(?:\\s+(\\S.*?))?\\s*");

  /** Name and id of a row that cannot be understood. */
  private static final Pattern START = Pattern.compile("(\\S.*?)\\s+(\\d{1,9})(?:\\s.*)?");

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
  static Listed parse(String text, String cpupool) {
    List<Domain> domains = new ArrayList<>();
    List<String> names = new ArrayList<>();
    List<String> strange = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        names.add(row.group(1));
        if (runs(row.group(5))) {
          domains.add(domain(row, cpupool));
        }
      } else if (isStrange(line)) {
        strange.add(line);
      }
    }
    return new Listed(List.copyOf(domains), List.copyOf(names), List.copyOf(strange));
  }

  private static boolean isStrange(String line) {
    return !line.isBlank()
        && !line.startsWith("Name ")
        && !ROW.matcher(line).matches()
        && !HALTED.matcher(line).matches();
  }

  /**
   * Returns the guests of rows that cannot be understood, by name: they may run, and what was
   * changed of them is not gone. Name and domid are those that the row begins with.
   */
  static Map<String, GuestId> strangers(
      List<String> lines, Map<Integer, String> uuids, String boot) {
    Map<String, GuestId> strangers = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher start = START.matcher(line);
      if (isStrange(line) && start.matches()) {
        Matcher uuid = UUID.matcher(line);
        int id = Integer.parseInt(start.group(2));
        String its = uuid.find() ? uuid.group() : uuids.getOrDefault(id, "");
        strangers.putIfAbsent(start.group(1), new GuestId(its, id, boot));
      }
    }
    return strangers;
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
