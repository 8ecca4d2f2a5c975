package io.slicewise.jtl;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tallies, found by the label's bytes as they stand in the file. */
final class LabelTable {
  static final String OTHER_LABELS = "(other labels)";

  private final int most;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();

  LabelTable(int most) {
    this.most = most;
  }

  Tally find(byte[] bytes, int start, int end) {
    String label = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    boolean own = tallies.size() < most || tallies.containsKey(label);
    return tallies.computeIfAbsent(own ? label : OTHER_LABELS, Tally::new);
  }

  List<Tally> tallies() {
    return List.copyOf(tallies.values());
  }
}
