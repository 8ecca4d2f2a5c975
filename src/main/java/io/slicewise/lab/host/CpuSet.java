package io.slicewise.lab.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sets of pCPUs as the tools write and read them: {@code all}, {@code none}, {@code 0-1,3}. */
public final class CpuSet {
  private CpuSet() {}

  /** Formats a set as ranges joined by commas, or {@code all} if it contains every pCPU. */
  public static String text(Collection<Integer> pcpus, int all) {
    if (pcpus.size() == all) {
      return "all";
    }
    return pcpus.isEmpty() ? "none" : String.join(",", ranges(new TreeSet<>(pcpus)));
  }

  /** Formats a set as ranges joined by commas, as the kernel and libvirt do. */
  public static String ranges(Collection<Integer> pcpus) {
    return String.join(",", ranges(new TreeSet<>(pcpus)));
  }

  private static List<String> ranges(NavigableSet<Integer> pcpus) {
    List<String> ranges = new ArrayList<>();
    for (int first : pcpus) {
      if (!pcpus.contains(first - 1)) {
        int last = first;
        while (pcpus.contains(last + 1)) {
          last++;
        }
        ranges.add(first == last ? String.valueOf(first) : first + "-" + last);
      }
    }
    return ranges;
  }

  /**
   * Parses {@code all}, numbers, ranges and {@code ^} exclusions joined by commas. pCPUs that the
   * machine does not have are ignored.
   *
   * @throws NumberFormatException if a part is not a number or range
   */
  public static NavigableSet<Integer> parse(String text, int all) {
    NavigableSet<Integer> pcpus = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      boolean without = part.startsWith("^");
      String range = without ? part.substring(1) : part;
      int dash = range.indexOf('-');
      int first = range.equals("all") ? 0 : number(dash < 0 ? range : range.substring(0, dash));
      int last =
          range.equals("all") ? all - 1 : dash < 0 ? first : number(range.substring(dash + 1));
      Set<Integer> named =
          IntStream.rangeClosed(first, Math.min(last, all - 1)).boxed().collect(Collectors.toSet());
      if (without) {
        pcpus.removeAll(named);
      } else {
        pcpus.addAll(named);
      }
    }
    return pcpus;
  }

  private static int number(String text) {
    return Integer.parseInt(text.strip());
  }
}
