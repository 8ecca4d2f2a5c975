package io.slicewise.observe;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values of a reading per second.
 *
 * @param place the name of the place
 * @param reading the name of the reading
 * @param values by seconds since the start of the window
 */
public record Series(String place, String reading, SortedMap<Integer, Double> values) {
  public Series {
    values = new TreeMap<>(values);
  }
}
