package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Parses {@code virsh schedinfo}: a name, a colon and a number per line, times in microseconds. */
final class SchedInfo {
  private static final String SHARES = "cpu_shares";

  /** libvirt's names of time parameters. */
  static final Map<Parameter<Duration>, String> TIMES = times();

  private SchedInfo() {}

  private static Map<Parameter<Duration>, String> times() {
    Map<Parameter<Duration>, String> names = new LinkedHashMap<>();
    Cfs.LIMITS.forEach(
        limit -> {
          names.put(limit.quota(), limit.quota().key().replace('-', '_'));
          names.put(limit.period(), limit.period().key().replace('-', '_'));
        });
    return names;
  }

  /**
   * Returns the settings in a listing, without pinning, and with those of the first vCPU and I/O
   * thread, which virsh shows for all.
   */
  static SchedulerParameters parse(String guest, String text) {
    Map<String, Long> values = values(guest, text);
    long shares = value(guest, values, SHARES, text);
    if (shares < 1 || shares > Integer.MAX_VALUE) {
      throw unclear(guest, SHARES + " " + shares);
    }
    SchedulerParameters read = Cfs.of((int) shares);
    Set<Parameter<Duration>> unlisted = unlisted(values.keySet());
    for (Map.Entry<Parameter<Duration>, String> time : TIMES.entrySet()) {
      if (!unlisted.contains(time.getKey())) {
        read = read.with(time.getKey(), duration(value(guest, values, time.getValue(), text)));
      }
    }
    return read;
  }

  /** Returns the quotas and periods that a libvirt does not list, because they are newer. */
  static Set<Parameter<Duration>> unlisted(String guest, String text) {
    return unlisted(values(guest, text).keySet());
  }

  private static Set<Parameter<Duration>> unlisted(Set<String> names) {
    return Cfs.LIMITS.stream()
        .filter(limit -> !limit.quota().equals(Cfs.VCPU_QUOTA))
        .map(limit -> Set.of(limit.quota(), limit.period()))
        .filter(pair -> pair.stream().map(TIMES::get).noneMatch(names::contains))
        .flatMap(Set::stream)
        .collect(Collectors.toSet());
  }

  /** Returns settings without what virsh shows of a guest's I/O threads if it has none. */
  static SchedulerParameters withoutThreads(SchedulerParameters read) {
    return read.get(Cfs.IOTHREAD_PINNING).isEmpty()
        ? read.with(
            Set.of(Cfs.IOTHREAD_QUOTA.key(), Cfs.IOTHREAD_PERIOD.key()),
            SchedulerParameters.defaults(read.scheduler()))
        : read;
  }

  /** Returns the settings of a listing of a configuration, where 0 is what is not configured. */
  static SchedulerParameters configured(String guest, String text) {
    Map<String, Long> values = values(guest, text);
    Set<Parameter<Duration>> unlisted = unlisted(values.keySet());
    SchedulerParameters read = Cfs.of((int) value(guest, values, SHARES, text));
    for (Map.Entry<Parameter<Duration>, String> time : TIMES.entrySet()) {
      long micros =
          unlisted.contains(time.getKey()) ? 0 : value(guest, values, time.getValue(), text);
      if (micros != 0) {
        read = read.with(time.getKey(), duration(micros));
      }
    }
    return read;
  }

  /** Returns the words that configure what differs; a time of 0 is removed from it. */
  static List<String> configuring(SchedulerParameters current, SchedulerParameters wanted) {
    List<String> words = new ArrayList<>();
    if (!wanted.get(Cfs.SHARES).equals(current.get(Cfs.SHARES)) && !Cfs.hasDefaultShares(wanted)) {
      words.add(shares(wanted.get(Cfs.SHARES)));
    }
    TIMES.forEach(
        (parameter, name) -> {
          Duration time = wanted.get(parameter);
          if (!time.equals(current.get(parameter))) {
            boolean unset = time.equals(parameter.defaultValue());
            words.add("%s=%d".formatted(name, unset ? 0 : time.toNanos() / 1_000));
          }
        });
    return words;
  }

  private static Map<String, Long> values(String guest, String text) {
    Map<String, Long> values = new HashMap<>();
    for (String line : text.lines().filter(line -> !line.isBlank()).toList()) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(colon, 0)).strip();
      String value = line.substring(colon + 1).strip();
      if (name.equals("Scheduler")) {
        if (!value.equals("posix")) {
          throw new HypervisorException(
              "libvirt's scheduler of %s is '%s', not posix.".formatted(guest, value),
              "Only QEMU/KVM guests with the cpu control group can be set.");
        }
      } else {
        values.put(name, number(guest, line, value));
      }
    }
    return values;
  }

  private static long number(String guest, String line, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw unclear(guest, line);
    }
  }

  private static long value(String guest, Map<String, Long> values, String name, String text) {
    Long value = values.get(name);
    if (value == null) {
      throw unclear(guest, "no " + name + " in '" + text.strip().replace('\n', '/') + "'");
    }
    return value;
  }

  /** No quota is -1 on cgroup v1 and 2^44 - 1 on v2. */
  static Duration duration(long micros) {
    return micros < 0 || micros >= Cfs.UNLIMITED_MICROS
        ? Duration.ZERO
        : Duration.of(micros, ChronoUnit.MICROS);
  }

  /** Formats a setting for virsh; no quota is -1, which every version accepts. */
  static String assignment(Parameter<Duration> parameter, SchedulerParameters wanted) {
    Duration time = wanted.get(parameter);
    return "%s=%d".formatted(TIMES.get(parameter), time.isZero() ? -1 : time.toNanos() / 1_000);
  }

  static String shares(int shares) {
    return "%s=%d".formatted(SHARES, shares);
  }

  private static HypervisorException unclear(String guest, String what) {
    return new HypervisorException(
        "'virsh schedinfo' of %s cannot be understood: %s.".formatted(guest, what),
        "Please report it with the version of libvirt.");
  }
}
