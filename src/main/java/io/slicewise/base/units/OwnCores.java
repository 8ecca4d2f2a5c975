package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cores of the machine that this process may use, if taskset or a cpuset confines it to some of
 * them: what happens on the others is not its own. See proc_pid_status(5).
 *
 * @param list as Linux writes it, such as {@code 0,4-6}
 */
public record OwnCores(String list) {
  private static final Path SELF = Path.of("/proc/self");
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Returns them; empty if the process may use every core, or if the platform does not say. */
  public static Optional<OwnCores> confined() {
    try (Stream<String> lines = Files.lines(SELF.resolve("status"));
        Stream<String> cores = Files.lines(Path.of("/proc/stat"))) {
      Optional<OwnCores> allowed =
          lines
              .filter(line -> line.startsWith(ALLOWED))
              .map(line -> new OwnCores(line.substring(ALLOWED.length()).strip()))
              .findFirst();
      return cores
              .filter(line -> line.matches("cpu\\d.*"))
              .map(line -> line.substring("cpu".length(), line.indexOf(' ')))
              .allMatch(core -> allowed.isEmpty() || allowed.get().has(Integer.parseInt(core)))
          ? Optional.empty()
          : allowed;
    } catch (IOException notLinux) {
      return Optional.empty();
    }
  }

  /** Whether a core, counted from 0, is one of them. */
  public boolean has(int core) {
    return Stream.of(list.split(","))
        .map(range -> range.split("-"))
        .anyMatch(
            ends ->
                Integer.parseInt(ends[0]) <= core
                    && core <= Integer.parseInt(ends[ends.length - 1]));
  }

  /**
   * Returns for each living thread of this process the nanoseconds in which it ran or waited for a
   * core: the first two fields of its {@code schedstat}. Empty where the kernel does not count.
   */
  public static Map<String, Long> demands() {
    Map<String, Long> demands = new HashMap<>();
    try (Stream<Path> threads = Files.list(SELF.resolve("task"))) {
      for (Path thread : threads.toList()) {
        demandOf(thread).ifPresent(nanos -> demands.put(thread.getFileName().toString(), nanos));
      }
    } catch (IOException notLinux) {
      demands.clear();
    }
    return demands;
  }

  private static Optional<Long> demandOf(Path thread) {
    try {
      String[] fields = Files.readString(thread.resolve("schedstat")).split(" ", -1);
      return Optional.of(Long.parseLong(fields[0]) + Long.parseLong(fields[1]));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }
}
