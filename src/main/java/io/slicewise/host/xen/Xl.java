package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.profile.SchedulerParameters.Credit2;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.RtdsByVcpu;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code xl} of Xen 4.1 and later. */
record Xl(HypervisorVersion version) implements Dialect {
  private static final Duration STEP = Duration.ofMillis(1);

  /** Milliseconds become nanoseconds in a C int. */
  private static final long LONGEST_SEDF_MILLIS = 2147;

  private static final long NANOS_A_MICRO = 1_000;

  @Override
  public String name() {
    return "xl";
  }

  @Override
  public List<String> listDomains() {
    return version.atLeast(4, 6) ? List.of("list", "-c") : List.of("list");
  }

  @Override
  public Optional<List<String>> listDomainsIn(String cpupool) {
    return Optional.empty();
  }

  @Override
  public Optional<List<String>> listUuids() {
    return Optional.of(List.of("list", "-v"));
  }

  @Override
  public Optional<List<String>> listPoolCpus() {
    return Optional.of(List.of("cpupool-list", "-c"));
  }

  @Override
  public boolean hasCpupools() {
    return true;
  }

  @Override
  public List<String> listParameters(Scheduler scheduler) {
    boolean known =
        switch (scheduler) {
          case CREDIT -> true;
          case CREDIT2 -> version.atLeast(4, 2);
          case SEDF -> version.atLeast(4, 2) && !version.atLeast(4, 6);
          case RTDS -> version.atLeast(4, 5);
          case ARINC653, NULL -> false;
        };
    if (!known) {
      throw ToolRefusals.noCommand(this, scheduler);
    }
    String command = "sched-" + scheduler.xenName();
    // From 4.7 on the listing without -v shows Xen's defaults, whatever is set.
    return scheduler == Scheduler.RTDS && version.atLeast(4, 7)
        ? List.of(command, "-v", "all")
        : List.of(command);
  }

  @Override
  public List<List<String>> set(Domain domain, String target, SchedulerParameters wanted) {
    listParameters(wanted.scheduler());
    List<String> start = List.of("sched-" + wanted.scheduler().xenName(), "-d", target);
    if (wanted instanceof Credit credit) {
      return List.of(join(start, "-w", credit.weight(), "-c", credit.cap()));
    }
    if (wanted instanceof Credit2 credit2) {
      return List.of(credit2(start, domain, credit2));
    }
    if (wanted instanceof Sedf sedf) {
      return List.of(sedf(start, domain, sedf));
    }
    if (wanted instanceof Rtds rtds) {
      return List.of(
          version.atLeast(4, 7)
              ? rtds(join(start, "-v", "all"), domain, rtds)
              : rtds(start, domain, rtds));
    }
    if (wanted instanceof RtdsByVcpu rtds && version.atLeast(4, 7)) {
      return byVcpu(start, domain, rtds.vcpus());
    }
    throw ToolRefusals.noCommand(this, wanted.scheduler());
  }

  private List<String> credit2(List<String> start, Domain domain, Credit2 credit2) {
    if (version.atLeast(4, 10)) {
      return join(start, "-w", credit2.weight(), "-c", credit2.cap());
    }
    ToolRefusals.refuseCap(this, domain, credit2.cap());
    return join(start, "-w", credit2.weight());
  }

  /** A weight makes xl send period and slice 0, a period or slice makes it send weight 0. */
  private static List<String> sedf(List<String> start, Domain domain, Sedf sedf) {
    long latency = millis(domain, "latency", sedf.latency());
    if (SettingRanges.bestEffort(sedf)) {
      return join(start, "-w", 1, "-e", 1, "-l", latency);
    }
    if (sedf.weight() > 0) {
      if (sedf.extratime()) {
        throw SettingRanges.refusal(
            domain,
            "weight " + sedf.weight(),
            "cannot stand beside extratime under xl, which then weighs only left-over time and"
                + " cannot read that back; set extratime: false");
      }
      return join(start, "-w", sedf.weight(), "-e", 0, "-l", latency);
    }
    return join(
        start,
        "-p",
        millis(domain, "period", sedf.period()),
        "-s",
        millis(domain, "slice", sedf.slice()),
        "-l",
        latency,
        "-e",
        sedf.extratime() ? 1 : 0);
  }

  private static long millis(Domain domain, String what, Duration time) {
    long millis = time.toMillis();
    if (!Duration.ofMillis(millis).equals(time)) {
      throw SettingRanges.refusal(
          domain,
          what + " " + SettingRanges.micros(time),
          "is finer than the whole milliseconds that xl takes for sEDF");
    }
    if (millis > LONGEST_SEDF_MILLIS) {
      throw SettingRanges.refusal(
          domain,
          what + " " + millis + "ms",
          "is more than the " + LONGEST_SEDF_MILLIS + "ms that xl can pass on");
    }
    return millis;
  }

  private List<List<String>> byVcpu(List<String> start, Domain domain, List<Rtds> vcpus) {
    List<List<String>> commands = new ArrayList<>();
    for (int vcpu = 0; vcpu < vcpus.size(); vcpu++) {
      commands.add(rtds(join(start, "-v", vcpu), domain, vcpus.get(vcpu)));
    }
    return commands;
  }

  private List<String> rtds(List<String> start, Domain domain, Rtds rtds) {
    List<String> timed =
        join(
            start,
            "-p",
            rtds.period().toNanos() / NANOS_A_MICRO,
            "-b",
            rtds.budget().toNanos() / NANOS_A_MICRO);
    if (version.atLeast(4, 10)) {
      return join(timed, "-e", rtds.extratime() ? 1 : 0);
    }
    if (rtds.extratime()) {
      throw SettingRanges.refusal(
          domain, "extratime", "needs Xen 4.10 under RTDS, and this is Xen " + version);
    }
    return timed;
  }

  private static List<String> join(List<String> start, Object... more) {
    List<String> words = new ArrayList<>(start);
    for (Object word : more) {
      words.add(String.valueOf(word));
    }
    return List.copyOf(words);
  }

  @Override
  public Duration sedfStep() {
    return STEP;
  }
}
