package io.slicewise.host.libvirt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.Window;
import io.slicewise.host.Domain;
import io.slicewise.host.HostState;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Applied;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.lab.GarbledShell;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.libvirt.GroupVersion;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Protects libvirt's side over a real SSH connection to a host that answers as a real one did. */
@Tag("lab")
class LibvirtOnLabTest {
  private static final String WEB = "web";
  private static final String ODD = "-odd  näme; $(x) \"q";

  private static Lab lab(GroupVersion version) {
    return Lab.start(options(version));
  }

  private static LabOptions options(GroupVersion version) {
    return LabOptions.sshOnly()
        .withLibvirt(version)
        .withCpus(2, 2)
        .withGuests(LabGuest.burning(WEB, 1), LabGuest.burning("3", 2), LabGuest.burning(ODD, 1));
  }

  private static Hypervisor probe(RemoteShell shell) {
    return Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static void run(RemoteShell shell, String... words) {
    assertThat(shell.run(Command.changing(words)).standardError()).isEmpty();
  }

  private static Domain domain(Hypervisor host, String name) {
    return host.domains().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private static SchedulerParameters read(Hypervisor host, String name) {
    return Setting.byName(host.settings()).get(name);
  }

  @ParameterizedTest
  @EnumSource(GroupVersion.class)
  void setsReadsBackAndRestores(GroupVersion version) {
    try (Lab lab = lab(version);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      assertThat(host.describe().hypervisor())
          .startsWith("libvirt 9.0.0 (QEMU ")
          .endsWith("cgroup v%d)".formatted(version == GroupVersion.V1 ? 1 : 2));
      List<Setting> found = host.settings();
      assertThat(found).extracting(one -> one.target().name()).containsExactly(WEB, "3", ODD);
      assertThat(found)
          .extracting(Setting::parameters)
          .extracting(one -> one.with(Cfs.ONLINE_VCPUS, ""))
          .containsOnly(
              Cfs.of(version == GroupVersion.V1 ? 1024 : 100)
                  .with(Cfs.PINNING, "0-1")
                  .with(Cfs.EMULATOR_PINNING, "0-1")
                  .with(Cfs.DISK_WEIGHT, version == GroupVersion.V1 ? "" : "100"));
      List<Setting> wanted =
          List.of(
              new Setting(
                  found.get(0).target(),
                  Cfs.of(0)
                      .with(Cfs.VCPU_QUOTA, millis(20))
                      .with(Cfs.GLOBAL_QUOTA, millis(60))
                      .with(Cfs.EMULATOR_QUOTA, millis(5))
                      .with(Cfs.EMULATOR_PERIOD, millis(50))),
              new Setting(
                  found.get(1).target(),
                  Cfs.of(300).with(Cfs.PINNING, "0/1").with(Cfs.EMULATOR_PINNING, "1")),
              new Setting(found.get(2).target(), Cfs.of(400).with(Cfs.VCPU_QUOTA, millis(50))));
      assertThat(host.apply(wanted)).allMatch(Applied::matches);
      assertThat(read(host, "3").get(Cfs.PINNING)).isEqualTo("0/1");
      assertThat(read(host, "3").get(Cfs.EMULATOR_PINNING)).isEqualTo("1");
      assertThat(read(host, ODD).get(Cfs.SHARES)).isEqualTo(400);
      assertThat(host.apply(found)).allMatch(Applied::matches);
      assertThat(host.settings())
          .extracting(Setting::parameters)
          .isEqualTo(found.stream().map(Setting::parameters).toList());
    }
  }

  /** A row of a table each, but for the quota, which is one of the limits. */
  @Test
  void setsTheThreadsForDisksAndTheWeightAtDisks() {
    LabOptions two =
        options(GroupVersion.V2)
            .withGuests(LabGuest.of(WEB, 1), LabGuest.withIoThreads("db", 1, 2));
    try (Lab lab = Lab.start(two);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      SchedulerParameters found = read(host, "db");
      assertThat(found.get(Cfs.IOTHREAD_PINNING)).isEqualTo("0-1/0-1");
      assertThat(found.get(Cfs.IOTHREAD_QUOTA)).isZero();
      assertThat(found.get(Cfs.DISK_WEIGHT)).isEqualTo("100");
      SchedulerParameters wanted =
          Cfs.of(0)
              .with(Cfs.IOTHREAD_QUOTA, millis(20))
              .with(Cfs.IOTHREAD_PINNING, "1")
              .with(Cfs.DISK_WEIGHT, "700");
      assertThat(host.apply(domain(host, "db"), wanted).matches()).isTrue();
      SchedulerParameters set = read(host, "db");
      assertThat(set.get(Cfs.IOTHREAD_QUOTA)).isEqualTo(millis(20));
      assertThat(set.get(Cfs.IOTHREAD_PINNING)).isEqualTo("1/1");
      assertThat(set.get(Cfs.DISK_WEIGHT)).isEqualTo("700");
      assertThat(host.apply(domain(host, "db"), found).matches()).isTrue();
      assertThat(read(host, "db")).isEqualTo(found);
      assertThatThrownBy(
              () -> host.apply(domain(host, WEB), Cfs.of(0).with(Cfs.IOTHREAD_QUOTA, millis(20))))
          .hasMessageContaining("iothread-quota 20 ms: this guest has no I/O threads");
      assertThatThrownBy(
              () -> host.apply(domain(host, "db"), Cfs.of(0).with(Cfs.DISK_WEIGHT, "20000")))
          .hasMessageContaining("20000");
      host.apply(domain(host, WEB), Cfs.of(0).with(Cfs.GLOBAL_QUOTA, millis(60)));
      assertThat(read(host, WEB).get(Cfs.IOTHREAD_QUOTA))
          .as("the global one, which virsh shows where there are no such threads")
          .isZero();
    }
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      assertThatThrownBy(
              () -> host.apply(domain(host, WEB), Cfs.of(0).with(Cfs.DISK_WEIGHT, "200")))
          .hasMessageContaining("disk-weight 200: this host weighs no disks");
    }
  }

  /** A guest without an agent, or whose agent does not answer, has no such knob meanwhile. */
  @Test
  void setsHowManyVcpusAGuestUsesThroughItsAgent() {
    try (Lab lab = lab(GroupVersion.V2);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      SchedulerParameters found = read(host, "3");
      assertThat(found.get(Cfs.ONLINE_VCPUS)).isEqualTo("2");
      SchedulerParameters one = Cfs.of(0).with(Cfs.ONLINE_VCPUS, "1");
      assertThat(host.apply(domain(host, "3"), one).matches()).isTrue();
      assertThat(read(host, "3").get(Cfs.ONLINE_VCPUS)).isEqualTo("1");
      assertThat(read(host, "3").get(Cfs.PINNING)).as("of all vCPUs").isEqualTo("0-1");
      assertThat(domain(host, "3").vcpus()).isEqualTo(2);
      String id = Integer.toString(domain(host, "3").id());
      run(shell, "virsh", "-q", "suspend", id);
      assertThat(read(host, "3").get(Cfs.ONLINE_VCPUS)).isEmpty();
      assertThat(host.shows(one, read(host, "3"))).isFalse();
      Hypervisor other = probe(shell);
      assertThat(read(other, "3").get(Cfs.ONLINE_VCPUS)).isEmpty();
      assertThat(other.refusal("3", one).orElseThrow())
          .contains("online-vcpus 1: this guest has no guest agent that answers");
      run(shell, "virsh", "-q", "resume", id);
      assertThat(host.apply(domain(host, "3"), found).matches()).isTrue();
      assertThat(read(host, "3")).isEqualTo(found);
      assertThat(host.refusal("3", one.with(Cfs.ONLINE_VCPUS, "3")).orElseThrow())
          .contains("online-vcpus 3 of 3 is more than the 2 that it has");
    }
  }

  /** The guest called 3 is not the one with id 3, and each is named by its UUID alone. */
  @Test
  void leavesTheGuestAloneWhoseIdIsAnothersName() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      assertThat(domain(host, ODD).id()).isEqualTo(3);
      host.apply(domain(host, "3"), Cfs.of(333));
      assertThat(read(host, "3").get(Cfs.SHARES)).isEqualTo(333);
      assertThat(read(host, ODD).get(Cfs.SHARES)).isEqualTo(1024);
    }
  }

  /** virsh shows the first vCPU's quota for all of them. */
  @Test
  void noticesAQuotaThatOnlyTheSecondVcpuHasAndLeavesThatGuestAlone() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      String group =
          shell
              .run(Command.reading("sh", "-c", "ls -d /sys/fs/cgroup/cpu/machine/qemu-2-*"))
              .standardOutput()
              .strip();
      run(shell, "sh", "-c", "echo 30000 > " + group + "/vcpu1/cpu.cfs_quota_us");
      SchedulerParameters read = read(host, "3");
      assertThat(read.isByVcpu()).isTrue();
      assertThat(read.each().get(0).get(Cfs.VCPU_QUOTA)).isZero();
      assertThat(read.each().get(1).get(Cfs.VCPU_QUOTA)).isEqualTo(millis(30));
      assertThat(host.shows(Cfs.of(1024), read)).isFalse();
      assertThat(host.unrestorable(read))
          .contains("its vCPUs have quotas of their own, and virsh sets all alike");
    }
  }

  /** What was written before a refusal is in force, and the refusal says so. */
  @Test
  void readsEverythingBackAfterARefusal() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      host.settings();
      run(shell, "sh", "-c", "echo 20000 > /sys/fs/cgroup/cpu/machine/cpu.cfs_quota_us");
      assertThatThrownBy(
              () -> host.apply(domain(host, WEB), Cfs.of(700).with(Cfs.GLOBAL_QUOTA, millis(60))))
          .isInstanceOf(HypervisorException.class)
          .hasMessageContaining("Now web has cfs shares 700");
    }
  }

  @Test
  void refusesWhatItCanNeverTakeInOneSentence() {
    try (Lab lab = lab(GroupVersion.V2);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      assertThat(host.refusal(WEB, Credit.of(512, 0)))
          .contains(
              "weight 512 cap 0 for web are settings of the credit scheduler of Xen, and this is"
                  + " a host of libvirt");
      assertThat(host.refusal(WEB, Cfs.of(20_000)))
          .contains(
              "shares 20000 of web is out of range 1..10000 of cgroup v2, with 100 by default");
      assertThat(host.refusal(WEB, Cfs.of(200))).isEmpty();
      run(shell, "virsh", "-q", "destroy", WEB);
      host.settings();
      assertThat(host.refusal(WEB, Cfs.of(200)).orElseThrow()).contains("web is shut off");
      assertThat(host.refusal("nosuch", Cfs.of(200)).orElseThrow())
          .contains("nosuch does not exist");
      assertThat(host.has(Scheduler.CREDIT)).isFalse();
      assertThat(host.remarks())
          .extracting(Hypervisor.Remark::sentence)
          .contains("cgroup v2: shares 1 to 10000, 100 by default")
          .contains("shut off, so without settings: web");
    }
  }

  /** Its id, its process and its settings are others then, and its UUID is the same. */
  @Test
  void noticesAGuestThatRestarted() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      host.apply(domain(host, WEB), Cfs.of(700));
      HostState before = host.state();
      run(shell, "virsh", "-q", "destroy", WEB);
      run(shell, "virsh", "-q", "start", WEB);
      assertThat(before.changes(host.state(), Set.of(WEB), Set.of()))
          .containsExactly("web: restarted (domid 4, before 1)");
      assertThat(read(host, WEB).get(Cfs.SHARES)).isEqualTo(1024);
      assertThat(host.apply(domain(host, WEB), Cfs.of(700)).matches()).isTrue();
      assertThat(read(host, WEB).get(Cfs.SHARES)).isEqualTo(700);
    }
  }

  /** What is printed for the guest listed before must not be taken for that of the next one. */
  @Test
  void refusesToSetAGuestThatStoppedAfterItWasRead() {
    LabFault crash =
        LabFault.crash(WEB, "env 'LC_ALL=C' virsh -c qemu:///system 'list").occurrence(3);
    try (Lab lab = Lab.start(options(GroupVersion.V1).withFaults(crash));
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      List<Setting> found = host.settings();
      List<Setting> wanted =
          found.stream().map(one -> new Setting(one.target(), Cfs.of(700))).toList();
      assertThatThrownBy(() -> host.apply(wanted))
          .isInstanceOf(HypervisorException.class)
          .hasMessageStartingWith("web is shut off");
      assertThat(read(host, "3").get(Cfs.SHARES)).isEqualTo(1024);
    }
  }

  @Test
  void takesADaemonThatIsDownForAHostOutOfReach() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      String pid = shell.run(Command.reading("cat", "/run/libvirtd.pid")).standardOutput().strip();
      run(shell, "kill", pid);
      assertThatThrownBy(host::settings)
          .isInstanceOfSatisfying(
              RemoteShellException.class,
              fault ->
                  assertThat(fault.kind()).isEqualTo(RemoteShellException.Kind.CONNECTION_LOST));
    }
  }

  /** Two vCPUs and one compete for as many pCPUs as there are guests less one. */
  @Test
  @Tag("thorough")
  void measuresRunReadyAndThrottledTimeOfEachGuest(@TempDir Path logs) throws Exception {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      host.apply(domain(host, WEB), Cfs.of(1024).with(Cfs.VCPU_QUOTA, millis(20)));
      Monitor monitor = Monitors.probe(shell, host.describe(), false);
      assertThat(monitor.name()).isEqualTo("schedstat");
      List<Domain> domains = host.domains();
      Instant begin = Instant.now();
      try (Monitor.Watch watch =
          monitor.ready(domains).start(Duration.ofSeconds(2), domains, logs)) {
        shell.run(Command.reading("sleep", "2"));
        watch.end();
        MonitorResult seen = watch.result(new Window(begin, Clock.systemUTC().instant()));
        DomainShares web = seen.shares().get(0);
        assertThat(web.domain()).isEqualTo(WEB);
        assertThat(web.run()).isBetween(0.1, 0.3);
        assertThat(web.run() + web.waiting() + web.blocked())
            .as("clock and counters are read one after the other; throttled time is 0.3 or more")
            .isBetween(0.9, 1.1);
        Map<String, Double> others =
            web.others().stream()
                .collect(java.util.stream.Collectors.toMap(r -> r.name(), r -> r.value()));
        assertThat(others.get("throttled")).isBetween(0.3, web.waiting());
        assertThat(others.get("throttled") + others.get("contended"))
            .isEqualTo(web.waiting(), org.assertj.core.data.Offset.offset(1e-9));
        assertThat(seen.shares()).allMatch(one -> one.note().isEmpty());
      }
    }
  }

  /** One guest's listings make no sense; the others are read, set and restored all the same. */
  @Test
  void aValueThatIsNoLongerAsReadIsNotOverwritten() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = probe(shell);
      Hypervisor.Setting wanted = new Hypervisor.Setting(domain(host, WEB), Cfs.of(300));
      Map<String, SchedulerParameters> expected = Map.of(WEB, read(host, WEB));
      run(shell, "virsh", "schedinfo", "--live", WEB, "cpu_shares=777");
      assertThatThrownBy(() -> host.apply(List.of(wanted), expected))
          .hasMessageStartingWith("web has shares 777")
          .hasMessageContaining("set by someone else a moment ago: it had shares 1024");
      assertThat(read(host, WEB).get(Cfs.SHARES)).isEqualTo(777);
      assertThat(host.apply(List.of(wanted), Map.of(WEB, read(host, WEB))).get(0).matches())
          .isTrue();
    }
  }

  @Test
  void aGuestThatCannotBeUnderstoodBlocksNoOther() {
    try (Lab lab = lab(GroupVersion.V1);
        RemoteShell shell =
            new GarbledShell(
                LabClient.open(lab), "cpu_shares     : 1025", "cpu_shares     : many")) {
      Hypervisor host = probe(shell);
      run(shell, "virsh", "schedinfo", "--live", WEB, "cpu_shares=1025");
      assertThat(host.settings()).extracting(one -> one.target().name()).containsExactly("3", ODD);
      assertThat(host.guests()).containsOnlyKeys(WEB, "3", ODD);
      assertThat(host.state().guests()).containsOnlyKeys(WEB, "3", ODD);
      SchedulerParameters found = read(host, ODD);
      assertThat(host.apply(domain(host, ODD), Cfs.of(300)).matches()).isTrue();
      assertThat(host.apply(domain(host, ODD), found).matches()).isTrue();
      assertThat(host.refusal(ODD, Cfs.of(300))).isEmpty();
      assertThat(host.refusal(WEB, Cfs.of(300)))
          .hasValueSatisfying(
              reason ->
                  assertThat(reason)
                      .startsWith(
                          "web cannot be set: 'virsh schedinfo' of web cannot be understood"));
      assertThat(host.whyMissing(WEB)).startsWith("cannot be set: ");
      assertThatThrownBy(() -> host.apply(domain(host, WEB), Cfs.of(300)))
          .hasMessageContaining("'virsh schedinfo' of web cannot be understood");
    }
  }
}
