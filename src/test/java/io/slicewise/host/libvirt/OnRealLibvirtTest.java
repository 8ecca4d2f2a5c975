package io.slicewise.host.libvirt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Applied;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.SshLogin;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Drives a real libvirtd with QEMU guests under software emulation, which {@code bench/kvmlab.sh}
 * starts where Debian's packages for it are installed and this process is root.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock("/sys/fs/cgroup/cpu/machine")
class OnRealLibvirtTest {
  private static final String WEB = "Apache_Server";
  private static final String OTHER = "NFS_Server";
  private static final Path SCRIPT =
      Path.of(System.getProperty("slicewise.home", "."), "bench", "kvmlab.sh");

  private Path directory;
  private int port;
  private int web;
  private RemoteShell shell;

  private static boolean installed(String program) {
    return Stream.of("/usr/bin/", "/usr/sbin/")
        .anyMatch(p -> Files.isExecutable(Path.of(p + program)));
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException, InterruptedException {
    assumeTrue("root".equals(System.getProperty("user.name")), "a libvirtd needs root");
    assumeTrue(
        Stream.of("libvirtd", "qemu-system-x86_64", "virsh", "sshd", "busybox")
            .allMatch(OnRealLibvirtTest::installed),
        "the packages are not installed");
    assumeTrue(
        Stream.of("cpu/machine", "machine")
            .noneMatch(g -> Files.exists(Path.of("/sys/fs/cgroup", g))),
        "another libvirtd has guests here");
    directory = temporary;
    port = free();
    web = free();
    assumeTrue(status("build") == 0, "the guests' kernel cannot be downloaded");
    lab("start");
    lab("guests");
    Path known = directory.resolve("known_hosts");
    String key = Files.readString(directory.resolve("hostkey.pub")).strip();
    Files.writeString(known, "[127.0.0.1]:%d %s%n".formatted(port, key));
    shell =
        Shells.open(
            Connection.to(
                "127.0.0.1", SshLogin.of("root", port, directory.resolve("id_lab"), known)));
  }

  @AfterAll
  void halt() throws IOException, InterruptedException {
    if (directory != null) {
      lab("halt");
    }
    if (shell != null) {
      shell.close();
    }
  }

  private void lab(String step) throws IOException, InterruptedException {
    int status = status(step);
    assertThat(status).as(Files.readString(directory.resolve(step + ".log"))).isZero();
  }

  private int status(String step) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", SCRIPT.toString(), step);
    builder.environment().put("KVMLAB_DIR", directory.toString());
    builder.environment().put("KVMLAB_PORT", Integer.toString(port));
    builder.environment().put("KVMLAB_WEB", Integer.toString(web));
    Path log = directory.resolve(step + ".log");
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
  }

  private String virsh(String... words) {
    List<String> line = new ArrayList<>(List.of("virsh", "-q", "-c", "qemu:///system"));
    line.addAll(List.of(words));
    return shell.run(Command.reading(line.toArray(String[]::new))).standardOutput();
  }

  @Test
  void setsReadsBackAndRestoresWhatVirshShows() {
    Hypervisor host = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
    assertThat(host.describe().hypervisor()).startsWith("libvirt ");
    List<String> before = shown();
    List<Setting> found = host.settings();
    Map<String, Domain> domains =
        found.stream()
            .map(setting -> (Domain) setting.target())
            .collect(Collectors.toMap(Domain::name, domain -> domain));
    SchedulerParameters capped =
        Cfs.of(512)
            .with(Cfs.VCPU_QUOTA, Duration.ofMillis(25))
            .with(Cfs.VCPU_PERIOD, Duration.ofMillis(50))
            .with(Cfs.GLOBAL_QUOTA, Duration.ofMillis(60))
            .with(Cfs.PINNING, "0-1");
    List<Setting> wanted =
        List.of(
            new Setting(domains.get(WEB), capped),
            new Setting(
                domains.get("SQL_Server"),
                Cfs.of(0).with(Cfs.EMULATOR_QUOTA, Duration.ofMillis(5))));
    assertThat(host.apply(wanted)).allMatch(Applied::matches);
    assertThat(virsh("schedinfo", WEB))
        .contains("cpu_shares     : 512", "vcpu_period    : 50000", "vcpu_quota     : 25000");
    assertThat(host.apply(found)).allMatch(Applied::matches);
    assertThat(shown()).isEqualTo(before);
  }

  private List<String> shown() {
    return Stream.of(WEB, OTHER, "SQL_Server")
        .map(guest -> virsh("schedinfo", guest) + virsh("vcpupin", guest))
        .toList();
  }

  @Test
  void measuresThatACapHoldsAndWhatItHoldsBack(@TempDir Path logs) throws Exception {
    Hypervisor host = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
    List<Setting> found = host.settings();
    List<Domain> domains = host.domains();
    host.apply(domains.get(0), Cfs.of(0).with(Cfs.VCPU_QUOTA, Duration.ofMillis(25)));
    HttpClient client = HttpClient.newHttpClient();
    URI burn = URI.create("http://127.0.0.1:%d/cgi-bin/burn?20".formatted(web));
    client.send(HttpRequest.newBuilder(burn).build(), HttpResponse.BodyHandlers.discarding());
    Monitor monitor = Monitors.probe(shell, host.describe(), false).ready(domains);
    Instant begin = Instant.now();
    try (Monitor.Watch watch = monitor.start(Duration.ofSeconds(10), domains, logs)) {
      shell.run(Command.reading("sleep", "10"));
      watch.end();
      DomainShares seen = watch.result(new Window(begin, Instant.now())).shares().get(0);
      assertThat(seen.domain()).isEqualTo(WEB);
      assertThat(seen.run()).as("%s", seen).isGreaterThan(0.01).isLessThan(0.27);
      assertThat(seen.waiting()).isGreaterThan(0.5);
      assertThat(seen.others().get(0).value()).as("throttled").isLessThanOrEqualTo(seen.waiting());
    } finally {
      host.apply(found);
    }
  }
}
