package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.json.Json;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the description of hosts: each has its own hypervisor's name and its own guests. */
class HostIdentityTest {
  @ParameterizedTest
  @CsvSource({"xl, Xen 4.17, 1", "virsh, libvirt 4.17, 2", "none, 'no hypervisor, kernel 4.17', 2"})
  void namesTheHypervisorOfItsToolstack(String toolstack, String hypervisor, int guests)
      throws IOException {
    HostIdentity host =
        Json.mapper()
            .readValue(
                """
                {"name": "a", "toolstack": "%s", "version": "4.17", "kernel": "6.1", "pcpus": 4,
                 "scheduler": "credit", "domains": {"Domain-0": 2, "web": 1}}
                """
                    .formatted(toolstack),
                HostIdentity.class);
    assertThat(host.hypervisor()).isEqualTo(hypervisor);
    assertThat(host.guests()).isEqualTo(guests);
  }
}
