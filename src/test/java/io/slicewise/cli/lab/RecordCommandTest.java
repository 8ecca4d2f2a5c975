package io.slicewise.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.lab.LabCommand.ReplayedHost;
import io.slicewise.host.groups.RealGroups;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.run.bundle.RunBundle;
import io.slicewise.run.recording.HostRecording;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects what a user sends: it names nobody, was read alone, and answers as the host did. */
@Tag("lab")
class RecordCommandTest {
  private static final String EXPERIMENT =
      """
      name: shop
      host: {address: 127.0.0.1, port: %d, user: root, identity: %s, known-hosts: %s}
      domains: {main: [Apache_Server], other: [NFS_Server]}
      profiles: [as-found]
      workload: observe
      """;

  @TempDir private Path directory;

  private static String recorded(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return new String(
          zip.getInputStream(zip.getEntry(HostRecording.NAME)).readAllBytes(),
          StandardCharsets.UTF_8);
    }
  }

  private Path record(Lab lab) throws IOException {
    Path experiment = directory.resolve("shop.yaml");
    Files.writeString(
        experiment, EXPERIMENT.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts()));
    return record(experiment.toString());
  }

  private Path record(String... host) {
    Path file = directory.resolve("sent" + RunBundle.SUFFIX);
    String[] words = new String[host.length + 3];
    words[0] = "record";
    words[1] = "-o";
    words[2] = file.toString();
    System.arraycopy(host, 0, words, 3, host.length);
    Said said = CommandLines.run(words);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("slicewise lab --replay " + file);
    return file;
  }

  private void doctorWorks(Path file, String... shown) {
    ReplayedHost host = ReplayedHost.start(file, Optional.of(directory.resolve("replay")), 0);
    try {
      StringWriter printed = new StringWriter();
      host.print(new PrintWriter(printed, true));
      Path experiment =
          printed
              .toString()
              .lines()
              .filter(line -> line.startsWith("Run "))
              .map(line -> Path.of(line.substring("Run ".length()).strip(), "experiment.yaml"))
              .findFirst()
              .orElseThrow();
      Said doctor = CommandLines.run("doctor", experiment.toString());
      assertThat(doctor.out()).as(doctor.err()).contains(shown).contains(" 0 blocking");
    } finally {
      host.close();
    }
  }

  @Test
  void aXenHostIsReadAndReplayedWithoutItsNames() throws IOException {
    Path file;
    try (Lab lab = Lab.start(LabOptions.sshOnly())) {
      LabSettings before = lab.settings();
      file = record(lab);
      assertThat(lab.settings()).isEqualTo(before);
    }
    assertThat(recorded(file))
        .contains("sched-credit", "guest-1", "vcpu-list")
        .doesNotContain("Apache_Server", "NFS_Server", "xenhost");
    doctorWorks(file, "Xen 4.17.0 through xl");
  }

  @Test
  void soIsALibvirtHost() throws IOException {
    Path file;
    try (Lab lab = Lab.start(LabOptions.sshOnly().withLibvirt(GroupVersion.V2))) {
      file = record(lab);
    }
    assertThat(recorded(file))
        .contains(
            "schedinfo --live",
            "vcpupin",
            "/run/libvirt/qemu/guest-1.pid",
            "/qemu-1-guest-1.libvirt-qemu")
        .doesNotContain("Apache_Server", "NFS_Server", "MySQL_Server")
        .doesNotContain("ApacheServer", "NFSServer", "MySQLServer");
    doctorWorks(file, "libvirt 9.0.0");
  }

  /** Without root, too: everything is read. */
  @Test
  void soAreTheControlGroupsOfThisMachine() throws IOException {
    Said guests = CommandLines.run("record", "localhost", "--hypervisor", "groups", "-o", file());
    assumeTrue(guests.exit() == 0, guests.err());
    assertThat(recorded(Path.of(file()))).contains("cpu.stat");
    if (!guests.out().contains("noted ")) {
      doctorWorks(Path.of(file()), "through cgroup");
    }
  }

  /** An experiment names some of the host's guests; the others' names are no reader's business. */
  @Test
  void guestsThatTheExperimentDoesNotNameLoseTheirNamesToo() throws IOException {
    try (RealGroups groups = RealGroups.with("acme-shop", "acme-mail")) {
      Path experiment = directory.resolve("groups.yaml");
      Files.writeString(
          experiment,
          """
          name: shop
          host: {local: true, hypervisor: groups}
          domains: {main: [acme-shop]}
          profiles: [as-found]
          workload: observe
          """);
      assertThat(recorded(record(experiment.toString())))
          .contains("cpu.stat", groups.path("guest-1"))
          .doesNotContain("acme");
    }
  }

  private String file() {
    return directory.resolve("groups" + RunBundle.SUFFIX).toString();
  }

  @Test
  void aHostThatDoesNotAnswerGivesNoFile() {
    Said said =
        CommandLines.run("record", "-o", directory.resolve("none").toString(), "127.0.0.1:1");
    assertThat(said.exit()).isNotZero();
    assertThat(directory.resolve("none")).doesNotExist();
  }
}
