package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestWatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What libvirt reports of guests while virsh listens: changed settings, and that they were paused,
 * resumed, started or stopped. libvirt reports what was done through it; a value that was written
 * into a control group directly is not among its events.
 */
final class GuestEvents implements GuestWatcher {
  private static final String LIFECYCLE = "lifecycle";
  private static final String TUNABLE = "tunable";

  /** A time if virsh prints one, the kind, the guest (without quotes before libvirt 6), details. */
  private static final Pattern EVENT =
      Pattern.compile("(?:\\S+ \\S+: )?event '([a-z-]+)' for domain '?(.*[^'])'?:(?: ([^:]*))?");

  /** A changed setting, below its event. */
  private static final Pattern VALUE = Pattern.compile("\\s+(\\S+: .*)");

  @Override
  public String name() {
    return "virsh event";
  }

  @Override
  public List<String> words() {
    return Stream.concat(
            Virsh.prefix(false).stream(), Stream.of("event", "--all", "--loop", "--timestamp"))
        .toList();
  }

  @Override
  public String signal() {
    return "INT";
  }

  @Override
  public Map<String, String> changes(String printed, List<Domain> domains) {
    return changes(printed);
  }

  /** Returns a clause for each guest that something happened to, by name. */
  static Map<String, String> changes(String printed) {
    Map<String, List<String>> events = new LinkedHashMap<>();
    List<String> values = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      Matcher event = EVENT.matcher(line);
      Matcher value = VALUE.matcher(line);
      if (event.matches()) {
        values = new ArrayList<>();
        String details = event.group(3) == null ? "" : event.group(3).strip();
        if (event.group(1).equals(TUNABLE)) {
          values = events.computeIfAbsent(event.group(2), name -> new ArrayList<>());
        } else if (event.group(1).equals(LIFECYCLE) && isOfRunning(details)) {
          events.computeIfAbsent(event.group(2), name -> new ArrayList<>()).add(details);
        }
      } else if (value.matches()) {
        values.add(value.group(1).strip());
      } else {
        values = new ArrayList<>();
      }
    }
    Map<String, String> clauses = new LinkedHashMap<>();
    events.forEach(
        (name, all) ->
            clauses.put(
                name,
                "changed in the window, as libvirt reported: "
                    + (all.isEmpty() ? "its settings" : String.join(", ", all))));
    return clauses;
  }

  /** Returns whether an event concerns more than the definition for the next start. */
  private static boolean isOfRunning(String details) {
    return !details.startsWith("Defined") && !details.startsWith("Undefined");
  }
}
