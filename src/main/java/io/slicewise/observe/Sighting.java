package io.slicewise.observe;

import java.util.List;
import java.util.stream.Stream;

/**
 * The measurements of one place by an observer.
 *
 * @param readings summarised over trials
 * @param details stored only with the trial
 * @param note why a reading is unknown or in doubt; otherwise empty
 */
public record Sighting(Location place, List<Reading> readings, List<Reading> details, String note) {
  public Sighting {
    readings = List.copyOf(readings);
    details = List.copyOf(details);
  }

  /** Returns the value of that name, detail or not; {@code NaN} if there is none. */
  public double value(String name) {
    return Stream.concat(readings.stream(), details.stream())
        .filter(reading -> reading.name().equals(name))
        .mapToDouble(Reading::value)
        .findFirst()
        .orElse(Double.NaN);
  }
}
