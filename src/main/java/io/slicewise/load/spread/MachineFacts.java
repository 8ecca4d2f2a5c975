package io.slicewise.load.spread;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What a machine offers to a generator. Numbers that it does not report are {@code NaN}, words are
 * empty.
 *
 * @param governor of the first processor's frequency
 * @param bootId the kernel's, which two names of one machine share and copies of a machine do not
 * @param user the login
 * @param lacks commands that a generator needs and that are missing
 */
public record MachineFacts(
    @JsonUnwrapped Software software,
    @JsonUnwrapped Resources resources,
    @JsonUnwrapped Cache cache,
    @JsonUnwrapped Limits limits,
    String governor,
    String bootId,
    String user,
    List<String> lacks,
    ClockOffset clock) {
  /** Prints a line for each fact; {@code $1} is the program that starts a JVM. */
  static final String SCRIPT =
      """
      echo "system=$(uname -sr)"
      "$1" -version 2>&1 | sed -n 's/.* version "\\([^"]*\\)".*/java=\\1/p'
      echo "cores=$(nproc)"
      echo "load=$(cut -d' ' -f1 /proc/loadavg)"
      sed -n 's/^MemTotal: *\\([0-9]*\\) kB/memory=\\1/p; s/^MemAvailable: *\\([0-9]*\\) kB/available=\\1/p' /proc/meminfo
      cache="${XDG_CACHE_HOME:-$HOME/.cache}"
      while [ ! -d "$cache" ]; do cache=$(dirname "$cache"); done
      echo "cache=$cache"
      [ -w "$cache" ] && echo "writable=true"
      echo "disk=$(df -Pk "$cache" | tail -n 1 | awk '{print $(NF-2)}')"
      echo "files=$(ulimit -Hn)"
      echo "range=$(cat /proc/sys/net/ipv4/ip_local_port_range)"
      echo "backlog=$(cat /proc/sys/net/core/somaxconn)"
      echo "reuse=$(cat /proc/sys/net/ipv4/tcp_tw_reuse)"
      echo "governor=$(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)"
      echo "boot=$(cat /proc/sys/kernel/random/boot_id)"
      echo "user=$(id -un)"
      for tool in sha256sum find sed grep tr awk; do
        command -v "$tool" >/dev/null || echo "lacks=$tool"
      done
      """;

  private static final double KILO = 1024;

  public MachineFacts {
    lacks = List.copyOf(lacks);
  }

  /**
   * @param printed by the script; the first value of each key counts
   */
  static MachineFacts of(String printed, ClockOffset clock) {
    Map<String, List<String>> all =
        printed
            .lines()
            .map(line -> line.split("=", 2))
            .filter(parts -> parts.length == 2)
            .collect(
                Collectors.groupingBy(
                    parts -> parts[0], Collectors.mapping(parts -> parts[1], Collectors.toList())));
    UnaryOperator<String> found = key -> all.getOrDefault(key, List.of("")).get(0);
    String[] range = found.apply("range").strip().split("\\s+", -1);
    return new MachineFacts(
        new Software(found.apply("system"), found.apply("java")),
        new Resources(
            all.containsKey("cores") ? (int) number(found.apply("cores")) : 1,
            number(found.apply("load")),
            number(found.apply("memory")) / KILO,
            number(found.apply("available")) / KILO),
        new Cache(
            found.apply("cache"), all.containsKey("writable"), number(found.apply("disk")) / KILO),
        new Limits(
            number(found.apply("files")),
            range.length == 2 ? number(range[1]) - number(range[0]) + 1 : Double.NaN,
            number(found.apply("backlog")),
            found.apply("reuse")),
        found.apply("governor"),
        found.apply("boot"),
        found.apply("user"),
        all.getOrDefault("lacks", List.of()),
        clock);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException other) {
      return text.strip().equals("unlimited") ? Double.POSITIVE_INFINITY : Double.NaN;
    }
  }

  /**
   * What runs there.
   *
   * @param system its kernel
   * @param java the version of its Java; empty if there is none
   */
  public record Software(String system, String java) {
    /** Returns the first part of the version of its Java; 0 if there is none. */
    public int javaMajor() {
      String[] parts = java.split("[^0-9]+", -1);
      int first = parts[0].isEmpty() ? 0 : Integer.parseInt(parts[0]);
      return first == 1 && parts.length > 1 ? Integer.parseInt(parts[1]) : first;
    }
  }

  /**
   * Its processors and memory.
   *
   * @param load average over one minute
   * @param availableMegabytes memory that programs can still get
   */
  public record Resources(
      int cores, double load, double memoryMegabytes, double availableMegabytes) {}

  /**
   * The existing directory where the program is or would be copied.
   *
   * @param writable whether files can be created there
   * @param freeMegabytes of its disk
   */
  public record Cache(
      @JsonProperty("cache") String directory,
      boolean writable,
      @JsonProperty("diskMegabytes") double freeMegabytes) {}

  /**
   * The most connections.
   *
   * @param openFiles that a process may have
   * @param ports for outgoing connections
   * @param backlog the longest queue of connections that a server may have (somaxconn)
   * @param reuse the kernel's tcp_tw_reuse: whether ports of closed connections are used again
   *     early
   */
  public record Limits(double openFiles, double ports, double backlog, String reuse) {}
}
