package io.slicewise.profile;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The pCPUs that vCPUs may use. A value is a list of pCPUs for all vCPUs, or one list per vCPU,
 * separated by slashes; each list is ascending, such as {@code 0-1,3}. Empty is {@code as-found}:
 * not changed.
 *
 * @param withAll whether {@code all} is a value: every pCPU, however many there are
 * @param byVcpu whether the lists are of vCPUs; otherwise they are of threads, whose number only
 *     hosts know
 */
public record Pinning(boolean withAll, boolean byVcpu) implements ParameterKind<String> {
  static final String AS_FOUND = "";

  /** Every pCPU. */
  public static final String ALL = "all";

  private static final String WORD = "as-found";
  private static final String BETWEEN = "/";
  private static final int MOST = 8192;
  private static final Pattern PART = Pattern.compile("(\\^?)(\\d{1,4})(?:-(\\d{1,4}))?");

  /** Returns the value for the pCPUs of each vCPU, as a tool prints them. */
  public static String of(List<String> vcpus) {
    List<String> each = vcpus.stream().map(Pinning::canonical).toList();
    return each.stream().distinct().count() == 1 ? each.get(0) : String.join(BETWEEN, each);
  }

  /** Returns a value as a tool shows it: one list if those of all vCPUs are the same. */
  public static String shown(String value) {
    return value.isEmpty() ? value : of(each(value, 1));
  }

  /** Returns the requested pCPUs of each vCPU. */
  public static List<String> each(String value, int vcpus) {
    List<String> listed = List.of(value.split(BETWEEN, -1));
    return listed.size() == 1 ? java.util.Collections.nCopies(vcpus, value) : listed;
  }

  /** Returns the pCPUs of one of several, by its place; the last ones if there are fewer. */
  public static String at(String value, int place) {
    String[] listed = value.split(BETWEEN, -1);
    return listed[Math.min(place, listed.length - 1)];
  }

  /** Returns the value for the pCPUs of each thread, of which there may be any number. */
  public static String ofThreads(List<String> threads) {
    return threads.stream().map(Pinning::canonical).collect(Collectors.joining(BETWEEN));
  }

  private static String canonical(String text) {
    return text.equals(ALL) ? ALL : ranges(cpus(text));
  }

  /**
   * Returns the numbers of the pCPUs in a list.
   *
   * @throws IllegalArgumentException with the rule that the list breaks
   */
  public static BitSet cpus(String text) {
    BitSet cpus = new BitSet();
    for (String part : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part.strip());
      int from = matcher.matches() ? Integer.parseInt(matcher.group(2)) : MOST;
      int to =
          matcher.matches() && matcher.group(3) != null ? Integer.parseInt(matcher.group(3)) : from;
      if (to >= MOST || from > to) {
        throw new IllegalArgumentException("must be pCPUs as in 0-3,^2");
      }
      cpus.set(from, to + 1, matcher.group(1).isEmpty());
    }
    if (cpus.isEmpty()) {
      throw new IllegalArgumentException("leaves no pCPU");
    }
    return cpus;
  }

  private String checked(String text) {
    return withAll ? canonical(text) : ranges(cpus(text));
  }

  /**
   * Returns why a host without some of the pCPUs cannot take a value, as the rest of a sentence.
   *
   * @param value for one or all vCPUs
   * @param host the pCPUs that are online, whose numbers may have gaps
   */
  public static Optional<String> absent(String value, BitSet host) {
    return each(value, 1).stream()
        .filter(list -> !list.isEmpty() && !list.equals(ALL))
        .flatMapToInt(list -> cpus(list).stream())
        .filter(cpu -> !host.get(cpu))
        .mapToObj(cpu -> "names pCPU %d, and the host has %s".formatted(cpu, ranges(host)))
        .findFirst();
  }

  /** Returns the first pCPUs of a host. */
  public static BitSet first(int count) {
    BitSet first = new BitSet();
    first.set(0, count);
    return first;
  }

  /** Returns pCPUs as text, ascending: {@code 0-1,3}; empty for none. */
  public static String ranges(BitSet cpus) {
    List<String> ranges = new ArrayList<>();
    for (int from = cpus.nextSetBit(0); from >= 0; ) {
      int end = cpus.nextClearBit(from);
      ranges.add(end - 1 == from ? Integer.toString(from) : from + "-" + (end - 1));
      from = cpus.nextSetBit(end);
    }
    return String.join(",", ranges);
  }

  @Override
  public Class<String> type() {
    return String.class;
  }

  @Override
  public Optional<String> read(YamlValue value) {
    if (WORD.equals(value.plain())) {
      return Optional.of(AS_FOUND);
    }
    if (!byVcpu || !value.isList()) {
      return value.parsed(this::checked);
    }
    List<Optional<String>> each =
        value.items().stream().map(item -> item.parsed(this::checked)).toList();
    if (each.size() < 2) {
      value.refuse(
          each.isEmpty()
              ? "contains no pCPU"
              : "lists the pCPUs of one vCPU; write those of all vCPUs without brackets");
      return Optional.empty();
    }
    return each.stream().anyMatch(Optional::isEmpty)
        ? Optional.empty()
        : Optional.of(ofThreads(each.stream().flatMap(Optional::stream).toList()));
  }

  @Override
  public Optional<String> choice(String text) {
    return Optional.of(checked(text));
  }

  @Override
  public Object toYaml(String value) {
    if (value.equals(AS_FOUND)) {
      return WORD;
    }
    return value.contains(BETWEEN) ? List.of(value.split(BETWEEN, -1)) : value;
  }

  @Override
  public String text(String value) {
    return value.equals(AS_FOUND) ? WORD : value;
  }

  @Override
  public boolean isIdle(String value) {
    return value.equals(AS_FOUND);
  }

  @Override
  public boolean isAsFound(String value) {
    return value.equals(AS_FOUND);
  }

  /** vCPUs are pinned one after the other, so each has a value of its own until all are. */
  @Override
  public boolean isOnTheWay(String value, List<String> known) {
    int places =
        Stream.concat(Stream.of(value), known.stream())
            .mapToInt(one -> one.split(BETWEEN, -1).length)
            .max()
            .orElse(1);
    return IntStream.range(0, places)
        .allMatch(place -> known.stream().anyMatch(one -> at(one, place).equals(at(value, place))));
  }

  @Override
  public Optional<String> fault(String value, int vcpus) {
    int listed = leastVcpus(value);
    return listed == 1 || listed == vcpus
        ? Optional.empty()
        : Optional.of("names pCPUs for %d vCPUs; the domain has %d".formatted(listed, vcpus));
  }

  @Override
  public int leastVcpus(String value) {
    return byVcpu ? value.split(BETWEEN, -1).length : 1;
  }

  @Override
  public String range(String pcpus, int vcpus) {
    return "pCPUs %s%s".formatted(pcpus, withAll ? ", " + ALL : "");
  }

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> cpus = Map.of("type", List.of("string", "integer"));
    if (!byVcpu) {
      return cpus;
    }
    return Map.of(
        "oneOf", List.of(cpus, OptionKind.ordered("type", "array", "minItems", 2, "items", cpus)));
  }
}
