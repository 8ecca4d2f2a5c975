package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects what a newcomer sees who types nothing but the name. */
class WelcomeTest {
  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({
    "proc/xen/capabilities, control_d, the control domain of a Xen host",
    "run/libvirt/libvirt-sock, '', a libvirt host",
    "etc/pve/local, '', a Proxmox VE host",
    "run/docker.sock, '', a Docker host",
  })
  void namesTheMachineAndTheCommandToTypeNext(String file, String text, String kind)
      throws IOException {
    Path made = root.resolve(file);
    Files.createDirectories(made.getParent());
    Files.writeString(made, text);
    assertThat(new Welcome(root).lines())
        .anyMatch(line -> line.startsWith("This machine is " + kind))
        .contains("  slicewise look");
  }

  @Test
  void offersTheLabWhereThereIsNothingToLookAt() throws IOException {
    Path guest = root.resolve("proc/xen/capabilities");
    Files.createDirectories(guest.getParent());
    Files.writeString(guest, "");
    assertThat(new Welcome(root).lines()).contains("  slicewise demo");
  }

  @Test
  void isPrintedWithoutACommand() {
    CommandLines.Said said = CommandLines.run();
    assertThat(said.exit()).isZero();
    assertThat(said.out()).startsWith("Slicewise finds").contains("slicewise --help");
  }
}
