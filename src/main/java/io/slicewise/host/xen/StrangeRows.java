package io.slicewise.host.xen;

import io.slicewise.host.HypervisorException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The rows that could not be understood when each command was last read. They concern their own
 * guests alone, so they are skipped; a text without any row that can be understood is refused.
 */
final class StrangeRows {
  private record Rows(Set<String> understood, List<String> strange) {}

  private final Map<String, Rows> last = new ConcurrentHashMap<>();

  /**
   * Keeps the strange rows of a reading.
   *
   * @param understood names in its other rows
   * @throws HypervisorException if no row was understood, and there are some
   */
  void keep(String command, Collection<String> understood, List<String> strange) {
    if (understood.isEmpty() && !strange.isEmpty()) {
      throw new HypervisorException(
          "'" + command + "' printed a line that cannot be understood: '" + strange.get(0) + "'.",
          "Please report it with the version of Xen.");
    }
    last.put(command, new Rows(Set.copyOf(understood), List.copyOf(strange)));
  }

  /** Returns the strange rows of a command. */
  List<String> in(String command) {
    return last.getOrDefault(command, new Rows(Set.of(), List.of())).strange();
  }

  /**
   * Returns why the settings of a domain are not known, as a clause; empty if no row is strange.
   */
  Optional<String> of(String name) {
    Pattern its = Pattern.compile(Pattern.quote(name) + "(?:\\s+-?\\d.*|\\s{2,}.*)");
    return last.entrySet().stream()
        .filter(read -> !read.getValue().understood().contains(name))
        .flatMap(
            read ->
                read.getValue().strange().stream()
                    .filter(row -> its.matcher(row).matches())
                    .map(
                        row ->
                            "is in a row of '%s' that cannot be understood: '%s'"
                                .formatted(read.getKey(), row.strip())))
        .findFirst();
  }
}
