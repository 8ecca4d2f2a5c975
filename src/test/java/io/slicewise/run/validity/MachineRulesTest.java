package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Counted;
import io.slicewise.observe.MachineCounters.ProbeTiming;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Protects the rules for what machines' own kernels count, and for a fixed amount of work. */
class MachineRulesTest {
  private static final Instant START = Instant.parse("2026-11-20T21:00:00Z");
  private static final double SECTORS_PER_MB = 1e6 / 512;

  /** A machine of two CPUs in a window of 60 s; times that a test does not choose are idle. */
  private static MachineCounters machine(
      Tier tier,
      Map<String, Double> cpu,
      double majorFaults,
      Map<String, Double> disks,
      Map<String, Double> backends,
      boolean rebooted) {
    Map<String, Double> states = new HashMap<>(cpu);
    states.computeIfAbsent(
        "idle", idle -> 120 - cpu.values().stream().mapToDouble(Double::doubleValue).sum());
    return new MachineCounters(
        tier,
        2,
        rebooted ? 0 : 60,
        new Counted(
            states,
            Map.of("pgmajfault", majorFaults),
            Map.of(),
            Map.of(),
            Map.of(),
            reading(disks),
            reading(backends)),
        ProbeTiming.UNKNOWN,
        List.of(),
        rebooted);
  }

  private static Map<String, DiskCounters> reading(Map<String, Double> megabytes) {
    Map<String, DiskCounters> disks = new HashMap<>();
    megabytes.forEach(
        (name, read) ->
            disks.put(
                name,
                new DiskCounters(
                    Map.of(
                        DiskCounters.SECTORS_READ,
                        read * SECTORS_PER_MB,
                        DiskCounters.SECTORS_WRITTEN,
                        0.0))));
    return disks;
  }

  private static MachineCounters guest(Map<String, Double> cpu) {
    return machine(Tier.GUEST, cpu, 0, Map.of(), Map.of(), false);
  }

  private static MachineCounters reads(Tier tier, double megabytes) {
    return machine(tier, Map.of(), 0, Map.of("xvda", megabytes), Map.of(), false);
  }

  private static Judgement judge(
      Map<String, MachineCounters> machines,
      List<String> needed,
      Optional<TrialFacts.Work> work,
      double waiting,
      String monitor,
      int seconds) {
    return judge(
        machines,
        needed,
        work,
        new DomainShares("db", 1, 2, 0.3, waiting, 0.7 - waiting, ""),
        monitor,
        seconds);
  }

  private static Judgement judge(
      Map<String, MachineCounters> machines,
      List<String> needed,
      Optional<TrialFacts.Work> work,
      DomainShares db,
      String monitor,
      int seconds) {
    Window window = new Window(START, START.plusSeconds(seconds));
    return Physics.judge(
        new TrialFacts(
            0,
            Duration.ZERO,
            window,
            Optional.empty(),
            new TrialFacts.Host(
                HypervisorShares.observation(
                    new MonitorResult(monitor, window, List.of(db), List.of(), List.of())),
                4,
                Set.of()),
            TrialFacts.Generators.NONE,
            TrialFacts.Settings.NONE,
            new TrialFacts.Conduct(
                Duration.ZERO, List.of(), List.of(), machines, needed, work, List.of(), Set.of()),
            TrialFacts.ThisMachine.UNKNOWN),
        ValidityLimits.DEFAULT);
  }

  static List<String> said(Judgement judgement, Rule rule) {
    return judgement.findings().stream()
        .filter(finding -> finding.rule() == rule)
        .map(finding -> (finding.excludes() ? "excludes: " : "warns: ") + finding.message())
        .toList();
  }

  static Judgement of(Map<String, MachineCounters> machines) {
    return judge(machines, List.of(), Optional.empty(), 0.1, "xenalyze", 60);
  }

  @Test
  void aGuestThatRebootedExcludesTheTrialOnce() {
    Judgement judgement =
        judge(
            Map.of("db", machine(Tier.GUEST, Map.of(), 0, Map.of(), Map.of(), true)),
            List.of("db"),
            Optional.empty(),
            0.1,
            "xenalyze",
            60);
    assertThat(judgement.findings()).hasSize(1);
    assertThat(said(judgement, Rule.GUEST_REBOOTED))
        .containsExactly("excludes: db rebooted in the measured window");
  }

  @Test
  void aMachineThatWasNotReadExcludesOnlyWhereItIsNeeded() {
    Map<String, MachineCounters> unread = Map.of("db", MachineCounters.unread(Tier.GUEST));
    assertThat(of(unread).findings()).isEmpty();
    for (Map<String, MachineCounters> machines :
        List.of(unread, Map.<String, MachineCounters>of())) {
      assertThat(
              said(
                  judge(machines, List.of("db"), Optional.empty(), 0.1, "xenalyze", 60),
                  Rule.NEEDED))
          .containsExactly("excludes: db was not read, and the experiment needs it");
    }
  }

  @Test
  void whatACapParksIsStolenTimeAsWell() {
    Map<String, MachineCounters> capped = Map.of("db", guest(Map.of("user", 30.0, "steal", 48.0)));
    DomainShares db =
        new DomainShares("db", 1, 2, 0.3, 0.1, 0.6, "")
            .with(List.of(Reading.share(HypervisorShares.PARKED, 0.3)));
    assertThat(judge(capped, List.of(), Optional.empty(), db, "xenalyze", 60).findings()).isEmpty();
    assertThat(said(of(capped), Rule.STEAL_WAIT)).hasSize(1);
  }

