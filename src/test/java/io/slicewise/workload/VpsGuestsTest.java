package io.slicewise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.yaml.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A trial that loads some of the guests has no users, hosts or set-up for the others. */
class VpsGuestsTest {
  private static Workload three() {
    List<Map<String, Object>> guests =
        List.of(
            Map.of("name", "web-1", "target", "http://one/"),
            Map.of("name", "web-2", "target", "http://two:81/"),
            Map.of("name", "web-3", "target", "http://three/"));
    return Workloads.type("vps")
        .orElseThrow()
        .make(
            new WorkloadRequest(
                Optional.of(Path.of("jmeter-plans", "vps.jmx")),
                Optional.empty(),
                Map.of(),
                new Options(Map.of("guests", guests)),
                Map.of()));
  }

  @Test
  void loadsTheFirstOnesOnly() {
    assertThat(three().properties()).containsKeys("host1", "host2", "host3", "port3", "guest3");
    assertThat(three().on(2).properties())
        .containsEntry("host2", "two")
        .containsEntry("port2", "81")
        .containsKeys("host1", "guest1", "guest2")
        .doesNotContainKeys("host3", "port3", "guest3", "protocol3", "path3");
    assertThat(three().on(3).properties()).isEqualTo(three().properties());
  }
}
