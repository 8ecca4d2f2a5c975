package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.profile.SchedulerParameters.Credit2;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.RtdsByVcpu;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;

/**
 * The ranges every toolstack shares, checked before anything is sent: the tools read numbers
 * without checking them ({@code -w 256x} sets 256, {@code -c abc} removes the cap).
 */
final class SettingRanges {
  private static final int MOST_WEIGHT = 65535;
  private static final Duration SEDF_SHORTEST_PERIOD = Duration.ofNanos(10_000);
  private static final Duration SEDF_LONGEST_PERIOD = Duration.ofSeconds(10);
  private static final Duration SEDF_SHORTEST_SLICE = Duration.ofNanos(5_000);
  private static final Duration RTDS_SHORTEST = Duration.ofNanos(10_000);
  private static final Duration RTDS_LONGEST = Duration.ofNanos(Integer.MAX_VALUE * 1_000L);

  private SettingRanges() {}

  /** Refuses what no Xen takes for this domain. */
  static void check(Domain domain, SchedulerParameters wanted) {
    if (wanted instanceof Credit credit) {
      checkWeight(domain, credit.weight());
      checkCap(domain, credit.cap());
    } else if (wanted instanceof Credit2 credit2) {
      checkWeight(domain, credit2.weight());
      checkCap(domain, credit2.cap());
    } else if (wanted instanceof Sedf sedf) {
      checkSedf(domain, sedf);
    } else if (wanted instanceof Rtds rtds) {
      checkRtds(domain, rtds);
    } else if (wanted instanceof RtdsByVcpu rtds) {
      rtds.vcpus().forEach(vcpu -> checkRtds(domain, vcpu));
    }
  }

  /** sEDF without a slice of its own: the domain lives on what the others leave. */
  static boolean bestEffort(Sedf sedf) {
    return sedf.weight() == 0 && sedf.slice().isZero() && sedf.extratime();
  }

  private static void checkWeight(Domain domain, int weight) {
    if (weight < 1 || weight > MOST_WEIGHT) {
      throw refusal(domain, "weight " + weight, "is out of range 1.." + MOST_WEIGHT);
    }
  }

  private static void checkCap(Domain domain, int cap) {
    int most = 100 * domain.vcpus();
    if (cap < 0 || cap > most) {
      throw refusal(
          domain,
          "cap " + cap,
          "is out of range 0.." + most + ", 100 for each of its " + domain.vcpus() + " vCPUs");
    }
  }

  private static void checkSedf(Domain domain, Sedf sedf) {
    if (sedf.weight() > 0) {
      checkWeight(domain, sedf.weight());
      return;
    }
    if (bestEffort(sedf)) {
      return;
    }
    checkBetween(domain, "period", sedf.period(), SEDF_SHORTEST_PERIOD, SEDF_LONGEST_PERIOD);
    checkBetween(domain, "slice", sedf.slice(), SEDF_SHORTEST_SLICE, sedf.period());
  }

  private static void checkRtds(Domain domain, Rtds rtds) {
    checkBetween(domain, "period", rtds.period(), RTDS_SHORTEST, RTDS_LONGEST);
    checkBetween(domain, "budget", rtds.budget(), RTDS_SHORTEST, rtds.period());
  }

  private static void checkBetween(
      Domain domain, String what, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw refusal(
          domain,
          what + " " + micros(value),
          "is out of range " + micros(least) + ".." + micros(most));
    }
  }

  static HypervisorException refusal(Domain domain, String what, String rule) {
    return new HypervisorException(
        what + " of " + domain.name() + " " + rule + ".", "Mend the profile.");
  }

  static String micros(Duration time) {
    return time.toNanos() % 1_000 == 0 ? time.toNanos() / 1_000 + "us" : time.toNanos() + "ns";
  }
}
