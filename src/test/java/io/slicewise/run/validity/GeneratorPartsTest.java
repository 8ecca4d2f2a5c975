package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.run.validity.TrialFacts.Conduct;
import io.slicewise.run.validity.TrialFacts.Part;
import io.slicewise.run.validity.TrialFacts.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules for each of several generators: their clocks, and how unequal they may be. */
class GeneratorPartsTest {
  private static final ClockOffset EXACT =
      new ClockOffset(Duration.ofMillis(3), Duration.ofNanos(140_000));

  @Test
  void aClockThatIsFiveSecondsWrongBreaksNoRuleBecauseItIsMeasured() {
    assertThat(findings(clock(5_000, 0.14, 0))).isEmpty();
  }

  @Test
  void aClockThatIsSetInTheWindowExcludesTheTrial() {
    assertThat(findings(clock(0, 0.14, -400)))
        .containsExactly(
            "excluded: the clock of generator gen2 was set by -400 ms during the window (limit 100"
                + " ms)");
    assertThat(findings(clock(0, 0.14, 100))).isEmpty();
    assertThat(findings(clock(0, 0.14, 101)))
        .containsExactly(
            "excluded: the clock of generator gen2 was set by +101 ms during the window (limit 100"
                + " ms)");
  }

  @Test
  void whatTheLongRoundTripMayHideIsNoStep() {
    assertThat(findings(clock(0, 50, 140)))
        .noneMatch(finding -> finding.startsWith("excluded"))
        .isEmpty();
  }

  @Test
  void aClockThatDriftsWarns() {
    assertThat(findings(clock(0, 0.14, 99)))
        .as("a window of 60 s allows 120 ms, and a step shows before")
        .isEmpty();
    assertThat(findings(clock(0, 0.14, 30), Duration.ofSeconds(10)))
        .containsExactly(
            "warning: the clock of generator gen2 drifted by +30.0 ms during the window");
  }

  @Test
  void aDoubtfulClockWarns() {
    assertThat(findings(clock(0, 101.7, 0), Duration.ofSeconds(10)))
        .containsExactly(
            "warning: the clock of generator gen2 is known only to ±101.7 ms, more than 1 % of the"
                + " window");
    assertThat(findings(clock(0, 101.7, 0))).isEmpty();
  }

  @Test
  void aGeneratorWhoseUsersAreMuchSlowerWarns() {
    assertThat(findings(new Part(EXACT, 8, 390, 100)))
        .containsExactly(
            "warning: gen2: its users made 48.8 requests each, those of the other generators 100.0"
                + " (median)");
    assertThat(findings(new Part(EXACT, 8, 800, 201)))
        .containsExactly(
            "warning: gen2: its users waited 201 ms (median), those of the other generators 100"
                + " ms");
    assertThat(findings(new Part(EXACT, 8, 400, 200))).isEmpty();
    assertThat(findings(new Part(EXACT, 8, 800, Double.NaN))).as("too few samples").isEmpty();
  }

  private static Part clock(double aheadMillis, double boundMillis, double driftMillis) {
    return new Part(
        new ClockOffset(nanos(aheadMillis), nanos(boundMillis), nanos(driftMillis)), 8, 800, 100);
  }

  private static Duration nanos(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static List<String> findings(Part second) {
    return findings(second, Duration.ofSeconds(60));
  }

  /** Of three generators, the second is the given one. */
  private static List<String> findings(Part second, Duration length) {
    Instant start = Instant.parse("2026-11-20T21:00:00Z");
    Window window = new Window(start, start.plus(length));
    Map<String, Part> parts = new LinkedHashMap<>();
    parts.put("gen1", new Part(EXACT, 9, 900, 100));
    parts.put("gen2", second);
    parts.put("gen3", new Part(EXACT, 8, 800, 100));
    TrialFacts facts =
        new TrialFacts(
            25,
            Duration.ofSeconds(30),
            window,
            Optional.empty(),
            new TrialFacts.Host(
                HypervisorShares.observation(
                    new MonitorResult("xenmon", window, List.of(), List.of(), List.of())),
                4,
                Set.of()),
            new TrialFacts.Generators(
                Map.of("gen1", new GeneratorHealth(6, 0.1, 10, 5, 1, 0.2, 4, Double.NaN)), parts),
            Settings.NONE,
            Conduct.UNKNOWN,
            TrialFacts.ThisMachine.UNKNOWN);
    return GeneratorRules.judge(facts, ValidityLimits.DEFAULT).stream()
        .map(found -> (found.excludes() ? "excluded: " : "warning: ") + found.message())
        .toList();
  }
}
