package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.ParameterKind.WholeNumber;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A scheduler that no code outside the tests knows: shares as libvirt's, and a quota that is a time
 * or none. Everything about it is on this page.
 */
public final class CfsLike {
  public static final Parameter<Integer> SHARES =
      Parameter.ratio("shares", WholeNumber.between(2, 262_144), 1024, "Share of the CPU.");

  public static final Parameter<Long> QUOTA =
      Parameter.absolute("quota", new Quota(), Quota.NONE, "Time in each period, or none.");

  public static final Scheduler SCHEDULER =
      Scheduler.named("cfs-like", "libvirt").with(SHARES, QUOTA);

  public static final Schedulers KNOWN = new Schedulers(java.util.List.of(SCHEDULER));

  private CfsLike() {}

  public static SchedulerParameters of(int shares, long quotaMicros) {
    return SchedulerParameters.defaults(SCHEDULER).with(SHARES, shares).with(QUOTA, quotaMicros);
  }

  /** Microseconds of at least 1 ms; -1 is none. */
  private record Quota() implements ParameterKind<Long> {
    private static final long NONE = -1;
    private static final String NONE_TEXT = "none";

    @Override
    public Class<Long> type() {
      return Long.class;
    }

    @Override
    public String unit() {
      return "us";
    }

    @Override
    public Optional<Long> read(YamlValue value) {
      return value.parsed(
          text -> text.equals(NONE_TEXT) ? NONE : DurationText.parse(text).toNanos() / 1_000);
    }

    @Override
    public Object toYaml(Long value) {
      return value == NONE ? NONE_TEXT : DurationText.of(Duration.ofNanos(value * 1_000));
    }

    @Override
    public String text(Long value) {
      return value == NONE ? NONE_TEXT : value + " us";
    }

    @Override
    public OptionalDouble number(Long value) {
      return value == NONE ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    @Override
    public Optional<String> fault(Long value, int vcpus) {
      return value == NONE || value >= 1_000 ? Optional.empty() : Optional.of("is below 1000us");
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return "any";
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of("type", "string");
    }
  }
}