  @Test
  void stolenTimeIsTheHypervisorsWaitWithinTwoPoints() {
    assertThat(of(Map.of("db", guest(Map.of("user", 30.0, "steal", 14.0)))).findings()).isEmpty();
    assertThat(said(of(Map.of("db", guest(Map.of("user", 30.0, "steal", 15.0)))), Rule.STEAL_WAIT))
        .containsExactly("warns: db counts 12.5 % stolen, and xenalyze saw it wait 10.0 %");
    Map<String, MachineCounters> uncounted =
        Map.of("db", guest(Map.of("user", 30.0, "steal", 0.0)));
    assertThat(said(of(uncounted), Rule.STEAL_WAIT))
        .containsExactly("warns: db counts no stolen time, and xenalyze saw it wait 10.0 %");
    assertThat(judge(uncounted, List.of(), Optional.empty(), 0.1, "xenmon", 60).findings())
        .isEmpty();
  }

  @Test
  void aGuestsBytesAreItsBackendsWithinOnePercent() {
    MachineCounters db = reads(Tier.GUEST, 100);
    assertThat(of(Map.of("db", db, "Domain-0", serving(100.9, 120))).findings()).isEmpty();
    assertThat(said(of(Map.of("db", db, "Domain-0", serving(103, 120))), Rule.PASSES))
        .containsExactly(
            "warns: db/xvda read 100.0 MB by the guest's count and 103.0 MB by its backend's");
  }

  /** A dom0 that buffers serves more than it reads, and only then. */
  @Test
  void disksThatReadLessThanTheyServeAreBuffered() {
    assertThat(of(Map.of("Domain-0", serving(100, 99.5))).findings()).isEmpty();
    assertThat(said(of(Map.of("Domain-0", serving(100, 40))), Rule.PASSES))
        .containsExactly("warns: Domain-0 served 100.0 MB and read 40.0 MB of its disks");
  }

  private static MachineCounters serving(double served, double disk) {
    return machine(
        Tier.DOM0,
        Map.of(),
        0,
        Map.of("sda", disk, "loop0", disk),
        Map.of("db/xvda", served),
        false);
  }

  @Test
  void theStatesOfCpusAddUpToTheirTime() {
    assertThat(
            of(Map.of("db", guest(Map.of("user", 30.0, "steal", 12.0, "idle", 79.1)))).findings())
        .isEmpty();
    assertThat(
            said(
                of(Map.of("db", guest(Map.of("user", 30.0, "steal", 12.0, "idle", 70.0)))),
                Rule.CPU_TIME))
        .containsExactly(
            "warns: db counts 112.0 s of CPU time by state, and its 2 CPUs had 120.0 s");
  }

  private static Judgement work(
      String state, MachineCounters machine, double neededMegabytes, int seconds) {
    return judge(
        Map.of("db", machine),
        List.of(),
        Optional.of(
            new TrialFacts.Work(Duration.ofMinutes(2), state, "db", 5, neededMegabytes * 1e6)),
        0,
        "none",
        seconds);
  }

  @Test
  void workThatDoesNotEndInTimeOrIsShortAgainstATickIsSaid() {
    MachineCounters idle = guest(Map.of());
    assertThat(said(work("", idle, Double.NaN, 60), Rule.WINDOW)).isEmpty();
    assertThat(said(work("", idle, Double.NaN, 120), Rule.WINDOW))
        .containsExactly("excludes: the work did not end within 2m");
    assertThat(said(work("", idle, Double.NaN, 2), Rule.WINDOW))
        .containsExactly("warns: the work took 2.00 s, of which a kernel's tick of 10 ms is 0.5 %");
  }

  @Test
  void warmWorkNeitherReadsNorFaults() {
    assertThat(said(work("warm", reads(Tier.GUEST, 4.9), Double.NaN, 60), Rule.NOT_WARM)).isEmpty();
    assertThat(said(work("warm", reads(Tier.GUEST, 5.5), Double.NaN, 60), Rule.NOT_WARM))
        .containsExactly("excludes: db read 1.1 MB of disk an execution and had 0 major faults");
    assertThat(
            said(
                work(
                    "warm",
                    machine(Tier.GUEST, Map.of(), 1, Map.of(), Map.of(), false),
                    Double.NaN,
                    60),
                Rule.NOT_WARM))
        .containsExactly("excludes: db read 0.0 MB of disk an execution and had 1 major faults");
    assertThat(said(work("warm", MachineCounters.unread(Tier.GUEST), 1, 60), Rule.NOT_WARM))
        .containsExactly("warns: it is unknown whether db was warm");
  }

  @Test
  void coldWorkReadsFromDiskWhatItsDatabaseReads() {
    assertThat(said(work("cold", reads(Tier.GUEST, 480), 100, 60), Rule.NOT_COLD)).isEmpty();
    assertThat(said(work("cold", reads(Tier.GUEST, 470), 100, 60), Rule.NOT_COLD))
        .containsExactly(
            "excludes: db read 94.0 MB of disk an execution, and its database 100.0 MB");
    assertThat(said(work("cold", reads(Tier.GUEST, 470), Double.NaN, 60), Rule.NOT_COLD))
        .containsExactly("warns: it is unknown whether db was cold");
  }
}
