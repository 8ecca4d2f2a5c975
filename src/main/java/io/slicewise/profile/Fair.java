package io.slicewise.profile;

import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.ParameterKind.TimeOrNone;
import io.slicewise.profile.ParameterKind.TimeSpan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Linux kernel's fair scheduler (CFS, since 6.6 EEVDF) for control groups: a weight among
 * siblings, a quota in each period with a burst, the idle class, and the pCPUs. The kernel accepts
 * quotas from 1 ms and periods from 1 ms to 1 s.
 */
public final class Fair {
  private static final String TOOLS = "the kernel's files";
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofHours(4);

  public static final Parameter<Integer> SHARES =
      Parameter.ratio(
          "shares",
          new Cfs.NumberOrDefault(1, 262_144),
          Cfs.NumberOrDefault.DEFAULT,
          "Weight relative to sibling groups: cpu.shares of 2 to 262144 on cgroup v1, cpu.weight of"
              + " 1 to 10000 on cgroup v2, or default: 1024 on v1, 100 on v2.");

  public static final Parameter<Duration> QUOTA =
      Parameter.absolute(
              "quota",
              new TimeOrNone(new TimeSpan(LEAST, MOST, TOOLS), false),
              Duration.ZERO,
              "CPU time that all tasks may use together in each period, at least 1ms, or none.")
          .logarithmic();

  public static final Parameter<Duration> PERIOD =
      Parameter.absolute(
              "period",
              new TimeSpan(LEAST, Duration.ofSeconds(1), TOOLS),
              Duration.ofMillis(100),
              "Period of the quota, 1ms to 1s.")
          .logarithmic();

  public static final Parameter<Duration> BURST =
      Parameter.absolute(
              "burst",
              new TimeOrNone(new TimeSpan(Duration.ofNanos(1_000), MOST, TOOLS), false),
              Duration.ZERO,
              "Unused quota that a group may save and use later, at most its quota, or none.")
          .logarithmic();

  public static final Parameter<Boolean> IDLE =
      Parameter.absolute(
          "idle",
          new ParameterKind.Flag(),
          false,
          "Whether the group runs only where no sibling wants the pCPU, almost: 0.3 % of its weight"
              + " is left to it.");

  public static final Parameter<String> CPUS =
      Parameter.absolute(
          "cpus",
          new Cpus(),
          Pinning.AS_FOUND,
          "The pCPUs of the group, as in \"0-3\", or inherited on cgroup v2: those of the group above;"
              + " as-found does not change them.");

  /** The quota with its period. */
  public static final TimeLimit LIMIT =
      new TimeLimit(QUOTA, PERIOD, TimeLimit.Of.ALL, Optional.of("cap"));

  private Fair() {}

  static Scheduler description() {
    return Scheduler.named("fair", "groups")
        .with(SHARES, QUOTA, PERIOD, BURST, IDLE, CPUS)
        .limitedBy(List.of(LIMIT));
  }

  /** Returns whether the pCPUs are not changed. */
  public static boolean leavesCpus(SchedulerParameters parameters) {
    return parameters.get(CPUS).equals(Pinning.AS_FOUND);
  }

  /** Returns whether the shares are the kernel's default. */
  public static boolean hasDefaultShares(SchedulerParameters parameters) {
    return parameters.get(SHARES) == Cfs.NumberOrDefault.DEFAULT;
  }

  /** A list of pCPUs for all tasks of a group, or those of the group above. */
  public record Cpus() implements ParameterKind<String> {
    /** The value of a group without pCPUs of its own. */
    public static final String INHERITED = "inherited";

    private static final Pinning LISTS = new Pinning(false, true);

    /** Returns the value for what the kernel's file contains. */
    public static String of(String list) {
      return list.isBlank() ? INHERITED : Pinning.of(List.of(list.strip()));
    }

    @Override
    public Class<String> type() {
      return String.class;
    }

    @Override
    public Optional<String> read(YamlValue value) {
      if (INHERITED.equals(value.plain())) {
        return Optional.of(INHERITED);
      }
      if (value.isList()) {
        value.refuse("must be one list of pCPUs in quotes, as in \"0-3,5\"");
        return Optional.empty();
      }
      return LISTS.read(value);
    }

    @Override
    public Optional<String> choice(String text) {
      return LISTS.choice(text);
    }

    @Override
    public Object toYaml(String value) {
      return LISTS.toYaml(value);
    }

    @Override
    public String text(String value) {
      return LISTS.text(value);
    }

    @Override
    public boolean isIdle(String value) {
      return value.equals(Pinning.AS_FOUND) || value.equals(INHERITED);
    }

    @Override
    public boolean isAsFound(String value) {
      return LISTS.isAsFound(value);
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return LISTS.range(pcpus, vcpus) + ", " + INHERITED;
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("type", List.of("string", "integer"));
    }
  }
}
