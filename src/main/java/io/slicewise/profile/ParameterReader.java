package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.time.Duration;
import java.util.Optional;

/**
 * The parameters of one domain or role in a file, checked against their descriptions. A cap's upper
 * end is 100 × the domain's vCPUs, which only the host knows.
 */
record ParameterReader(Scheduler scheduler, YamlMap map, String whose) {
  static SchedulerParameters read(Scheduler scheduler, YamlMap map, String whose) {
    ParameterReader reader = new ParameterReader(scheduler, map, whose);
    SchedulerParameters read = SchedulerParameters.defaults(scheduler);
    for (Parameter<?> parameter : scheduler.parameters()) {
      read = reader.with(parameter, read);
    }
    for (TimeLimit limit : scheduler.limits()) {
      read = reader.inPercent(limit, read);
    }
    reader.checkShare(read);
    return read;
  }

  private <T> SchedulerParameters with(Parameter<T> parameter, SchedulerParameters read) {
    return map.get(parameter.key())
        .flatMap(parameter.kind()::read)
        .map(value -> read.with(parameter, value))
        .orElse(read);
  }

  /** Converts a quota that the file gives in percent of its period. */
  private SchedulerParameters inPercent(TimeLimit limit, SchedulerParameters read) {
    Optional<YamlValue> written = limit.percent().flatMap(map::get);
    if (written.isEmpty()) {
      return read;
    }
    String quota = limit.quota().key();
    if (map.has(quota)) {
      written.get().refuse("cannot be combined with %s; write one of them".formatted(quota));
      return read;
    }
    Duration period = read.get(limit.period());
    return written
        .get()
        .parsed(text -> quota(text, limit, period))
        .map(time -> read.with(limit.quota(), time))
        .orElse(read);
  }

  private static Duration quota(String text, TimeLimit limit, Duration period) {
    if (text.equals(TimeOrNone.NONE)) {
      return Duration.ZERO;
    }
    double share = PercentText.parse(text);
    Duration quota = Duration.ofNanos(Math.round(period.toNanos() * share / 1e3) * 1_000);
    String fault =
        quota.isZero() ? "is not a quota" : limit.quota().kind().fault(quota, 1).orElse("");
    if (!fault.isEmpty()) {
      throw new IllegalArgumentException(
          "is %s of %s's %s, which %s"
              .formatted(
                  DurationText.micros(quota),
                  limit.period().key(),
                  DurationText.of(period),
                  fault));
    }
    return quota;
  }

  private void checkShare(SchedulerParameters read) {
    scheduler
        .share()
        .ifPresent(
            time -> {
              if (time.isReplaced(read)) {
                refuseBesideWeight(time.whole());
                refuseBesideWeight(time.part());
              } else {
                checkPart(time, read);
              }
            });
  }

  private void refuseBesideWeight(Parameter<?> parameter) {
    TimeShare time = scheduler.share().orElseThrow();
    map.get(parameter.key())
        .ifPresent(
            value ->
                value.refuse(
                    "cannot be combined with a weight; %s takes either a weight or %s and %s"
                        .formatted(scheduler.hypervisor(), time.whole().key(), time.part().key())));
  }

  private void checkPart(TimeShare time, SchedulerParameters read) {
    Duration part = read.get(time.part());
    Duration whole = read.get(time.whole());
    String key = time.part().key();
    String shown = "%s %s of %s".formatted(key, DurationText.of(part), whose);
    if (part.isZero()) {
      if (!read.get(time.extra())) {
        map.fault(
            key,
            "%s 0 of %s without %s would never run the domain"
                .formatted(key, whose, time.extra().key()));
      }
    } else if (part.compareTo(time.shortest()) < 0) {
      map.fault(
          key,
          "%s is below %s's least %s of %s"
              .formatted(shown, scheduler.hypervisor(), key, DurationText.of(time.shortest())));
    } else if (part.compareTo(whole) > 0) {
      String left = map.has(key) ? "" : ", %s's default,".formatted(scheduler.hypervisor());
      map.fault(
          key,
          "%s%s is longer than its %s of %s"
              .formatted(shown, left, time.whole().key(), DurationText.of(whole)));
    }
  }
}
