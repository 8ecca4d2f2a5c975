package io.slicewise.observe;

import io.slicewise.base.units.Window;
import java.util.List;

/**
 * The observations of one observer in a window.
 *
 * @param source the program or files that provided them, such as {@code xenmon}
 * @param covered the part of the window that the records cover
 * @param sightings by place; empty if nothing could be measured
 * @param series values per second, for charts; may be empty
 * @param remarks what is missing or in doubt, in sentences
 */
public record Observation(
    Topic topic,
    String source,
    Window covered,
    List<Sighting> sightings,
    List<Series> series,
    List<String> remarks) {
  public Observation {
    sightings = List.copyOf(sightings);
    series = List.copyOf(series);
    remarks = remarks.stream().distinct().toList();
  }

  /** Returns a copy with other sightings. */
  public Observation with(List<Sighting> others) {
    return new Observation(topic, source, covered, others, series, remarks);
  }
}
