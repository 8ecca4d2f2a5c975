package io.slicewise.host.libvirt;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Parses {@code virsh domstats}: a line for each guest, then its values, indented. */
final class GuestStats {
  static final List<String> COMMAND = List.of("domstats", "--state", "--cpu-total", "--vcpu");

  private static final String HEAD = "Domain: '";
  private static final String RUNNING = "1";
  private static final String UNPAUSED = "5";
  private static final String SHUT_OFF = "5";

  private final Map<String, String> values = new HashMap<>();

  private GuestStats() {}

  /** Returns the values of each guest by its name, in virsh's order. */
  static Map<String, GuestStats> parse(String text) {
    Map<String, GuestStats> byName = new LinkedHashMap<>();
    GuestStats current = new GuestStats();
    for (String line : text.lines().toList()) {
      if (line.startsWith(HEAD) && line.endsWith("'")) {
        current = new GuestStats();
        byName.put(line.substring(HEAD.length(), line.length() - 1), current);
      } else if (line.startsWith("  ") && line.indexOf('=') > 0) {
        int equals = line.indexOf('=');
        current.values.put(line.substring(2, equals), line.substring(equals + 1).strip());
      }
    }
    return byName;
  }

  /** Returns whether the guest is running; otherwise the numbers are libvirt's own. */
  boolean isOn() {
    return !values.getOrDefault("state.state", "").equals(SHUT_OFF);
  }

  /** Returns whether the guest was paused since it started, as long as it has not been migrated. */
  boolean wasResumed() {
    return values.getOrDefault("state.state", "").equals(RUNNING)
        && values.getOrDefault("state.reason", "").equals(UNPAUSED);
  }

  int vcpus() {
    return (int) number("vcpu.current").orElse(0);
  }

  /** Returns the CPU time of all its threads; {@code NaN} if unknown. */
  double cpuSeconds() {
    OptionalLong nanos = number("cpu.time");
    return nanos.isPresent() && isOn() ? nanos.getAsLong() / 1e9 : Double.NaN;
  }

  private OptionalLong number(String key) {
    try {
      return OptionalLong.of(Long.parseLong(values.getOrDefault(key, "")));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
