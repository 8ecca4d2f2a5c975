package io.slicewise.host.libvirt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.libvirt.GuestListing.Guest;
import io.slicewise.host.libvirt.LibvirtInventory.GuestStats;
import io.slicewise.host.libvirt.LibvirtInventory.VersionText;
import io.slicewise.host.libvirt.LibvirtReadings.PinningListing;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShellException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the understanding of what a real libvirt 9.0 printed. */
class RecordedListingsTest {
  private static final SchedulerParameters FREE = Cfs.of(1024);

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @ParameterizedTest
  @CsvSource({"schedinfo-run", "schedinfo-live"})
  void takesMinusOneForNoQuota(String name) {
    assertThat(SchedInfo.parse("a", Recorded.output("v1", name))).isEqualTo(FREE);
  }

  @Test
  void takesTheLargestNumberForNoQuotaToo() {
    assertThat(SchedInfo.parse("a", Recorded.settings("v2", "set cpu_shares=200")))
        .isEqualTo(Cfs.of(200));
    assertThat(SchedInfo.parse("a", Recorded.settings("v2", "set vcpu_quota=-7")))
        .isEqualTo(Cfs.of(100).with(Cfs.VCPU_PERIOD, millis(50)));
  }

  @Test
  void readsQuotasAndTheirPeriodsAndNoneOfThreadsThatAreNotThere() {
    assertThat(
            SchedInfo.parse("a", Recorded.settings("v2", "set vcpu_quota=30000 vcpu_period=50000")))
        .isEqualTo(Cfs.of(100).with(Cfs.VCPU_QUOTA, millis(30)).with(Cfs.VCPU_PERIOD, millis(50)));
    assertThat(
            SchedInfo.withoutThreads(
                SchedInfo.parse("a", Recorded.settings("v2", "set global_quota=40000"))))
        .isEqualTo(Cfs.of(100).with(Cfs.GLOBAL_QUOTA, millis(40)).with(Cfs.VCPU_QUOTA, millis(50)));
  }

  /** Before 1.3.3 there was no quota of a whole guest, and before 2.2 none of its I/O threads. */
  @Test
  void readsWhatAnOlderLibvirtLists() {
    String oldest = "Scheduler      : posix\ncpu_shares     : 1024\n";
    String vcpus = "vcpu_period    : 100000\nvcpu_quota     : -1\n";
    String emulator = "emulator_period: 1000000\nemulator_quota : -1\n";
    assertThat(SchedInfo.parse("a", oldest + vcpus)).isEqualTo(FREE);
    assertThat(SchedInfo.parse("a", oldest + vcpus + emulator))
        .isEqualTo(FREE.with(Cfs.EMULATOR_PERIOD, millis(1000)));
    assertThat(SchedInfo.configured("a", oldest + vcpus)).isEqualTo(FREE);
    String global = "global_period  : 50000\nglobal_quota   : 40000\n";
    assertThat(SchedInfo.parse("a", oldest + vcpus + emulator + global))
        .as("with the quota of a whole guest, but none of I/O threads")
        .isEqualTo(
            FREE.with(Cfs.EMULATOR_PERIOD, millis(1000))
                .with(Cfs.GLOBAL_PERIOD, millis(50))
                .with(Cfs.GLOBAL_QUOTA, millis(40)));
    assertThat(SchedInfo.parse("a", oldest + "vcpu_period : 1000000\nvcpu_quota : 1073741824\n"))
        .as("a quota that no guest can use up is still one")
        .isEqualTo(
            FREE.with(Cfs.VCPU_PERIOD, millis(1000))
                .with(Cfs.VCPU_QUOTA, Duration.ofNanos(1_073_741_824_000L)));
    assertThat(SchedInfo.unlisted("a", oldest + vcpus + emulator))
        .containsExactlyInAnyOrder(
            Cfs.IOTHREAD_QUOTA, Cfs.IOTHREAD_PERIOD, Cfs.GLOBAL_QUOTA, Cfs.GLOBAL_PERIOD);
    assertThatThrownBy(() -> SchedInfo.parse("a", oldest + vcpus + "global_quota : -1\n"))
        .hasMessageContaining("no global_period");
  }

