package io.slicewise.sweep.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.Domain;
import io.slicewise.sweep.preflight.CheckResult.Level;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Protects that a guest counts as idle by what it ran, and a new or busy one does not. */
class IdleGuestsCheckTest {
  private static Domain domain(String name, int id, int vcpus, double cpuSeconds) {
    return new Domain(name, id, vcpus, cpuSeconds, "Pool-0");
  }

  @Test
  void idleGuestsAreListedAndBusyOnesAreNamedWithTheirShare() {
    List<CheckResult> findings =
        Preflight.IdleGuestsCheck.judge(
            Set.of("web-2", "web-3", "web-4", "web-5"),
            List.of(
                domain("Domain-0", 0, 2, 900),
                domain("web-1", 1, 1, 50),
                domain("web-2", 2, 1, 50),
                domain("web-3", 3, 2, 50),
                domain("web-4", 4, 1, 50)),
            List.of(
                domain("Domain-0", 0, 2, 909),
                domain("web-1", 1, 1, 59),
                domain("web-2", 2, 1, 50),
                domain("web-3", 3, 2, 52.4),
                // It restarted between both listings, so its share is not known.
                domain("web-4", 9, 1, 0.5)),
            10);
    assertThat(findings).extracting(CheckResult::level).containsExactly(Level.OK, Level.WARNING);
    assertThat(findings.get(0).sentence())
        .isEqualTo(
            "count as not there while they are not loaded, by their vCPU time in 10 s: web-2 (0.0 %)");
    assertThat(findings.get(1).sentence())
        .startsWith("web-3 ran 12.0 % of its vCPU time without a load (limit 2 %)");
  }

  @Test
  void whatTheListingCannotResolveIsNoWork() {
    assertThat(
            Preflight.IdleGuestsCheck.judge(
                Set.of("web-1"),
                List.of(domain("web-1", 1, 1, 7)),
                List.of(domain("web-1", 1, 1, 7.3)),
                10))
        .extracting(CheckResult::level)
        .containsExactly(Level.OK);
  }
}
