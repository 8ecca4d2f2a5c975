package io.slicewise.observe;

import io.slicewise.base.units.Window;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The observations of one observer in a window.
 *
 * @param source the program or files that provided them, such as {@code xenmon}
 * @param covered the part of the window that the records cover
 * @param sightings by place; empty if nothing could be measured
 * @param series values per second, for charts; may be empty
 * @param machines counters of kernels, by machine; only of the observer of machines
 * @param remarks what is missing or in doubt, in sentences
 */
public record Observation(
    Topic topic,
    String source,
    Window covered,
    List<Sighting> sightings,
    List<Series> series,
    Map<String, MachineCounters> machines,
    List<String> remarks) {
  public Observation {
    machines = Collections.unmodifiableMap(new LinkedHashMap<>(machines));
    sightings = List.copyOf(sightings);
    series = List.copyOf(series);
    remarks = remarks.stream().distinct().toList();
  }

  /** Returns an observation without counters of kernels. */
  public Observation(
      Topic topic,
      String source,
      Window covered,
      List<Sighting> sightings,
      List<Series> series,
      List<String> remarks) {
    this(topic, source, covered, sightings, series, Map.of(), remarks);
  }

  /** Returns a copy with other sightings. */
  public Observation with(List<Sighting> others) {
    return new Observation(topic, source, covered, others, series, machines, remarks);
  }
}
