package io.slicewise.load.jtl;

import java.util.ArrayList;
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

  /** Whether, if it is a sum by its time, it ends with the last request inside it. */
  boolean exact;

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
    long requests =
        rows.stream()
            .filter(row -> !row.thread.isEmpty() && !row.part && !row.sum && !byTime.contains(row))
            .count();
    boolean merged = 100 * rows.stream().filter(row -> row.overlaps).count() > requests;
    rows.stream()
        .map(row -> row.label)
        .distinct()
        .forEach(label -> judge(label, rows, byTime, merged));
    rows.forEach(row -> row.inferred |= row.sum && row.bare);
  }

  /** Decides which rows of a label without message, URL and data type are sums. */
  private static void judge(
      String label, List<ReferenceRow> rows, List<ReferenceRow> byTime, boolean merged) {
    List<ReferenceRow> all = rows.stream().filter(row -> row.label.equals(label)).toList();
    long told = all.stream().filter(row -> row.sum).count();
    List<ReferenceRow> bare = all.stream().filter(row -> row.bare && !row.part).toList();
    long found = bare.stream().filter(byTime::contains).count();
    long exact = bare.stream().filter(byTime::contains).filter(row -> row.exact).count();
    boolean convincing = !merged && 2 * exact > found && 4 * found >= bare.size();
    boolean whole =
        told > 0
            ? 2 * (merged ? bare.size() : bare.size() - found) <= told
            : convincing && 2 * found > bare.size();
    bare.forEach(row -> row.sum = (whole && !row.hidden) || (convincing && byTime.contains(row)));
  }

  private static void classifyThread(List<ReferenceRow> thread, List<ReferenceRow> sums) {
    ReferenceRow request = null;
    ReferenceRow last = null;
    ReferenceRow above = null;
    long endInside = 0;
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
      if (above != null && row.end > above.end + above.idle) {
        above.exact = isEnd(endInside, above);
        above = null;
      }
      endInside = Math.max(endInside, row.end);
      if (last != null
          && last == request
          && last.bare
          && !last.coarse
          && !(row.sum && row.label.equals(last.label))
          && row.isAfterStartOf(last)) {
        if (above != null) {
          above.exact = isEnd(endInside, above);
        }
        sums.add(last);
        above = last;
        endInside = row.end;
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
        row.exact = isEnd(last.end, row);
        sums.add(row);
      } else if (!row.sum) {
        row.overlaps =
            row.described
                ? request != null
                    && row.start + row.blur() < request.end
                    && row.end > request.start + row.blur()
                : last != null
                    && !row.coarse
                    && last.start + 1 < row.start
                    && row.start + 1 < last.end
                    && row.end > last.end + 1;
        request = row;
        lastPart = "";
      }
      last = row;
    }
    if (above != null) {
      above.exact = isEnd(endInside, above);
    }
  }

  /** Whether a sum ends with the last request inside it, or at most a tenth of its time later. */
  private static boolean isEnd(long inside, ReferenceRow sum) {
    return 10 * (sum.end + sum.idle - inside) <= sum.end + sum.idle - sum.start + 20;
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
