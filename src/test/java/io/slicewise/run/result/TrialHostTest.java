package io.slicewise.run.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.Map;
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
}
