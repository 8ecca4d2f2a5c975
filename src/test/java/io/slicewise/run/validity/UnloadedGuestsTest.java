package io.slicewise.run.validity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A guest that exists and is not loaded counts as absent only if it is seen to be idle. */
class UnloadedGuestsTest {
  private static List<String> judge(List<DomainShares> shares, String... unloaded) {
    Window window = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(20));
    Judgement judgement =
        Physics.judge(
            new TrialFacts(
                0,
                Duration.ofSeconds(5),
                window,
                Optional.empty(),
                new TrialFacts.Host(
                    HypervisorShares.observation(
                        new MonitorResult("xenalyze", window, shares, List.of(), List.of())),
                    4,
                    Set.of()),
                TrialFacts.Generators.NONE,
                TrialFacts.Settings.NONE,
                new TrialFacts.Conduct(
                    Duration.ZERO,
                    List.of(),
                    List.of(),
                    Map.of(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    Set.of(unloaded)),
                TrialFacts.ThisMachine.UNKNOWN),
            ValidityLimits.DEFAULT);
    return MachineRulesTest.said(judgement, Rule.UNLOADED);
  }

  private static DomainShares guest(String name, double run) {
    return new DomainShares(name, 3, 1, run, 0, 1 - run, "");
  }

  @Test
  void excludesATrialBesideABusyGuest() {
    assertThat(judge(List.of(guest("web-5", 0.12)), "web-5"))
        .singleElement()
        .asString()
        .contains("excludes", "web-5 ran 12.0 % of its vCPU time without a load (limit 2 %)");
  }

  @Test
  void countsAnIdleOneAndOneThatIsShutDown() {
    assertThat(judge(List.of(guest("web-5", 0.01)), "web-5", "web-6")).isEmpty();
    assertThat(judge(List.of(guest("web-5", 0.5)))).isEmpty();
  }

  @Test
  void needsAMonitor() {
    assertThat(judge(List.of(), "web-6", "web-5"))
        .singleElement()
        .asString()
        .contains("excludes", "no monitor shows whether web-5, web-6 were idle");
    assertThat(judge(List.of())).isEmpty();
  }
}
