package io.slicewise.host.xen;

import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of whole cpupools in a scheduler's listing: {@code Cpupool Pool-0: tslice=30ms
 * ratelimit=1000us migration-delay=0us}. xl prints them from Xen 4.2 on for credit, from 4.8 on for
 * credit2; xm never does.
 */
final class PoolListing {
  private static final Pattern CREDIT =
      Pattern.compile("tslice=(\\d+)ms ratelimit=(\\d+)us(?: migration-delay=\\d+us)?");

  private static final Pattern CREDIT2 = Pattern.compile("ratelimit=(\\d+)us");
  private static final long NANOS_A_MICRO = 1_000;

  private PoolListing() {}

  /** Returns the parameters of the pools by name; those without any are absent. */
  static Map<String, SchedulerParameters> parse(Scheduler scheduler, String text) {
    Map<String, SchedulerParameters> pools = new LinkedHashMap<>();
    if (scheduler.pool().isPresent()) {
      boolean credit = scheduler == Scheduler.CREDIT;
      SchedulerListing.pools(text)
          .forEach(
              (pool, printed) -> {
                Matcher values = (credit ? CREDIT : CREDIT2).matcher(printed);
                if (values.matches()) {
                  pools.put(
                      pool,
                      credit
                          ? PoolWide.credit(
                              Duration.ofMillis(Long.parseLong(values.group(1))),
                              micros(values.group(2)))
                          : PoolWide.credit2(micros(values.group(1))));
                }
              });
    }
    return pools;
  }

  private static Duration micros(String text) {
    return Duration.ofNanos(Long.parseLong(text) * NANOS_A_MICRO);
  }
}
