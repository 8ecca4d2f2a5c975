package io.slicewise.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which machines' kernels are read, and how. It does not change what is measured.
 *
 * @param logins by domain, in the order of the file
 * @param series the time between readings in the window; empty for readings at its ends alone
 * @param needed the machines without which a trial does not count
 */
public record Watching(Map<String, Login> logins, Optional<Duration> series, List<String> needed) {
  /** The control domain or the host alone, at both ends. */
  public static final Watching NONE = new Watching(Map.of(), Optional.empty(), List.of());

  public Watching {
    logins = Collections.unmodifiableMap(new LinkedHashMap<>(logins));
    needed = List.copyOf(needed);
  }

  /** Returns a copy with other logins. */
  public Watching with(Map<String, Login> others) {
    return new Watching(others, series, needed);
  }
}
