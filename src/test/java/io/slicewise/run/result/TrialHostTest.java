package io.slicewise.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.GuestId;
import io.slicewise.host.HostState;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Models count the pCPUs that guests may use, and not those of their host. */
class TrialHostTest {
  private static final SchedulerParameters FREE = SchedulerParameters.defaults(Scheduler.FAIR);

  @Test
  void guestsThatAreConfinedHaveThePcpusOfTheirSettingsAlone() {
    TrialHost host =
        TrialHost.of(
            8,
            Map.of(
                "web", FREE.with(Fair.CPUS, "0-1"),
                "batch", FREE.with(Fair.CPUS, "1-2"),
                "mail", FREE,
                "shop", FREE.with(Fair.CPUS, Fair.Cpus.INHERITED)));

    assertThat(host.pcpusOf(List.of("web", "batch"))).isEqualTo(3);
    assertThat(host.pcpusOf(List.of("web", "mail"))).isEqualTo(8);
    assertThat(host.pcpusOf(List.of("web", "shop"))).isEqualTo(8);
    assertThat(host.pcpusOf(List.of("web", "unknown"))).isEqualTo(8);
  }

  @Test
  void guestsThatInheritTheirPcpusHaveThoseOfTheGroupAbove() {
    HostState state =
        new HostState(
            Map.of("web", guest("/a"), "batch", guest("/b"), "mail", guest("/c")),
            Map.of(
                "/a", new HostState.Pool("fair", "1", ""),
                "/b", new HostState.Pool("fair", "1-2", ""),
                "/c", new HostState.Pool("credit", "3", "")));
    TrialHost host =
        new TrialHost(
            8,
            Map.of("web", FREE, "mail", FREE, "shop", FREE.with(Fair.CPUS, "7")),
            Map.of(),
            Optional.of(new TrialHost.Surroundings(state, state)),
            Double.NaN,
            Double.NaN);

    assertThat(host.pcpusOf(List.of("web"))).isEqualTo(1);
    assertThat(host.pcpusOf(List.of("web", "batch", "shop"))).isEqualTo(3);
    assertThat(host.pcpusOf(List.of("web", "mail"))).isEqualTo(8);
  }

  private static HostState.Guest guest(String pool) {
    return new HostState.Guest(new GuestId("", 1, "boot"), pool, 1, List.of(), "running");
  }
}
