package io.slicewise.host.xen;

import io.slicewise.host.HypervisorVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Parses {@code xl info} and {@code xm info}: a key, a colon and a value per line. */
final class InfoListing {
  private final Map<String, String> values = new HashMap<>();

  private InfoListing() {}

  static InfoListing parse(String text) {
    InfoListing info = new InfoListing();
    for (String line : text.lines().toList()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        info.values.putIfAbsent(
            line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
    return info;
  }

  String text(String key) {
    return values.getOrDefault(key, "");
  }

  int number(String key, int absent) {
    return values.containsKey(key) ? Integer.parseInt(text(key)) : absent;
  }

  double decimal(String key) {
    try {
      return Double.parseDouble(text(key));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Returns the version from its parts, since only xl from 4.4 on prints it whole. */
  Optional<HypervisorVersion> version() {
    try {
      return Optional.of(
          new HypervisorVersion(
              Integer.parseInt(text("xen_major")),
              Integer.parseInt(text("xen_minor")),
              text("xen_extra")));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
