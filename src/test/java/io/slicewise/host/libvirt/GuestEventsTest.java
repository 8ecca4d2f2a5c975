package io.slicewise.host.libvirt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects what virsh's events say of guests, as libvirt 9 and older ones print them. */
class GuestEventsTest {
  @Test
  void readsPausesAndSettings() {
    assertThat(
            Libvirt.GuestEvents.changes(
                """
                2026-11-24 06:50:00.123+0000: event 'lifecycle' for domain 'web: 1': Suspended Paused
                2026-11-24 06:50:01.200+0000: event 'tunable' for domain 'db':
                \tcputune.vcpu_quota: 25000
                \tcputune.vcpupin0: 0-1
                2026-11-24 06:50:01.500+0000: event 'balloon-change' for domain 'db': 524288KiB
                2026-11-24 06:50:02.000+0000: event 'lifecycle' for domain 'web: 1': Resumed Unpaused
                2026-11-24 06:50:03.000+0000: event 'lifecycle' for domain 'old': Defined Updated
                event loop interrupted
                events received: 5
                """))
        .isEqualTo(
            Map.of(
                "web: 1",
                "changed in the window, as libvirt reported: Suspended Paused, Resumed Unpaused",
                "db",
                "changed in the window, as libvirt reported: cputune.vcpu_quota: 25000,"
                    + " cputune.vcpupin0: 0-1"));
  }

  @Test
  void readsNamesWithoutQuotes() {
    assertThat(
            Libvirt.GuestEvents.changes(
                """
                event 'lifecycle' for domain web: Stopped Destroyed
                event 'tunable' for domain db:
                \tcputune.cpu_shares: 777
                """))
        .containsOnlyKeys("web", "db");
  }
}
