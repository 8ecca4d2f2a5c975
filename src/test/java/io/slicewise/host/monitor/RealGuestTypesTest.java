package io.slicewise.host.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.host.monitor.machine.GuestDisks;
import io.slicewise.host.monitor.machine.MachineReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A PV, a PVH and an HVM guest of a real Xen 4.17, as its own kernel, XenStore and xl show it. */
class RealGuestTypesTest {
  private static final Path RECORDED =
      Path.of(System.getProperty("slicewise.home"), "src/test/resources/xen/guest-types");

  private static final Map<String, String> TYPES =
      Map.of("SQL_Server", "PV", "Mail_Server", "PVH", "Web_Server", "HVM");

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(RECORDED.resolve(file));
  }

  @Test
  void aGuestsOwnKernelKnowsItsType() throws IOException {
    for (Map.Entry<String, String> guest : TYPES.entrySet()) {
      MachineReading reading = MachineReading.of(lines(guest.getKey() + "-after.txt"));
      assertThat(reading.type()).isEqualTo(guest.getValue());
      assertThat(reading.counters().kernel().cpuTicks().get("steal"))
          .as("counted as a %s", reading.type())
          .isPositive();
      assertThat(reading.unreadable()).isEmpty();
    }
  }

  @Test
  void xenStoreHasTheTypesAndTheHvmGuestsDiskInQemu() throws IOException {
    GuestDisks found =
        GuestDisks.read(
            lines("way.txt"), Map.of(3, "Mail_Server", 4, "Web_Server", 5, "SQL_Server"));

    assertThat(found.types()).isEqualTo(TYPES);
    assertThat(found.disks())
        .containsExactly(
            new GuestDisks.Disk("Web_Server/xvda", "/lab/web.img through QEMU, on vda", false));
  }

  @Test
  void xlNamesTheSameTypes() throws IOException {
    Map<String, String> types = new TreeMap<>();
    for (JsonNode domain : Json.mapper().readTree(RECORDED.resolve("xl-list-l.json").toFile())) {
      JsonNode config = domain.path("config").path("c_info");
      types.put(config.path("name").asText(), config.path("type").asText());
    }
    assertThat(types)
        .isEqualTo(
            Map.of(
                "Domain-0", "pv", "SQL_Server", "pv", "Mail_Server", "pvh", "Web_Server", "hvm"));
  }
}
