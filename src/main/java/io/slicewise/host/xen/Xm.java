package io.slicewise.host.xen;

import io.slicewise.base.units.DurationText;
import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.Tool.ToolRefusals;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code xm} of Xen 3.1 to 4.4.
 *
 * <p>xm reads sEDF's values, replaces those given, and sends all back; therefore all five are
 * always given. With weight 0, period and slice apply. A domain with extra time only cannot be set
 * by a slice of 0, which the hypervisor rejects; an extra-time weight with period 0 has the same
 * effect.
 */
record Xm(HypervisorVersion version) implements Dialect {
  /** Times are sent as 32-bit nanoseconds through XML-RPC. */
  private static final Duration LONGEST = Duration.ofNanos(Integer.MAX_VALUE);

  private static final Duration STEP = Duration.ofNanos(100_000);
  private static final int NANO_DIGITS = 6;

  @Override
  public String name() {
    return "xm";
  }

  @Override
  public List<String> listDomains() {
    return List.of("list");
  }

  @Override
  public Optional<List<String>> listDomainsIn(String cpupool) {
    return Optional.of(List.of("list", "--pool=" + cpupool));
  }

  @Override
  public Optional<List<String>> listUuids() {
    return Optional.empty();
  }

  @Override
  public Optional<List<String>> listPoolCpus() {
    return Optional.empty();
  }

  @Override
  public boolean hasCpupools() {
    return version.atLeast(4, 1);
  }

  @Override
  public List<String> listParameters(Scheduler scheduler) {
    if (!XenSchedulers.ofXm(version).contains(scheduler)) {
      throw ToolRefusals.noCommand(this, scheduler);
    }
    return List.of("sched-" + scheduler.xenName());
  }

  @Override
  public List<List<String>> set(Domain domain, String target, SchedulerParameters wanted) {
    String command = listParameters(wanted.scheduler()).get(0);
    return List.of(
        switch (wanted.scheduler().xenName()) {
          case "credit" ->
              List.of(
                  command,
                  "-d",
                  target,
                  "-w",
                  "" + wanted.get(Credit.WEIGHT),
                  "-c",
                  "" + wanted.get(Credit.CAP));
          case "credit2" -> {
            ToolRefusals.refuseCap(this, domain, wanted.get(Credit.CAP));
            yield List.of(command, "-d", target, "-w", "" + wanted.get(Credit.WEIGHT));
          }
          case "sedf" -> sedf(domain, target, wanted);
          default -> throw ToolRefusals.noCommand(this, wanted.scheduler());
        });
  }

  private List<String> sedf(Domain domain, String target, SchedulerParameters sedf) {
    boolean bestEffort = SettingRanges.isBestEffort(sedf);
    return List.of(
        "sched-sedf",
        target,
        "-p",
        bestEffort ? "0" : millis(domain, "period", sedf.get(Sedf.PERIOD)),
        "-s",
        bestEffort ? "0" : millis(domain, "slice", sedf.get(Sedf.SLICE)),
        "-l",
        millis(domain, "latency", sedf.get(Sedf.LATENCY)),
        "-e",
        sedf.get(Sedf.EXTRATIME) ? "1" : "0",
        "-w",
        bestEffort ? "1" : Integer.toString(sedf.get(Sedf.WEIGHT)));
  }

  private static String millis(Domain domain, String what, Duration time) {
    if (time.compareTo(LONGEST) > 0) {
      throw SettingRanges.refusal(
          domain,
          what + " " + DurationText.micros(time),
          "is more than the 2147483us that xm can pass on");
    }
    return BigDecimal.valueOf(time.toNanos(), NANO_DIGITS).stripTrailingZeros().toPlainString();
  }

  @Override
  public Duration timeStep(Scheduler scheduler) {
    return scheduler == Scheduler.SEDF ? STEP : Duration.ZERO;
  }
}
