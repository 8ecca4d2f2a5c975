package io.slicewise.profile;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the Linux kernel of a host keeps in files that take a word or a number: for the host as a
 * whole, and for each of its disks. A row of these tables is all that a knob needs.
 */
public final class Kernel {
  /** The value that is not changed, and that of a file which a host does not have. */
  static final String AS_FOUND = "";

  /** What is between the values of several files that belong together and differ. */
  public static final String BETWEEN = "/";

  /**
   * A file.
   *
   * @param path with an asterisk for the name of a disk, or for what belongs together
   */
  public record File(Parameter<String> parameter, String path) {
    private static File words(String key, String path, String description, String... words) {
      return new File(
          Parameter.absolute(key, new Word(List.of(words)), AS_FOUND, description), path);
    }

    private static File number(String key, String path, String description, int least, int most) {
      return new File(Parameter.absolute(key, new Whole(least, most), AS_FOUND, description), path);
    }
  }

  /** The files of the whole host. */
  public static final List<File> HOST =
      List.of(
          File.words(
              "huge-pages",
              "/sys/kernel/mm/transparent_hugepage/enabled",
              "Whether memory gets transparent huge pages; madvise = where programs ask for them.",
              "always",
              "madvise",
              "never"),
          File.words(
              "huge-page-defrag",
              "/sys/kernel/mm/transparent_hugepage/defrag",
              "Whether a program waits while memory is compacted for a huge page.",
              "always",
              "defer",
              "defer+madvise",
              "madvise",
              "never"),
          File.number(
              "numa-balancing",
              "/proc/sys/kernel/numa_balancing",
              "Whether pages follow the NUMA node that uses them: 0 or 1; 2 = by tiers of memory.",
              0,
              2),
          File.number(
              "autogroup",
              "/proc/sys/kernel/sched_autogroup_enabled",
              "Whether the processes of each terminal share CPUs as a group: 0 or 1.",
              0,
              1),
          File.number(
              "base-slice-ns",
              "/sys/kernel/debug/sched/base_slice_ns",
              "Time that a task runs before another one may, Linux 6.6 or later, in nanoseconds.",
              100_000,
              1_000_000_000),
          File.number(
              "halt-poll-ns",
              "/sys/module/kvm/parameters/halt_poll_ns",
              "Longest time that KVM waits actively for an idle vCPU's next event, in nanoseconds.",
              0,
              10_000_000),
          File.words(
              "governor",
              "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
              "What chooses the frequency of all CPUs.",
              "performance",
              "powersave",
              "schedutil",
              "ondemand",
              "conservative"),
          File.number(
              "swappiness",
              "/proc/sys/vm/swappiness",
              "How much swapping is preferred to dropping cached files.",
              0,
              200));

  /** The files of each disk. */
  public static final List<File> DISK =
      List.of(
          File.words(
              "io-scheduler",
              "/sys/block/*/queue/scheduler",
              "What orders the requests of the disk.",
              "none",
              "mq-deadline",
              "kyber",
              "bfq"),
          File.number(
              "read-ahead-kb",
              "/sys/block/*/queue/read_ahead_kb",
              "How far sequential reads are read ahead, in KiB.",
              0,
              65_536),
          File.number(
              "rq-affinity",
              "/sys/block/*/queue/rq_affinity",
              "Which CPU ends a request: 0 = any, 1 = one near that which sent it, 2 = that one.",
              0,
              2));

  private Kernel() {}

  static Scheduler ofHost() {
    return described("kernel", HOST).of(Scope.HOST);
  }

  static Scheduler ofDisks() {
    return described("disk", DISK).of(Scope.DISK);
  }

  private static Scheduler described(String name, List<File> files) {
    return Scheduler.named(name, "Linux")
        .with(files.stream().map(File::parameter).toArray(Parameter<?>[]::new));
  }

  /** Returns the files of a scope; none if its settings are not in such files. */
  public static List<File> files(Scope scope) {
    return switch (scope) {
      case HOST -> HOST;
      case DISK -> DISK;
      default -> List.of();
    };
  }

  /** Returns whether a value was read or asked for. */
  public static boolean isGiven(String value) {
    return !value.equals(AS_FOUND);
  }

  /** What both kinds of values have in common. */
  private interface Text extends ParameterKind<String> {
    @Override
    default Class<String> type() {
      return String.class;
    }

    @Override
    default Object toYaml(String value) {
      return text(value);
    }

    @Override
    default String text(String value) {
      return value.equals(AS_FOUND) ? "as-found" : value;
    }

    @Override
    default boolean isIdle(String value) {
      return value.equals(AS_FOUND);
    }

    @Override
    default boolean isAsFound(String value) {
      return value.equals(AS_FOUND);
    }
  }

  /** A word of these, in the order in which they are listed. */
  private record Word(List<String> words) implements Text {
    @Override
    public Optional<String> read(YamlValue value) {
      Map<String, String> known = new TreeMap<>(Map.of("as-found", AS_FOUND));
      words.forEach(word -> known.put(word, word));
      return value.oneOf(known);
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return String.join(", ", words);
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("enum", Stream.concat(words.stream(), Stream.of("as-found")).toList());
    }
  }

  /**
   * A whole number in a range.
   *
   * @param ofVcpus whether it counts vCPUs, of which a domain has only so many
   */
  record Whole(int least, int most, boolean ofVcpus) implements Text {
    Whole(int least, int most) {
      this(least, most, false);
    }

    @Override
    public Optional<String> fault(String value, int vcpus) {
      return !ofVcpus || leastVcpus(value) <= vcpus
          ? Optional.empty()
          : Optional.of("is more than the %d that it has".formatted(vcpus));
    }

    @Override
    public int leastVcpus(String value) {
      return ofVcpus && isGiven(value) ? Integer.parseInt(value) : 1;
    }

    @Override
    public Optional<String> read(YamlValue value) {
      return "as-found".equals(value.plain())
          ? Optional.of(AS_FOUND)
          : value.integer(least, most).map(String::valueOf);
    }

    @Override
    public Optional<String> choice(String text) {
      if (!text.matches("\\d{1,10}")
          || Long.parseLong(text) < least
          || Long.parseLong(text) > most) {
        throw new IllegalArgumentException("must be a number in %d..%d".formatted(least, most));
      }
      return Optional.of(text);
    }

    @Override
    public Object toYaml(String value) {
      return value.matches("\\d{1,10}") ? Long.valueOf(value) : text(value);
    }

    @Override
    public OptionalDouble number(String value) {
      return value.matches("\\d{1,10}")
          ? OptionalDouble.of(Double.parseDouble(value))
          : OptionalDouble.empty();
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return least + ".." + (ofVcpus ? vcpus : most);
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of(
          "oneOf",
          List.of(
              OptionKind.ordered("type", "integer", "minimum", least, "maximum", most),
              Map.of("const", "as-found")));
    }
  }
}
