package io.slicewise.run.validity;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.profile.SchedulerParameters.Credit2;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.RtdsByVcpu;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;
import java.util.OptionalDouble;

/** The most CPU time per elapsed time that settings allow a domain, in pCPUs. */
final class Ceiling {
  private Ceiling() {}

  /** Empty when the settings set no ceiling. */
  static OptionalDouble pcpus(SchedulerParameters parameters, int vcpus) {
    if (parameters instanceof Credit credit) {
      return ofCap(credit.cap());
    }
    if (parameters instanceof Credit2 credit2) {
      return ofCap(credit2.cap());
    }
    if (parameters instanceof Sedf sedf) {
      return sedf.extratime() || sedf.weight() > 0
          ? OptionalDouble.empty()
          : ofShare(sedf.slice(), sedf.period(), vcpus);
    }
    if (parameters instanceof RtdsByVcpu byVcpu) {
      return ofAll(byVcpu);
    }
    Rtds rtds = (Rtds) parameters;
    return rtds.extratime() ? OptionalDouble.empty() : ofShare(rtds.budget(), rtds.period(), vcpus);
  }

  private static OptionalDouble ofAll(RtdsByVcpu byVcpu) {
    if (byVcpu.vcpus().stream().anyMatch(Rtds::extratime)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        byVcpu.vcpus().stream()
            .mapToDouble(one -> (double) one.budget().toNanos() / one.period().toNanos())
            .sum());
  }

  private static OptionalDouble ofCap(int cap) {
    return cap == 0 ? OptionalDouble.empty() : OptionalDouble.of(cap / 100.0);
  }

  private static OptionalDouble ofShare(Duration part, Duration whole, int vcpus) {
    return whole.isZero()
        ? OptionalDouble.empty()
        : OptionalDouble.of(vcpus * (double) part.toNanos() / whole.toNanos());
  }
}
