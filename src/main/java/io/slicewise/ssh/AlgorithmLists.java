package io.slicewise.ssh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Algorithm lists as ssh_config(5) writes them: a list, or {@code +}, {@code -}, {@code ^}. */
final class AlgorithmLists {
  private AlgorithmLists() {}

  /** Applies a configured value to the default list. */
  static String resolved(String configured, String defaults) {
    char sign = configured.charAt(0);
    List<String> named = names("+-^".indexOf(sign) >= 0 ? configured.substring(1) : configured);
    Set<String> list = new LinkedHashSet<>();
    switch (sign) {
      case '+' -> {
        list.addAll(names(defaults));
        list.addAll(named);
      }
      case '-' -> {
        list.addAll(names(defaults));
        named.forEach(list::remove);
      }
      case '^' -> {
        list.addAll(named);
        list.addAll(names(defaults));
      }
      default -> list.addAll(named);
    }
    return String.join(",", list);
  }

  private static List<String> names(String list) {
    return list == null ? List.of() : new ArrayList<>(Arrays.asList(list.split("\\s*,\\s*")));
  }
}
