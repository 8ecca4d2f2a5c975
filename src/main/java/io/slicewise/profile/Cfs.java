package io.slicewise.profile;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.ParameterKind.TimeOrNone;
import io.slicewise.profile.ParameterKind.TimeSpan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The Linux scheduler for the guests of libvirt's QEMU/KVM, which libvirt calls {@code posix}:
 * shares and quotas of a guest's control groups. The kernel accepts quotas from 1 ms and periods
 * from 1 ms to 1 s. For libvirt, 2^44 µs or more means no quota.
 */
public final class Cfs {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration USUAL_PERIOD = Duration.ofMillis(100);
  private static final String TOOLS = "libvirt's tools";

  /** The smallest quota that libvirt treats as none, in microseconds. */
  public static final long UNLIMITED_MICROS = 17_592_186_044_415L;

  private static final TimeSpan PERIODS = new TimeSpan(SHORTEST, Duration.ofSeconds(1), TOOLS);
  private static final TimeOrNone QUOTAS =
      new TimeOrNone(
          new TimeSpan(SHORTEST, Duration.ofNanos((UNLIMITED_MICROS - 1) * 1_000), TOOLS), false);

  public static final Parameter<Integer> SHARES =
      Parameter.ratio(
          "shares",
          new NumberOrDefault(1, 262_144),
          NumberOrDefault.DEFAULT,
          "Share relative to other guests: 2 to 262144 on cgroup v1, 1 to 10000 on cgroup v2, or"
              + " default: 1024 on v1, 100 on v2.");

  public static final Parameter<Duration> VCPU_QUOTA =
      quota("vcpu-quota", "CPU time that each vCPU may use in each period, at least 1ms, or none.");

  public static final Parameter<Duration> VCPU_PERIOD = period("vcpu-period");

  public static final Parameter<Duration> EMULATOR_QUOTA =
      quota(
          "emulator-quota",
          "CPU time that the emulator's threads may use in each period, at least 1ms, or none.");

  public static final Parameter<Duration> EMULATOR_PERIOD = period("emulator-period");

  public static final Parameter<Duration> IOTHREAD_QUOTA =
      quota(
          "iothread-quota",
          "CPU time that each I/O thread may use in each period, at least 1ms, or none.");

  public static final Parameter<Duration> IOTHREAD_PERIOD = period("iothread-period");

  public static final Parameter<Duration> GLOBAL_QUOTA =
      quota(
          "global-quota",
          "CPU time that all of the guest's threads may use together in each period, at least 1ms,"
              + " or none.");

  public static final Parameter<Duration> GLOBAL_PERIOD = period("global-period");

  public static final Parameter<String> PINNING =
      Parameter.absolute(
          "pinning",
          new Pinning(false, true),
          Pinning.AS_FOUND,
          "The pCPUs that vCPUs may use, as in \"0-3,^2\": one text for all vCPUs or a list with"
              + " one for each; as-found does not change them.");

  public static final Parameter<String> EMULATOR_PINNING =
      ofThreads(
          "emulator-pinning",
          "The pCPUs that the emulator's threads may use, which do what no vCPU does; as-found does"
              + " not change them.");

  public static final Parameter<String> IOTHREAD_PINNING =
      ofThreads(
          "iothread-pinning",
          "The pCPUs that all I/O threads of the guest may use; as-found does not change them.");

  public static final Parameter<String> DISK_WEIGHT =
      Parameter.ratio(
          "disk-weight",
          new Kernel.Whole(1, 10_000),
          Kernel.AS_FOUND,
          "Share of the disks relative to other guests: 1 to 1000, or to 10000 with io.cost of"
              + " cgroup v2; as-found does not change it.");

  public static final Parameter<String> ONLINE_VCPUS =
      Parameter.absolute(
          "online-vcpus",
          new Kernel.Whole(1, 4096, true),
          Kernel.AS_FOUND,
          "The number of vCPUs that the guest's kernel uses, which its guest agent sets; as-found"
              + " does not change it.");

