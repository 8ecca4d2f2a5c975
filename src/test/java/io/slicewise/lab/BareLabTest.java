package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.workload.target.Database;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Protects the lab's machine without a hypervisor, which has the CPUs and memory of its guests. */
@Tag("lab")
class BareLabTest {
  private static final Map<String, Object> GUESTS =
      Map.of(
          "hypervisor",
          "none",
          "pcpus",
          8,
          "guests",
          List.of(
              Map.of("name", "Database", "vcpus", 2, "memory", 768),
              Map.of("name", "Web", "memory", 256)));

  @Test
  void isAMachineWithTheCpusAndTheMemoryOfItsGuests() {
    try (LabClient client = LabClient.start(LabOptions.from(GUESTS).withServers(false))) {
      Hypervisor found =
          Hypervisors.probe(client.shell(), false, Optional.of("none"), Optional.empty());
      assertThat(found.describe().pcpus()).isEqualTo(3);
      assertThat(found.describe().hypervisor()).isEqualTo("no hypervisor, kernel 6.1.0-28-amd64");
      assertThat(client.run("cat /proc/meminfo").standardOutput()).contains("1048576 kB");
      assertThat(client.run("cat /proc/stat").standardOutput())
          .contains("cpu2")
          .doesNotContain("cpu3");
      assertThat(client.run("cat /proc/pressure/io").standardOutput()).contains("some avg10=0.00");
      assertThat(client.run("xl list").succeeded()).isFalse();
      assertThat(client.lab().logins()).isEmpty();
    }
  }

  @Test
  void refusesWhatOnlyAHypervisorHas() {
    assertThatThrownBy(
            () ->
                LabOptions.from(
                    Map.of(
                        "hypervisor",
                        "none",
                        "faults",
                        List.of(Map.of("fault", "crash-guest", "guest", "Database")))))
        .isInstanceOf(SlicewiseException.class)
        .hasMessage("lab: a machine without a hypervisor has no guest that could crash or reboot");
    assertThatThrownBy(() -> LabOptions.from(Map.of("hypervisor", "none", "version", "virsh-9.0")))
        .hasMessage("lab: toolstack virsh-9.0 does not belong to hypervisor none");
    assertThatThrownBy(() -> LabOptions.from(Map.of("hypervisor", "none", "scheduler", "credit")))
        .hasMessageContaining("scheduler credit is not in the lab's Linux");
  }

  @Test
  void itsDatabaseCanBeStoppedAndStartedAndItsCachesEmptied() throws SQLException {
    LabOptions options =
        LabOptions.from(
            Map.of("hypervisor", "none", "guests", List.of(Map.of("name", "Database"))),
            Scenes.named("tpch").orElseThrow());
    try (LabClient client = LabClient.start(options)) {
      String first = started(client.lab());
      assertThat(client.run("systemctl stop postgresql").succeeded()).isTrue();
      assertThatThrownBy(() -> started(client.lab())).isInstanceOf(SlicewiseException.class);
      assertThat(client.run("sysctl -w vm.drop_caches=3").standardOutput())
          .isEqualTo("vm.drop_caches = 3\n");
      assertThat(client.run("systemctl start postgresql.service").succeeded()).isTrue();
      assertThat(started(client.lab())).isNotEqualTo(first);

      assertThat(client.run("systemctl stop mysql").exitStatus()).isEqualTo(5);
      assertThat(client.run("systemctl status postgresql").exitStatus()).isEqualTo(1);
      assertThat(client.run("sysctl vm.swappiness=0").exitStatus()).isEqualTo(255);
    }
  }

  private static String started(Lab lab) throws SQLException {
    Map<String, Object> place = lab.workloadOptions();
    Secret password = Secret.inFile(Path.of(place.get("database-password-file").toString()));
    Database database =
        new Database(
            place.get("database").toString(), place.get("database-user").toString(), password);
    try (Connection connection = database.connect();
        ResultSet row =
            connection.createStatement().executeQuery("SELECT pg_postmaster_start_time()")) {
      row.next();
      return row.getString(1);
    }
  }
}
