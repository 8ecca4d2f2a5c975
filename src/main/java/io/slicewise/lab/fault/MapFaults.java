package io.slicewise.lab.fault;

import io.slicewise.base.yaml.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is wrong with a lab's map, gathered before anything is said. */
public final class MapFaults {
  private final List<String> found = new ArrayList<>();

  public void add(String fault) {
    found.add(fault);
  }

  /** Adds a fault for every key that is not known, with the nearest one that is. */
  public void unknownKeys(String place, Map<?, ?> map, List<String> known) {
    for (Object key : map.keySet()) {
      if (!known.contains(String.valueOf(key))) {
        String suggestion = Suggestion.of(String.valueOf(key), known);
        add(
            place
                + ": unknown key '"
                + key
                + "'"
                + (suggestion.isEmpty() ? "; known are " + String.join(", ", known) : suggestion));
      }
    }
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** All faults, one a line. */
  public String text() {
    return String.join("\n", found);
  }
}
