package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.host.HostState.Disturbance;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorHealth.Arrivals;
import io.slicewise.load.generator.GeneratorHealth.Passes;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.run.validity.TrialFacts.Cycle;
import io.slicewise.run.validity.TrialFacts.Load;
import io.slicewise.run.validity.TrialFacts.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Protects: every rule of a trial's physics fires beyond its limit, names it, and not before. */
class PhysicsTest {
  private static final Instant START = Instant.parse("2026-11-20T21:00:00Z");
  private static final Window WINDOW = new Window(START, START.plusSeconds(60));
  private static final DomainShares WEB = new DomainShares("web", 1, 2, 0.5, 0.2, 0.3, "");
  private static final Load LOAD = load(6000, 0, 100, 250, 0, List.of());
  private static final GeneratorHealth WELL =
      new GeneratorHealth(6, 0.1, 10, 5, 1, 0.2, 4, Double.NaN);

  @Test
  void soundTrialBreaksNoRule() {
    Judgement judgement = judge(facts(LOAD, WEB));
    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.valid()).isTrue();
  }

  @Test
  void aMachineThatIsBusyWithOtherWorkExcludesAndSoDoesABusyGeneratorInAContainer() {
    assertThat(generatorReasons(new GeneratorHealth(3, 0.05, 10, 5, 1, 0.9, 4, 0.81)))
        .containsExactly(
            "the generator's machine was 81 % busy (limit 80 %), 5 % with the generator itself");
    assertThat(generatorReasons(new GeneratorHealth(3, 0.05, 10, 5, 1, 0.9, 4, 0.8))).isEmpty();
    assertThat(generatorReasons(new GeneratorHealth(50, 0.9, 10, 5, 1, 0.9, 4, 0.3)))
        .containsExactly(
            "the generator's machine was 90 % busy (limit 80 %), 90 % with the generator itself");
  }

  @Test
  void ofSeveralGeneratorsTheFindingNamesItsOwn() {
    TrialFacts facts = facts(LOAD, WEB);
    GeneratorHealth busy = new GeneratorHealth(50, 0.9, 10, 5, 1, 0.9, 4, 0.3);
    assertThat(judge(with(facts, Map.of("east", WELL, "west", busy))).reasons())
        .containsExactly(
            "west: the generator's machine was 90 % busy (limit 80 %), 90 % with the generator"
                + " itself");
  }

  private static List<String> generatorReasons(GeneratorHealth health) {
    return judge(with(facts(LOAD, WEB), Map.of("local", health))).reasons();
  }

  private static TrialFacts with(TrialFacts facts, Map<String, GeneratorHealth> generators) {
    return new TrialFacts(
        facts.users(),
        facts.warmUp(),
        facts.window(),
        facts.load(),
        facts.host(),
        new TrialFacts.Generators(generators, Map.of()),
        facts.settings(),
        TrialFacts.Conduct.UNKNOWN,
        TrialFacts.ThisMachine.UNKNOWN);
  }

  @Test
  void aLateLabIsInDoubtAndBeyondItsLimitExcluded() {
    assertThat(late(2).findings()).isEmpty();
    assertThat(late(2.1).warnings())
        .containsExactly(
            "the lab was late by 2.1 ms (p99); above 2 ms its response times are doubtful");
    assertThat(late(20).valid()).isTrue();
    assertThat(late(118).reasons())
        .containsExactly("the lab was late by 118.0 ms (p99, limit 20.0 ms)");
  }

  @Test
  void otherProgramsOnThisMachineExcludeAboveTheirLimit() {
    assertThat(on(new TrialFacts.ThisMachine(Double.NaN, 0.25)).findings()).isEmpty();
    assertThat(on(new TrialFacts.ThisMachine(Double.NaN, 0.46)).reasons())
        .containsExactly("other programs used 46 % of this machine's CPU (limit 25 %)");
  }

  private static Judgement late(double millis) {
    return on(new TrialFacts.ThisMachine(millis, Double.NaN));
  }

  private static Judgement on(TrialFacts.ThisMachine machine) {
    TrialFacts facts = facts(LOAD, WEB);
    return judge(
        new TrialFacts(
            facts.users(),
            facts.warmUp(),
            facts.window(),
            facts.load(),
            facts.host(),
            facts.generators(),
            facts.settings(),
            facts.conduct(),
            machine));
  }

  @Test
  void littlesLawNamesWhatWasMeasuredAndAsked() {
    Judgement judgement = judge(facts(load(7654, 0, 127.57, 220.30, 0, List.of()), WEB));
    assertThat(judgement.reasons())
        .containsExactly(
            "Little's law is off by +12.4 % (limit 5 %): 127.57/s x 220.30 ms = 28.1 active users,"
                + " 25 were requested");
  }

  @Test
  void thinkTimeBelongsToLittlesLaw() {
    assertThat(judge(facts(load(600, 0, 10, 500, 2000, List.of()), WEB)).valid()).isTrue();
    assertThat(judge(facts(load(600, 0, 10, 500, 0, List.of()), WEB)).valid()).isFalse();
  }

  @Test
  void openLoadIsNotHeldAgainstLittlesLaw() {
    assertThat(judge(facts(load(600, 0, 10, 500, Double.NaN, List.of()), WEB)).valid()).isTrue();
  }

  @Test
  void timesOfAMillisecondAreNotBlamedForTheirResolution() {
    assertThat(judge(facts(load(600_000, 0, 10_000, 1.6, 0, List.of()), WEB)).valid()).isTrue();
  }

  /** 42.49 requests a second of 253.52 ms, which is 7.7 % too much for ten users, in 2 s. */
  @Test
  void requestsThatCrossTheEndsOfAWindowAreNoViolation() {
    assertThat(LittlesLaw.judge(10, cycle(), 2, 0.05)).isEmpty();
    assertThat(LittlesLaw.judge(10, cycle(), 4, 0.05)).isPresent();
  }

  private static TrialFacts.Cycle cycle() {
    return new TrialFacts.Cycle(42.49, 253.52, 0);
  }

  @Test
  void shortWindowWarnsInsteadOfExcluding() {
    Judgement judgement = judge(facts(load(300, 0, 5, 4000, 0, List.of()), WEB));
    assertThat(judgement.valid()).isTrue();
    assertThat(judgement.warnings())
        .singleElement()
        .asString()
        .contains("spans only 15.0 request cycles");
  }

  @Test
  void errorsBeyondTheLimitExclude() {
    assertThat(judge(facts(load(6000, 30, 100, 250, 0, List.of()), WEB)).valid()).isTrue();
    assertThat(judge(facts(load(6000, 186, 100, 250, 0, List.of()), WEB)).reasons())
        .containsExactly("errors 3.10 % > 0.50 % (186 of 6000 samples)");
  }

  @Test
  void noSampleIsAReasonAndTheOnlyOne() {
    assertThat(judge(facts(load(0, 0, 0, Double.NaN, 0, List.of()), WEB)).reasons())
        .containsExactly("no sample ended in the measured window");
  }

  @Test
  void sharesMustAddToTheWhole() {
    assertThat(reasons(new DomainShares("web", 1, 2, 0.4, 0.1, 0.519, ""))).isEmpty();
    assertThat(reasons(new DomainShares("web", 1, 2, 0.4, 0.1, 0.6, "")))
        .containsExactly("web: run + wait + blocked = 110.0 %, not 100 %");
    assertThat(reasons(new DomainShares("web", 1, 2, 0.8, 0.3, -0.1, "")))
        .containsExactly("web: a share is -10.0 %, below zero");
  }

  @Test
  void shareThatWasNotMeasuredBreaksNothing() {
    assertThat(reasons(new DomainShares("web", 1, 2, 0.4, Double.NaN, Double.NaN, "no waits")))
        .isEmpty();
  }

  @Test
  void domainsCannotRunOnMorePcpusThanThereAre() {
    assertThat(reasons(new DomainShares("web", 1, 8, 0.6, 0.1, 0.3, "")))
        .containsExactly("domains together ran on 4.80 of 4 pCPUs");
  }

  @Test
  void capIsHeldInPcpus() {
    DomainShares half = new DomainShares("web", 1, 2, 0.25, 0.5, 0.25, "");
    assertThat(capped(half, Credit.of(256, 50))).isEmpty();
    assertThat(capped(half, Credit.of(256, 0))).isEmpty();
    assertThat(capped(half, Credit.of(256, 25)))
        .containsExactly("web ran on 0.50 pCPUs, its settings allow 0.25");
  }

  @Test
  void sliceAndBudgetAreCeilingsWithoutExtraTime() {
    DomainShares half = new DomainShares("web", 1, 2, 0.25, 0.5, 0.25, "");
    Duration period = Duration.ofMillis(100);
    Duration slice = Duration.ofMillis(10);
    assertThat(capped(half, Sedf.of(period, slice, Duration.ZERO, false, 0))).isNotEmpty();
    assertThat(capped(half, Sedf.of(period, slice, Duration.ZERO, true, 0))).isEmpty();
    assertThat(capped(half, Rtds.of(period, slice, false)))
        .containsExactly("web ran on 0.50 pCPUs, its settings allow 0.20");
    assertThat(capped(half, Rtds.of(period, slice, true))).isEmpty();
  }

  @Test
  void servingDomainThatIsIdleUnderLoadExcludes() {
    assertThat(reasons(new DomainShares("web", 1, 2, 0.001, 0.0, 0.999, "")))
        .containsExactly("web ran 0.10 % of its vCPU time while it served 100.0 requests/s");
    assertThat(reasons(new DomainShares("mail", 2, 2, 0.001, 0.0, 0.999, ""))).isEmpty();
  }

  @Test
  void poorGeneratorExcludes() {
    assertThat(generator(new GeneratorHealth(50, 0.9, 10, 5, 1, 0.2, 4, Double.NaN)).reasons())
        .containsExactly(
            "the generator's machine was 90 % busy (limit 80 %), 90 % with the generator itself");
    assertThat(generator(new GeneratorHealth(6, 0.1, 10, 5, 35, 0.2, 4, Double.NaN)).reasons())
        .containsExactly("the generator's timers were late by 35.0 ms (p99, limit 20.0 ms)");
    assertThat(generator(new GeneratorHealth(6, 0.1, 1300, 5, 1, 0.2, 4, Double.NaN)).valid())
        .isFalse();
    assertThat(generator(new GeneratorHealth(6, 0.1, 300, 250, 1, 2.5, 4, Double.NaN)).warnings())
        .hasSize(2);
    double nan = Double.NaN;
    assertThat(
            generator(new GeneratorHealth(nan, nan, nan, nan, nan, nan, 4, Double.NaN)).findings())
        .isEmpty();
  }

  @Test
  void settingsReadBackMustBeThoseAskedFor() {
    Settings lost =
        new Settings(
            Map.of("web", Credit.of(512, 0)),
            Map.of("web", Credit.of(512, 0), "mail", Credit.of(256, 0)),
            Map.of("web", Credit.of(256, 0), "mail", Credit.of(300, 0)));
    assertThat(judge(facts(LOAD, lost, WELL, WEB)).reasons())
        .containsExactly(
            "web: asked weight 512 cap 0, read weight 256 cap 0 after the load",
            "mail: found weight 256 cap 0, read weight 300 cap 0 after the load");
  }

  @Test
  void aDomainThatWentAwayUnderLoadExcludes() {
    Map<String, SchedulerParameters> both =
        Map.of("web", Credit.of(512, 0), "mail", Credit.of(256, 0));
    Settings gone = new Settings(both, both, Map.of("web", Credit.of(512, 0)));
    assertThat(judge(facts(LOAD, gone, WELL, WEB)).reasons())
        .containsExactly("mail: not running after the load");
    Settings notRead = new Settings(both, both, Map.of());
    assertThat(judge(facts(LOAD, notRead, WELL, WEB)).valid()).isTrue();
  }

  @Test
  void rateThatStillClimbsIsToldNotExcluded() {
    List<Long> climbing = IntStream.range(0, 60).mapToObj(i -> 100L + 3L * i).toList();
    Judgement judgement = judge(facts(load(6000, 0, 100, 250, 0, climbing), WEB));
    assertThat(judgement.valid()).isTrue();
    assertThat(judgement.warnings())
        .singleElement()
        .asString()
        .startsWith("the rate is not steady");

    List<Long> level = Collections.nCopies(60, 100L);
    assertThat(judge(facts(load(6000, 0, 100, 250, 0, level), WEB)).findings()).isEmpty();
  }

  @Test
  void aRateThatSettlesLateIsToldWithTheWarmUpThatWouldDo() {
    List<Long> rates = IntStream.range(0, 60).mapToObj(s -> s < 15 ? 40L : 100L + s % 3).toList();
    Load load = load(6000, 0, 100, 250, 0, rates);
    assertThat(judge(facts(load, WEB)).warnings())
        .containsExactly(
            "the rate settles late in the window: 40.0/s in its first 15 s, 101.0/s after;"
                + " a warm-up of 35 s would be enough");
  }

  @Test
  void monitorThatCoversHalfTheWindowIsTold() {
    assertThat(judge(watched("xenmon", 30)).warnings())
        .containsExactly("xenmon covers 50 % of the measured window");
    assertThat(judge(watched("none", 0)).warnings()).as("no monitor").isEmpty();
  }

  @Test
  void aGuestThatJoinsExcludesAboveItsShareOfTheHost() {
    String sentence = "mail: joined cpupool Pool-0 while the trial ran";
    assertThat(joined(sentence, 0.19).warnings()).containsExactly(sentence);
    assertThat(joined(sentence, 0.32).reasons())
        .containsExactly(sentence + ", and used 8.0 % of the host's CPU in the window (limit 5 %)");
  }

  /** What a guest used that nobody measured is at most what its vCPUs can use. */
  @Test
  void aGuestWhoseUseIsNotKnownExcludesByWhatItCouldUse() {
    String sentence = "shop: left control group machine while the trial ran";
    assertThat(disturbed(new Disturbance("shop", 1, sentence), 0.32, 32).warnings())
        .containsExactly(sentence);
    assertThat(disturbed(new Disturbance("shop", 2, sentence), 0.32, 32).reasons())
        .containsExactly(
            sentence
                + ", and may have used up to 6.3 % of the host's CPU in the window (limit 5 %)");
  }

  /**
   * A service that came and went used no more than what ran outside of the guests in both readings.
   */
  @Test
  void aGuestThatCameRanNoMoreThanWhatRanOutsideOfThoseKnown() {
    Disturbance timer = new Disturbance("timer", 4, "timer: new in the window");
    DomainShares mail = new DomainShares("mail", 2, 1, 0.5, 0, 0.5, "");
    for (double outside : List.of(0.02, 0.08)) {
      DomainShares counted = mail.with(List.of(Reading.share("outside_run", outside)));
      assertThat(disturbed(timer, counted, 4).valid()).isEqualTo(outside < 0.05);
    }
    assertThat(disturbed(timer, mail, 4).valid()).isFalse();
  }

  private static Judgement joined(String sentence, double run) {
    return disturbed(new Disturbance("mail", 1, sentence), run, 4);
  }

  /** A trial in which the guest mail ran that share of one pCPU. */
  private static Judgement disturbed(Disturbance disturbance, double run, int pcpus) {
    return disturbed(disturbance, new DomainShares("mail", 2, 1, run, 0, 1 - run, ""), pcpus);
  }

  private static Judgement disturbed(Disturbance disturbance, DomainShares mail, int pcpus) {
    return judge(
        new TrialFacts(
            0,
            Duration.ZERO,
            WINDOW,
            Optional.empty(),
            new TrialFacts.Host(
                HypervisorShares.observation(
                    new MonitorResult("xenmon", WINDOW, List.of(mail), List.of(), List.of())),
                pcpus,
                Set.of()),
            TrialFacts.Generators.NONE,
            Settings.NONE,
            new TrialFacts.Conduct(Duration.ZERO, List.of(), List.of(disturbance)),
            TrialFacts.ThisMachine.UNKNOWN));
  }

  /** Xen takes a vCPU offline while its guest is paused, and while a cap parks it. */
  @Test
  void anUncappedGuestWhoseVcpusWereOfflineWasPaused() {
    assertThat(offline(Credit.of(256, 0), 0.02).reasons())
        .containsExactly(
            "web: its vCPUs were offline for 2.0 % of the window, and it has no cap (limit 1 %)");
    assertThat(offline(Credit.of(256, 0), 0.005).reasons()).isEmpty();
    assertThat(offline(Credit.of(256, 60), 0.3).reasons()).isEmpty();
  }

  @Test
  void arrivalsThatAreLateOrDroppedExclude() {
    assertThat(open(arrivals(6000, 0, 20)).findings()).isEmpty();
    assertThat(open(arrivals(6000, 30, 3)).findings()).isEmpty();
    assertThat(open(arrivals(5900, 100, 3)).reasons())
        .containsExactly(
            "100 of 6000 arrivals were dropped, 1.7 % (limit 0.5 %): no user was free for a"
                + " second");
    assertThat(open(arrivals(0, 300, Double.NaN)).reasons())
        .containsExactly(
            "300 of 300 arrivals were dropped, 100.0 % (limit 0.5 %): no user was free for a"
                + " second");
    assertThat(open(arrivals(6000, 0, 20.4)).reasons())
        .containsExactly("arrivals began late by 20.4 ms (p99, limit 20.0 ms)");
  }

  /** A pass may have several requests, so passes are compared with arrivals, not requests. */
  @Test
  void anOpenLoadWhoseTargetFallsBehindExcludes() {
    assertThat(open(passes(2000, 1880, 25)).findings()).isEmpty();
    assertThat(open(passes(2000, 1870, 25)).reasons())
        .containsExactly(
            "2000 arrivals began and 1870 passes ended in the window, 6.5 % fewer (limit 5 %),"
                + " which the 25 in flight at its beginning do not explain");
    assertThat(open(passes(2000, 2100, 125)).findings()).as("a queue that empties").isEmpty();
    assertThat(open(arrivals(9000, 0, 3)).findings()).as("passes of older runs").isEmpty();
  }

  private static Arrivals passes(long started, long ended, long before) {
    return new Arrivals(started, 0, 3, Optional.of(new Passes(ended, before)));
  }

  private static Arrivals arrivals(long started, long dropped, double lateMillis) {
    return new Arrivals(started, dropped, lateMillis, Optional.empty());
  }

  private static Judgement open(Arrivals arrivals) {
    TrialFacts facts = with(facts(LOAD, WEB), Map.of("local", WELL.with(Optional.of(arrivals))));
    return judge(
        new TrialFacts(
            0,
            facts.warmUp(),
            facts.window(),
            facts.load(),
            facts.host(),
            facts.generators(),
            facts.settings(),
            facts.conduct(),
            facts.machine()));
  }

  private static Judgement offline(SchedulerParameters settings, double share) {
    DomainShares web =
        new DomainShares("web", 1, 1, 0.5, 0.1, 0.4, "")
            .with(List.of(Reading.share(HypervisorShares.PARKED, share)));
    Map<String, SchedulerParameters> applied = Map.of("web", settings);
    return judge(
        new TrialFacts(
            0,
            Duration.ZERO,
            WINDOW,
            Optional.empty(),
            new TrialFacts.Host(
                HypervisorShares.observation(
                    new MonitorResult("xenalyze", WINDOW, List.of(web), List.of(), List.of())),
                4,
                Set.of()),
            TrialFacts.Generators.NONE,
            new Settings(applied, applied, applied),
            TrialFacts.Conduct.UNKNOWN,
            TrialFacts.ThisMachine.UNKNOWN));
  }

  @Test
  void aRecordMissingAtTheEdgeOfAShortWindowIsNoFinding() {
    Window window = new Window(START, START.plusSeconds(4));
    MonitorResult three =
        new MonitorResult(
            "xenmon", new Window(START, START.plusSeconds(3)), List.of(WEB), List.of(), List.of());
    TrialFacts facts =
        new TrialFacts(
            0,
            Duration.ZERO,
            window,
            Optional.empty(),
            new TrialFacts.Host(HypervisorShares.observation(three), 4, Set.of()),
            TrialFacts.Generators.NONE,
            Settings.NONE,
            TrialFacts.Conduct.UNKNOWN,
            TrialFacts.ThisMachine.UNKNOWN);
    assertThat(judge(facts).findings()).isEmpty();
  }

  private static TrialFacts watched(String monitor, int seconds) {
    return new TrialFacts(
        0,
        Duration.ZERO,
        WINDOW,
        Optional.empty(),
        new TrialFacts.Host(
            HypervisorShares.observation(
                new MonitorResult(
                    monitor,
                    new Window(START, START.plusSeconds(seconds)),
                    List.of(WEB),
                    List.of(),
                    List.of())),
            4,
            Set.of()),
        TrialFacts.Generators.NONE,
        Settings.NONE,
        TrialFacts.Conduct.UNKNOWN,
        TrialFacts.ThisMachine.UNKNOWN);
  }

  @Test
  void aWindowMuchLongerThanPlannedExcludes() {
    assertThat(conducted(25, 32.9).reasons())
        .containsExactly("the window lasted 32.9 s instead of 25.0 s (7.9 s off > 1.0 s)");
    assertThat(conducted(1, 30.2).reasons()).hasSize(1);
    assertThat(conducted(180, 176).reasons()).hasSize(1);
  }

  @Test
  void aWindowAsLongAsClocksAndBusyMachinesMakeItCounts() {
    assertThat(conducted(25, 25.9).findings()).isEmpty();
    assertThat(conducted(180, 183.5).findings()).isEmpty();
    assertThat(conducted(0, 60).findings()).isEmpty(); // not planned, as of an imported trial
  }

  private static Judgement conducted(long planned, double real) {
    Window window = new Window(START, START.plusMillis(Math.round(1000 * real)));
    return judge(
        new TrialFacts(
            0,
            Duration.ZERO,
            window,
            Optional.empty(),
            new TrialFacts.Host(
                HypervisorShares.observation(
                    new MonitorResult("xenmon", window, List.of(), List.of(), List.of())),
                4,
                Set.of()),
            TrialFacts.Generators.NONE,
            Settings.NONE,
            new TrialFacts.Conduct(Duration.ofSeconds(planned), List.of(), List.of()),
            TrialFacts.ThisMachine.UNKNOWN));
  }

  /** A load whose requests are all counted. */
  private static Load load(
      long samples,
      long failed,
      double throughput,
      double meanMillis,
      double thinkMillis,
      List<Long> perSecond) {
    return new Load(
        samples, failed, throughput, new Cycle(throughput, meanMillis, thinkMillis), perSecond);
  }

  private static Judgement judge(TrialFacts facts) {
    return Physics.judge(facts, ValidityLimits.DEFAULT);
  }

  private static List<String> reasons(DomainShares shares) {
    return judge(facts(LOAD, shares)).reasons();
  }

  private static List<String> capped(DomainShares shares, SchedulerParameters applied) {
    Settings settings =
        new Settings(Map.of("web", applied), Map.of("web", applied), Map.of("web", applied));
    return judge(facts(LOAD, settings, WELL, shares)).reasons();
  }

  private static Judgement generator(GeneratorHealth health) {
    return judge(facts(LOAD, Settings.NONE, health, WEB));
  }

  private static TrialFacts facts(Load load, DomainShares... shares) {
    return facts(load, Settings.NONE, WELL, shares);
  }

  private static TrialFacts facts(
      Load load, Settings settings, GeneratorHealth health, DomainShares... shares) {
    return new TrialFacts(
        25,
        Duration.ofSeconds(20),
        WINDOW,
        Optional.of(load),
        new TrialFacts.Host(
            HypervisorShares.observation(
                new MonitorResult("xenmon", WINDOW, List.of(shares), List.of(), List.of())),
            4,
            Set.of("web")),
        new TrialFacts.Generators(Map.of("local", health), Map.of()),
        settings,
        TrialFacts.Conduct.UNKNOWN,
        TrialFacts.ThisMachine.UNKNOWN);
  }
}