  @ParameterizedTest
  @CsvSource({"schedinfo-off", "set03", "schedinfo-off-live"})
  void refusesTheListingOfAGuestThatIsOffAndOfARefusal(String name) {
    assertThatThrownBy(() -> SchedInfo.parse("old box 1", Recorded.output("v1", name)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("old box 1")
        .hasMessageContaining("cpu_shares");
  }

  @Test
  void readsIdsNamesAndStatesWhateverTheNamesHold() {
    String text = Recorded.output("v1", "odd-name");
    String table = text.substring(text.indexOf(" Id"), text.indexOf("\n\n", text.indexOf(" Id")));
    String names = text.substring(text.indexOf("86caceb2"));
    assertThat(GuestListing.parse(names, table))
        .containsExactly(
            on("86caceb2-96f5-4aeb-85c9-ea8b8d7acdde", "Apache_Server", 1),
            on("02bdfb3d-16e4-46aa-8b5c-8cd852804b60", "NFS_Server", 2),
            on("d990d8f8-2638-46a4-a292-7b3f9de70e23", "SQL_Server", 3),
            off("2b74b311-1db3-452e-a66f-12931cf8fcbe", "-odd  näme; $(x) old box 1quot;q"),
            off("ec0855cb-3bb1-4296-bed8-91df66a86deb", "old box 1"));
  }

  /** A guest called 3 is not the one whose id is 3, nor does a name that ends like another fit. */
  @Test
  void tellsNamesFromIdsAndFromPartsOfNames() {
    String uuid = "86caceb2-96f5-4aeb-85c9-ea8b8d7acdd";
    String names =
        "%1$s0 SQL_Server\n%1$s1 3\n%1$s2 a\n%1$s3 a   running\n%1$s4 gone\n".formatted(uuid);
    String table =
        Recorded.output("v1", "id-vs-name-list")
            + " 7    a               paused\n 8    a   running     running\n";
    assertThat(GuestListing.parse(names, table))
        .containsExactly(
            on(uuid + "0", "SQL_Server", 3),
            off(uuid + "1", "3"),
            new Guest(uuid + "2", "a", OptionalInt.of(7), "paused"),
            on(uuid + "3", "a   running", 8));
    assertThatThrownBy(() -> GuestListing.parse("error: x\n", table))
        .hasMessage("'virsh list' printed a line that cannot be understood: 'error: x'.");
  }

  /** In the C locale, virsh's table does not show the letters of a name. */
  @Test
  void findsAGuestWhoseNameTheTableEscapes() {
    String uuid = "d7b988fc-6b1a-419c-94ce-33568556fef9";
    assertThat(
            GuestListing.parse(
                uuid + " -odd & $x Ümlaut\n", Recorded.output("v1", "list-c-locale")))
        .containsExactly(new Guest(uuid, "-odd & $x Ümlaut", OptionalInt.of(7), "paused"));
  }

  private static Guest on(String uuid, String name, int id) {
    return new Guest(uuid, name, OptionalInt.of(id), "running");
  }

  private static Guest off(String uuid, String name) {
    return new Guest(uuid, name, OptionalInt.empty(), "shut off");
  }

  @Test
  void readsStatisticsByNameAndNotThoseOfLibvirtItself() {
    Map<String, GuestStats> stats = GuestStats.parse(Recorded.output("v1", "domstats-all"));
    assertThat(stats).containsOnlyKeys("NFS_Server", "SQL_Server", "old box 1", "Apache_Server");
    assertThat(stats.get("SQL_Server").vcpus()).isEqualTo(2);
    assertThat(stats.get("SQL_Server").cpuSeconds()).isEqualTo(13.122389);
    assertThat(stats.get("old box 1").isOn()).isFalse();
    assertThat(stats.get("old box 1").cpuSeconds()).isNaN();
    String paused = Recorded.output("v1", "suspend");
    assertThat(GuestStats.parse(paused).get("SQL_Server").isOn()).isTrue();
  }

  @Test
  void readsThePinningOfEachVcpu() {
    assertThat(PinningListing.parse("a", Recorded.output("v1", "vcpupin-off"), 64))
        .containsExactly("0-1");
    assertThat(PinningListing.parse("a", Recorded.output("v1", "libvirtd-again-pin"), 64))
        .containsExactly("1", "1");
    String mixed = Recorded.output("v1", "cpuset-hand-pin");
    assertThat(PinningListing.parse("a", mixed.substring(mixed.indexOf(" VCPU")), 64))
        .containsExactly("1", "0");
    assertThat(PinningListing.parse("a", mixed.substring(mixed.indexOf(" VCPU")), 1))
        .as("only the first vCPU is online")
        .containsExactly("1");
    assertThatThrownBy(() -> PinningListing.parse("web", "error: nothing", 1))
        .hasMessageContaining("'virsh vcpupin' of web cannot be understood");
  }

  @Test
  void readsThePinningOfTheOtherThreads() {
    VirshKnob emulator = VirshKnob.ALL.get(0);
    VirshKnob threads = VirshKnob.ALL.get(1);
    assertThat(
            emulator.parse(
                "emulator: CPU Affinity\n----------------------------------\n       *: 0-1\n\n"))
        .isEqualTo("0-1");
    assertThat(threads.parse("No IOThreads found for the domain\n")).isEmpty();
    String listed = " IOThread ID   CPU Affinity\n-----------------------------\n";
    assertThat(threads.parse(listed + " 1             0-1\n 2             1\n")).isEqualTo("0-1/1");
    assertThat(threads.parse(listed + " 2             1\n")).as("not numbered from 1").isEmpty();
  }

  @Test
  void readsTheVersionsAndStatesTheControlGroups() {
    String text = Recorded.output("v1", "version-daemon");
    HypervisorVersion version =
        CgroupVersion.V1.stateIn(VersionText.libvirt(text), VersionText.emulator(text));
    assertThat(version).hasToString("9.0.0 (QEMU 7.2.22, cgroup v1)");
    assertThat(CgroupVersion.statedIn(version)).isEqualTo(CgroupVersion.V1);
    assertThat(VersionText.libvirt(Recorded.output("v1", "version")))
        .isEqualTo(VersionText.libvirt(text));
    assertThat(new Libvirt().usualVersion("virsh")).hasToString("9.0 (cgroup v2)");
  }

  @Test
  void findsAGuestsGroupInItsProcessAndNeverInItsName() {
    String text = Recorded.output("v1", "proc-cgroup");
    ControlGroups one = new ControlGroups(CgroupVersion.V1, "/sys/fs/cgroup/cpu");
    assertThat(one.groupOf(text))
        .contains("/sys/fs/cgroup/cpu/machine/qemu-1-ApacheServer.libvirt-qemu");
    ControlGroups two = new ControlGroups(CgroupVersion.V2, "/sys/fs/cgroup");
    assertThat(two.groupOf("0::/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt/emulator\n"))
        .contains("/sys/fs/cgroup/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt");
    assertThat(two.groupOf("0::/user.slice/session-1.scope\n")).isEmpty();
  }

  @Test
  void findsTheTreeThatHasTheCpuController() {
    String hybrid =
        """
        cgroup /sys/fs/cgroup/unified cgroup2 rw 0 0
        cgroup2 /sys/fs/cgroup/unified cgroup2 rw,nosuid 0 0
        cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0
        cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,nosuid,cpu,cpuacct 0 0
        """;
    assertThat(ControlGroups.of("host", hybrid))
        .isEqualTo(new ControlGroups(CgroupVersion.V1, "/sys/fs/cgroup/cpu,cpuacct"));
    assertThat(ControlGroups.of("host", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n"))
        .isEqualTo(new ControlGroups(CgroupVersion.V2, "/sys/fs/cgroup"));
    assertThatThrownBy(() -> ControlGroups.of("host", "proc /proc proc rw 0 0\n"))
        .hasMessage("host has no control groups with a CPU controller.");
  }

  @Test
  void readsTheQuotaOfEachVcpuFromItsOwnFiles() {
    ControlGroups one = new ControlGroups(CgroupVersion.V1, "/c");
    assertThat(one.quotaFiles("/c/g", 2))
        .containsExactly(
            "/c/g/vcpu0/cpu.cfs_quota_us",
            "/c/g/vcpu0/cpu.cfs_period_us",
            "/c/g/vcpu1/cpu.cfs_quota_us",
            "/c/g/vcpu1/cpu.cfs_period_us");
    Map<String, String> byHand =
        Map.of(
            "/c/g/vcpu1/cpu.cfs_quota_us", "30000\n", "/c/g/vcpu1/cpu.cfs_period_us", "100000\n");
    assertThat(one.withQuota(FREE, "/c/g", 1, byHand))
        .contains(FREE.with(Cfs.VCPU_QUOTA, millis(30)));
    assertThat(one.withQuota(FREE, "/c/g", 0, byHand)).isEmpty();
    ControlGroups two = new ControlGroups(CgroupVersion.V2, "/c");
    assertThat(two.withQuota(FREE, "/c/g", 0, Map.of("/c/g/vcpu0/cpu.max", "max 100000\n")))
        .contains(FREE);
    assertThat(two.withQuota(FREE, "/c/g", 0, Map.of("/c/g/vcpu0/cpu.max", "25000 50000\n")))
        .contains(FREE.with(Cfs.VCPU_QUOTA, millis(25)).with(Cfs.VCPU_PERIOD, millis(50)));
  }

  @Test
  void saysWhatVirshComplainedAboutWithoutItsNoise() {
    assertThat(VirshFailures.said(Recorded.result("v1", "locale")))
        .isEqualTo("failed to get domain 'nosuch'");
    assertThat(VirshFailures.ofKnownHost("host", Recorded.result("v1", "set07")))
        .isInstanceOf(HypervisorException.class)
        .hasMessage(
            "'virsh -c qemu:///system' on host failed with exit status 1: invalid argument:"
                + " shares '262145' must be in range [2, 262144]");
  }

  /** Waiting helps against a daemon that is being restarted, and not against a missing right. */
  @Test
  void takesADaemonThatIsDownForAHostOutOfReachAndAMissingRightForARefusal() {
    CommandResult denied = Recorded.result("v1", "user-none-list");
    assertThat(VirshFailures.ofKnownHost("host", denied))
        .isInstanceOfSatisfying(
            HypervisorException.class,
            fault -> assertThat(fault.hint()).contains("group libvirt", "qemu:///session"));
    for (String said :
        List.of(
            "error: failed to connect to the hypervisor\nerror: Failed to connect socket to"
                + " '/var/run/libvirt/libvirt-sock': No such file or directory\n",
            "error: Disconnected from qemu:///system due to end of file\n",
            "error: End of file while reading data: Input/output error\n")) {
      CommandResult down =
          new CommandResult(denied.command(), 1, "\n", said, Duration.ofMillis(200));
      assertThat(VirshFailures.ofKnownHost("host", down))
          .isInstanceOfSatisfying(
              RemoteShellException.class,
              fault ->
                  assertThat(fault.kind()).isEqualTo(RemoteShellException.Kind.CONNECTION_LOST));
    }
    assertThat(Scheduler.CFS.hypervisor()).isEqualTo(new Libvirt().product());
  }
}
