package io.slicewise.cli.draft;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Suggestion;
import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A setting of one guest as a person writes it: {@code web: weight 1024, cap 0}, also in the words
 * of the platform.
 *
 * @param words its parameters and values, as written
 */
public record TriedSetting(String guest, List<String> words) {
  private static final String EXAMPLE = "as in 'web: weight 1024' or 'batch.service: idle'";
  private static final String NONE = "none";

  /** Words of platforms for a weight: of Proxmox, systemd, the kernel and Docker. */
  private static final Set<String> WEIGHTS =
      Set.of("weight", "shares", "cpuunits", "cpuweight", "cpu.weight", "cpu.shares", "cpu-shares");

  /** Those in the unit of cgroup v1, which are other numbers on v2, and the other way around. */
  private static final Set<String> OF_V1 = Set.of("cpu.shares", "cpu-shares");

  private static final Set<String> OF_V2 = Set.of("weight", "cpuweight", "cpu.weight");

  /** Words of Docker and Proxmox for a limit in CPUs, and of systemd in percent. */
  private static final Set<String> CPUS = Set.of("--cpus", "cpulimit");

  private static final Set<String> LIMITS = Set.of("cap", "cpuquota");

  public TriedSetting {
    words = List.copyOf(words);
  }

  /**
   * Reads settings from words of a command line, whose blanks may have separated them.
   *
   * @throws SlicewiseException if there is none, or one has no guest or no value
   */
  public static List<TriedSetting> of(List<String> arguments) {
    List<String> texts = new ArrayList<>();
    for (String argument : arguments) {
      if (texts.isEmpty() || argument.endsWith(":") || argument.contains(": ")) {
        texts.add(argument);
      } else {
        texts.add(texts.remove(texts.size() - 1) + " " + argument);
      }
    }
    if (texts.isEmpty()) {
      throw SlicewiseException.input("there is no setting to try", "name a guest, " + EXAMPLE);
    }
    return texts.stream().map(TriedSetting::parse).toList();
  }

  private static TriedSetting parse(String text) {
    int colon = text.contains(": ") ? text.indexOf(": ") : text.indexOf(':');
    List<String> words =
        Stream.of(text.substring(colon + 1).split("[\\s,=]+", -1))
            .filter(word -> !word.isEmpty())
            .toList();
    if (colon < 1 || words.isEmpty()) {
      throw SlicewiseException.input(
          "'%s' is not a guest with a setting".formatted(text), "write it " + EXAMPLE);
    }
    return new TriedSetting(text.substring(0, colon).strip(), words);
  }

  /** Returns the setting as a name: {@code web weight 1024}. */
  String name() {
    return guest + " " + String.join(" ", words);
  }

  /**
   * Returns the guest's parameters as a file contains them: those found, except for those tried.
   *
   * @param host as it was described
   * @throws SlicewiseException if the host has no such guest, or the guest no such parameter
   */
  Map<String, Object> parameters(HostDescription host, List<Setting> found) {
    SchedulerParameters now = found(found);
    Map<String, Object> values = new LinkedHashMap<>(plain(now));
    now.scheduler().parameters().stream()
        .filter(TriedSetting::mayBeLeft)
        .map(Parameter::key)
        .forEach(values::remove);
    for (int at = 0; at < words.size(); at++) {
      String key = key(words.get(at), now.scheduler(), host);
      boolean flag = key.equals(Fair.IDLE.key()) && now.scheduler().keys().contains(key);
      if (flag && (at + 1 == words.size() || !words.get(at + 1).matches("true|false"))) {
        put(values, key, "true", words.get(at), now.scheduler());
      } else if (at + 1 == words.size()) {
        throw SlicewiseException.input(
            "%s of %s has no value".formatted(words.get(at), guest), "write it " + EXAMPLE);
      } else {
        put(values, key, words.get(at + 1), words.get(at), now.scheduler());
        at++;
      }
    }
    return values;
  }

  /** Returns the setting that a guest has now. */
  SchedulerParameters found(List<Setting> found) {
    SchedulerParameters now =
        found.stream()
            .filter(one -> one.target().name().equals(guest))
            .map(Setting::parameters)
            .findFirst()
            .orElseThrow(() -> missing(found));
    if (now.isByVcpu()) {
      throw SlicewiseException.input(
          "the vCPUs of %s have different settings, which no profile can name".formatted(guest),
          "give them one setting first");
    }
    return now;
  }

