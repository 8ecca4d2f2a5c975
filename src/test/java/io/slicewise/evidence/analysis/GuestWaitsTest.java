package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.units.Window;
import io.slicewise.evidence.runs.Causes.GuestWaits;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Counted;
import io.slicewise.observe.MachineCounters.ProbeTiming;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a guest calls stolen is compared with what the hypervisor's monitor calls waiting. */
class GuestWaitsTest {
  private static final Window WINDOW = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(10));

  private static TrialResult trial(double wait, Tier tier, double steal) {
    MachineCounters machine =
        new MachineCounters(
            tier,
            1,
            10,
            new Counted(
                Map.of("user", 5.0, "idle", 5 - steal, "steal", steal),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of()),
            ProbeTiming.UNKNOWN,
            List.of(),
            false);
    return new TrialResult(
        new Trial(1, 1, "as-found", Load.of(1), 1),
        new TrialTimes(WINDOW, WINDOW, Map.of()),
        TrialHost.of(1, Map.of()),
        TrialLoad.NONE,
        List.of(
            HypervisorShares.observation(
                new MonitorResult(
                    "xenalyze",
                    WINDOW,
                    List.of(new DomainShares("db", 1, 1, 0.5, wait, 0.5 - wait, "")),
                    List.of(),
                    List.of())),
            new Observation(
                Machines.TOPIC,
                "proc",
                WINDOW,
                List.of(),
                List.of(),
                Map.of("db", machine),
                List.of())));
  }

  @Test
  void agreesDiffersOrIsNotCounted() {
    assertThat(GuestWaits.of(List.of(trial(0.11, Tier.GUEST, 1.0), trial(0.12, Tier.GUEST, 1.2))))
        .containsExactly("steal in db agrees with the hypervisor's wait (11.0 % and 11.5 %)");
    assertThat(GuestWaits.of(List.of(trial(0.02, Tier.GUEST, 1.0))))
        .containsExactly("steal in db differs from the hypervisor's wait (10.0 % and 2.0 %)");
    assertThat(GuestWaits.of(List.of(trial(0.05, Tier.GUEST, 0))))
        .containsExactly(
            "steal in db is not counted by its kernel, so it cannot be compared with the"
                + " hypervisor's wait (0.0 % and 5.0 %)");
  }

  @Test
  void saysNothingOfAMachineThatIsNoGuestOrHasNoKnownWait() {
    assertThat(GuestWaits.of(List.of(trial(0.11, Tier.DOM0, 1.0)))).isEmpty();
    assertThat(GuestWaits.of(List.of(trial(Double.NaN, Tier.GUEST, 1.0)))).isEmpty();
  }
}