  /** Where a guest's threads run. */
  public static final List<Parameter<String>> PINNINGS =
      List.of(PINNING, EMULATOR_PINNING, IOTHREAD_PINNING);

  /** The quotas with their periods. */
  public static final List<TimeLimit> LIMITS =
      List.of(
          TimeLimit.ofEachVcpu(VCPU_QUOTA, VCPU_PERIOD, "cap"),
          TimeLimit.ofOthers(EMULATOR_QUOTA, EMULATOR_PERIOD),
          TimeLimit.ofOthers(IOTHREAD_QUOTA, IOTHREAD_PERIOD),
          TimeLimit.ofAll(GLOBAL_QUOTA, GLOBAL_PERIOD));

  private Cfs() {}

  private static Parameter<String> ofThreads(String key, String description) {
    return Parameter.absolute(key, new Pinning(false, false), Pinning.AS_FOUND, description);
  }

  private static Parameter<Duration> quota(String key, String description) {
    return Parameter.absolute(key, QUOTAS, Duration.ZERO, description).logarithmic();
  }

  private static Parameter<Duration> period(String key) {
    String description = "Period of the quota, 1ms to 1s.";
    return Parameter.absolute(key, PERIODS, USUAL_PERIOD, description).logarithmic();
  }

  static Scheduler description() {
    return Scheduler.named("cfs", "libvirt")
        .with(
            SHARES,
            VCPU_QUOTA,
            VCPU_PERIOD,
            EMULATOR_QUOTA,
            EMULATOR_PERIOD,
            IOTHREAD_QUOTA,
            IOTHREAD_PERIOD,
            GLOBAL_QUOTA,
            GLOBAL_PERIOD,
            PINNING,
            EMULATOR_PINNING,
            IOTHREAD_PINNING,
            DISK_WEIGHT,
            ONLINE_VCPUS)
        .limitedBy(LIMITS);
  }

  /**
   * Settings without quotas.
   *
   * @param shares 0 for the host's default
   */
  public static SchedulerParameters of(int shares) {
    return SchedulerParameters.defaults(Scheduler.CFS).with(SHARES, shares);
  }

  /** Whether the shares are the host's default, whatever that is. */
  public static boolean hasDefaultShares(SchedulerParameters parameters) {
    return parameters.get(SHARES) == NumberOrDefault.DEFAULT;
  }

  /** Returns how many vCPUs a guest that has so many uses with these settings. */
  public static int online(SchedulerParameters parameters, int vcpus) {
    String online = parameters.get(ONLINE_VCPUS);
    return online.isEmpty() ? vcpus : Integer.parseInt(online);
  }

  /** Returns whether the pinning is not changed. */
  public static boolean leavesPinning(SchedulerParameters parameters) {
    return parameters.get(PINNING).equals(Pinning.AS_FOUND);
  }

  /** Whole numbers in a range, or 0, written {@code default}: the host's default. */
  record NumberOrDefault(int least, int most) implements ParameterKind<Integer> {
    static final int DEFAULT = 0;
    private static final String WORD = "default";

    @Override
    public Class<Integer> type() {
      return Integer.class;
    }

    @Override
    public Optional<Integer> read(YamlValue value) {
      return WORD.equals(value.plain()) ? Optional.of(DEFAULT) : value.integer(least, most);
    }

    @Override
    public Object toYaml(Integer value) {
      return value == DEFAULT ? WORD : value;
    }

    @Override
    public OptionalDouble number(Integer value) {
      return value == DEFAULT ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    @Override
    public Optional<String> fault(Integer value, int vcpus) {
      return value == DEFAULT || (value >= least && value <= most)
          ? Optional.empty()
          : Optional.of("is out of range %d..%d".formatted(least, most));
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return WORD + ", " + least + ".." + most;
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of(
          "oneOf",
          List.of(
              OptionKind.ordered("type", "integer", "minimum", least, "maximum", most),
              Map.of("const", WORD)));
    }
  }
}
