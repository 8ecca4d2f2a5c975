package io.slicewise.observe;

import java.util.SortedMap;

/**
 * The values of a reading per second.
 *
 * @param place the name of the place
 * @param reading the name of the reading
 * @param values by seconds since the start of the window
 */
public record Series(String place, String reading, BySecond values) {
  public Series(String place, String reading, SortedMap<Integer, Double> values) {
    this(place, reading, BySecond.of(values));
  }
}