  private SlicewiseException missing(List<Setting> found) {
    List<String> names =
        found.stream().map(one -> one.target().name()).distinct().sorted().limit(12).toList();
    return SlicewiseException.input(
        "there is no guest '%s'%s".formatted(guest, Suggestion.of(guest, names)),
        names.isEmpty() ? "no guest there has settings" : "guests are " + String.join(", ", names));
  }

  private Map<String, Object> plain(SchedulerParameters now) {
    Map<?, ?> domains =
        (Map<?, ?>)
            ProfileFiles.toYaml(
                    new SchedulerProfile(
                        "found", Optional.of(now.scheduler()), Map.of(), Map.of(guest, now)))
                .get("domains");
    Map<String, Object> values = new LinkedHashMap<>();
    ((Map<?, ?>) domains.get(guest)).forEach((key, value) -> values.put((String) key, value));
    return values;
  }

  /** Whether a profile that omits a parameter leaves it as it is. */
  private static <T> boolean mayBeLeft(Parameter<T> parameter) {
    return parameter.kind().isAsFound(parameter.defaultValue());
  }

  private String key(String word, Scheduler scheduler, HostDescription host) {
    String lower = word.toLowerCase(Locale.ROOT).replace('_', '-');
    boolean linux = scheduler.keys().contains("shares");
    if (linux && WEIGHTS.contains(lower)) {
      checkUnit(lower, word, CgroupVersion.statedIn(host.version()));
      return "shares";
    }
    if (LIMITS.contains(lower) || CPUS.contains(lower)) {
      lower = "cap";
    }
    if (!scheduler.keys().contains(lower)) {
      throw SlicewiseException.input(
          "%s has no %s under %s%s"
              .formatted(guest, word, scheduler.xenName(), Suggestion.of(lower, scheduler.keys())),
          "it has " + String.join(", ", scheduler.keys()));
    }
    return lower;
  }

  private void checkUnit(String lower, String word, CgroupVersion version) {
    Set<String> others = version == CgroupVersion.V1 ? OF_V2 : OF_V1;
    if (others.contains(lower)) {
      throw SlicewiseException.input(
          "%s of %s is not in the unit of this host, whose %s has %s"
              .formatted(word, guest, version, version.sharesText()),
          "give the number in that unit: '%s: shares N'".formatted(guest));
    }
  }

  private static void put(
      Map<String, Object> values, String key, String value, String word, Scheduler scheduler) {
    boolean quotas = !scheduler.limits().isEmpty();
    if (key.equals("cap") && quotas) {
      boolean none = value.matches("none|0%?");
      scheduler.limits().stream()
          .filter(limit -> limit.percent().isPresent())
          .forEach(
              limit -> {
                values.remove(limit.quota().key());
                values.remove(limit.period().key());
                values.put(
                    none ? limit.quota().key() : "cap", none ? NONE : percent(value, word) + "%");
              });
    } else if (key.equals("cap")) {
      values.put(key, value.equals(NONE) ? 0 : typed(percent(value, word)));
    } else {
      values.put(key, typed(value));
      if (key.equals(Fair.IDLE.key()) && value.equals("true")) {
        values.remove(Fair.SHARES.key());
      }
    }
  }

  private static String percent(String value, String word) {
    String number = value.replaceFirst("%$", "");
    return CPUS.contains(word.toLowerCase(Locale.ROOT)) && number.matches("\\d{1,4}(\\.\\d{1,2})?")
        ? Long.toString(Math.round(Double.parseDouble(number) * 100))
        : number;
  }

  private static Object typed(String value) {
    if (value.matches("\\d{1,9}")) {
      return Integer.valueOf(value);
    }
    return value.matches("true|false") ? Boolean.valueOf(value) : value;
  }

  /** Returns the scheduler of the settings, which must be one. */
  static Scheduler scheduler(List<TriedSetting> tried, List<Setting> found) {
    Set<Scheduler> all =
        tried.stream().map(one -> one.found(found).scheduler()).collect(Collectors.toSet());
    if (all.size() > 1) {
      throw SlicewiseException.input(
          "the guests are under different schedulers", "try the settings of each by themselves");
    }
    return all.iterator().next();
  }
}
