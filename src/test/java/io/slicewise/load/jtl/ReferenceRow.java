package io.slicewise.load.jtl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A row as the reference keeps it, and what kind of row it is, worked out with all at hand. */
final class ReferenceRow {
  Map<String, String> values = Map.of();
  long line;
  String label = "";
  String thread = "";
  long start;
  long end;
  long idle;
  boolean sum;
  boolean inferred;
  boolean part;

  /** Whether it may be a sum that does not say so. */
  boolean bare;

  /** Whether something shows that it is a request. */
  boolean described;

  /** Whether it lacks all columns that would say so. */
  boolean hidden;

  /** Whether its time is a date without milliseconds. */
  boolean coarse;

  /** Whether it begins while the request before it on its thread lasts. */
  boolean overlaps;

  static boolean isPartName(String label, String request) {
    return label.startsWith(request) && label.substring(request.length()).matches("(-[0-9]+)+");
  }

  /** Finds parts and sums. */
  static void classify(List<ReferenceRow> rows) {
    Map<String, List<ReferenceRow>> threads = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> !row.thread.isEmpty())
        .forEach(row -> threads.computeIfAbsent(row.thread, none -> new ArrayList<>()).add(row));
    List<ReferenceRow> byTime = new ArrayList<>();
    threads.values().forEach(thread -> classifyThread(thread, byTime));
    Map<String, Boolean> named = new HashMap<>();
    rows.forEach(row -> named.merge(row.label, row.sum, Boolean::logicalOr));
    byTime.forEach(row -> row.sum = true);
    Map<String, Integer> balance = new HashMap<>();
    rows.stream()
        .filter(row -> row.bare && !row.hidden && !row.part)
        .forEach(row -> balance.merge(row.label, row.sum ? 1 : -1, Integer::sum));
    rows.stream()
        .filter(row -> row.bare && !row.hidden && !row.part)
        .filter(row -> named.get(row.label) || balance.get(row.label) > 0)
        .forEach(row -> row.sum = true);
    rows.forEach(row -> row.inferred |= row.sum && row.bare);
  }

  private static void classifyThread(List<ReferenceRow> thread, List<ReferenceRow> sums) {
    ReferenceRow request = null;
    ReferenceRow last = null;
    String lastPart = "";
    for (ReferenceRow row : thread) {
      if (request != null
          && !row.sum
          && isPartName(row.label, request.label)
          && row.start >= request.start
          && row.end <= request.end + row.blur()
          && (!row.coarse || inOrder(lastPart, row.label.substring(request.label.length())))) {
        row.part = true;
        lastPart = row.label.substring(request.label.length());
        continue;
      }
      if (last != null
          && last == request
          && last.bare
          && !last.coarse
          && row.isAfterStartOf(last)) {
        sums.add(last);
        request = null;
      }
      boolean around =
          last != null
              && row.bare
              && !row.coarse
              && last.start >= row.start
              && last.end > row.start
              && last.end <= row.end + row.idle;
      if (around) {
        sums.add(row);
      } else if (!row.sum) {
        row.overlaps =
            row.described
                && request != null
                && row.start + row.blur() < request.end
                && row.end > request.start + row.blur();
        request = row;
        lastPart = "";
      }
      last = row;
    }
  }

  /** How much later than its request a part may seem to end. */
  private int blur() {
    return coarse ? 1000 : 1;
  }

  /** Whether the numbers of a sub-result come after those of the one before it. */
  private static boolean inOrder(String before, String after) {
    String[] left = before.isEmpty() ? new String[0] : before.substring(1).split("-", -1);
    String[] right = after.substring(1).split("-", -1);
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      int order = new java.math.BigInteger(left[i]).compareTo(new java.math.BigInteger(right[i]));
      if (order != 0) {
        return order < 0;
      }
    }
    return left.length < right.length;
  }

  private boolean isAfterStartOf(ReferenceRow around) {
    long reach = around.end + around.idle;
    return start >= around.start && start < reach && end <= reach;
  }
}
