package io.slicewise.host.xen;

import io.slicewise.base.units.DurationText;
import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Target;
import io.slicewise.host.xen.Tool.ToolRefusals;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code xl} of Xen 4.1 and later. */
record Xl(HypervisorVersion version) implements Dialect {
  static final String VCPU_SET = "vcpu-set";

  private static final Duration STEP = Duration.ofMillis(1);

  /** Milliseconds are converted to nanoseconds in a C int. */
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
    if (!XenSchedulers.ofXl(version).contains(scheduler)) {
      throw ToolRefusals.noCommand(this, scheduler);
    }
    String command = "sched-" + scheduler.xenName();
    // Without -v the listing shows Xen's defaults instead of the settings.
    return XenSchedulers.isByVcpu(scheduler, version)
        ? List.of(command, "-v", "all")
        : List.of(command);
  }

  @Override
  public List<List<String>> set(Domain domain, String target, SchedulerParameters wanted) {
    Scheduler scheduler = wanted.scheduler();
    listParameters(scheduler);
    List<String> start = List.of("sched-" + scheduler.xenName(), "-d", target);
    if (scheduler == Scheduler.SEDF) {
      return List.of(sedf(start, domain, wanted));
    }
    if (!XenSchedulers.isByVcpu(scheduler, version)) {
      if (wanted.isByVcpu()) {
        throw ToolRefusals.noCommand(this, scheduler);
      }
      return List.of(words(start, domain, wanted));
    }
    if (!wanted.isByVcpu()) {
      return List.of(words(join(start, "-v", "all"), domain, wanted));
    }
    List<List<String>> commands = new ArrayList<>();
    for (int vcpu = 0; vcpu < wanted.each().size(); vcpu++) {
      commands.add(words(join(start, "-v", vcpu), domain, wanted.each().get(vcpu)));
    }
    return List.copyOf(commands);
  }

  private List<String> words(List<String> start, Domain domain, SchedulerParameters wanted) {
    List<String> words = new ArrayList<>(start);
    for (Column<?> column : XenSchedulers.columns(wanted.scheduler())) {
      words.addAll(column.words(domain, version, wanted));
    }
    return List.copyOf(words);
  }

  @Override
  public List<String> setPool(Target.Pool pool, SchedulerParameters wanted) {
    boolean credit = wanted.scheduler() == Scheduler.CREDIT_POOL;
    if (!version.atLeast(4, credit ? 2 : 8)) {
      throw ToolRefusals.noCommand(this, wanted.scheduler());
    }
    Duration ratelimit = wanted.get(PoolWide.RATELIMIT);
    if (ratelimit.isZero() && !version.atLeast(4, 8)) {
      throw SettingRanges.refusal(
          pool, "ratelimit none", "needs Xen 4.8, and this is Xen " + version);
    }
    long micros = ratelimit.toNanos() / NANOS_A_MICRO;
    List<String> start =
        List.of(credit ? "sched-credit" : "sched-credit2", "-s", "-p", pool.pool());
    if (!credit) {
      return join(start, "-r", micros);
    }
    List<String> words =
        join(start, "-t", millis(pool, "timeslice", wanted.get(PoolWide.TIMESLICE)), "-r", micros);
    Duration delay = wanted.get(PoolWide.MIGRATION_DELAY);
    if (version.atLeast(4, 11)) {
      return join(words, "-m", delay.toNanos() / NANOS_A_MICRO);
    }
    if (!delay.isZero()) {
      throw SettingRanges.refusal(
          pool,
          "migration-delay " + DurationText.micros(delay),
          "needs Xen 4.11, and this is Xen " + version);
    }
    return words;
  }

  @Override
  public boolean setsPlaces() {
    return version.atLeast(4, 5);
  }

  @Override
  public List<List<String>> setPlace(String target, SchedulerParameters wanted) {
    if (!setsPlaces()) {
      return Dialect.super.setPlace(target, wanted);
    }
    int vcpus = Placement.listed(wanted);
    List<String> hard = Pinning.each(wanted.get(Placement.AFFINITY), vcpus);
    List<String> soft = Pinning.each(wanted.get(Placement.SOFT_AFFINITY), vcpus);
    List<List<String>> commands = new ArrayList<>();
    int online = wanted.get(Placement.VCPUS);
    if (!Placement.VCPUS.kind().isAsFound(online)) {
      commands.add(join(List.of(VCPU_SET, target), online));
    }
    boolean placed = wanted.leftAsFound().containsAll(List.of("affinity", "soft-affinity"));
    for (int vcpu = 0; vcpu < (placed ? 0 : vcpus); vcpu++) {
      List<String> words =
          join(
              List.of("vcpu-pin", target),
              vcpus == 1 ? "all" : vcpu,
              hard.get(vcpu).isEmpty() ? "-" : hard.get(vcpu));
      commands.add(soft.get(vcpu).isEmpty() ? words : join(words, soft.get(vcpu)));
    }
    return List.copyOf(commands);
  }

  @Override
  public boolean splits() {
    return version.atLeast(4, 6);
  }

  /** With a weight, xl sends period and slice 0; with a period or slice, it sends weight 0. */
  private static List<String> sedf(List<String> start, Domain domain, SchedulerParameters sedf) {
    long latency = millis(domain, "latency", sedf.get(Sedf.LATENCY));
    if (SettingRanges.isBestEffort(sedf)) {
      return join(start, "-w", 1, "-e", 1, "-l", latency);
    }
    if (sedf.get(Sedf.WEIGHT) > 0) {
      if (sedf.get(Sedf.EXTRATIME)) {
        throw SettingRanges.refusal(
            domain,
            "weight " + sedf.get(Sedf.WEIGHT),
            "cannot be combined with extratime under xl, which would then weight only spare time"
                + " and cannot read that back; set extratime: false");
      }
      return join(start, "-w", sedf.get(Sedf.WEIGHT), "-e", 0, "-l", latency);
    }
    return join(
        start,
        "-p",
        millis(domain, "period", sedf.get(Sedf.PERIOD)),
        "-s",
        millis(domain, "slice", sedf.get(Sedf.SLICE)),
        "-l",
        latency,
        "-e",
        sedf.get(Sedf.EXTRATIME) ? 1 : 0);
  }

  private static long millis(Target domain, String what, Duration time) {
    long millis = time.toMillis();
    if (!Duration.ofMillis(millis).equals(time)) {
      throw SettingRanges.refusal(
          domain,
          what + " " + DurationText.micros(time),
          "is finer than the whole milliseconds that xl accepts");
    }
    if (millis > LONGEST_SEDF_MILLIS) {
      throw SettingRanges.refusal(
          domain,
          what + " " + millis + "ms",
          "is more than the " + LONGEST_SEDF_MILLIS + "ms that xl can pass on");
    }
    return millis;
  }

  private static List<String> join(List<String> start, Object... more) {
    List<String> words = new ArrayList<>(start);
    for (Object word : more) {
      words.add(String.valueOf(word));
    }
    return List.copyOf(words);
  }

  @Override
  public Duration timeStep(Scheduler scheduler) {
    return scheduler == Scheduler.SEDF ? STEP : Duration.ZERO;
  }
}
