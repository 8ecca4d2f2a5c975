package io.slicewise.host.xen;

import static io.slicewise.host.xen.ScriptedShell.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Target;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.ssh.Command;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects what xl is told and how it is understood, version by version. */
class XlTest {
  private static final Domain WEB = new Domain("web", 3, 1, 123.4, "Pool-0");

  private static ScriptedShell xl417() {
    return new ScriptedShell()
        .answering("xl info", recorded("xl-4.17-info-excerpt.txt"))
        .answering("xl list -c", recorded("xl-4.17-list-cpupool.txt"))
        .answering("xl cpupool-list", recorded("xl-4.17-cpupool-list.txt"));
  }

  private static Hypervisor probe(ScriptedShell shell) {
    return new Xen().probe(shell, false, Optional.empty());
  }

  private static String credit(int weight, int cap) {
    return "Cpupool bench: tslice=30ms ratelimit=1000us migration-delay=0us\n"
        + "Name                                ID Weight  Cap\n"
        + "vmm-bench-01                         7 %6d %4d\n".formatted(weight, cap);
  }

  private static final String CREDIT2 =
      """
      Cpupool Pool-0: ratelimit=1000us
      Name                                ID Weight  Cap
      Domain-0                             0    512    0
      web                                  3    256    0
      """;

  @Test
  void describesHostWithItsPools() {
    HostDescription host = probe(xl417()).describe();
    assertThat(host.toolstack()).isEqualTo("xl");
    assertThat(host.version()).hasToString("4.17.0");
    assertThat(host.pcpus()).isEqualTo(8);
    assertThat(host.cpuMegahertz()).isEqualTo(2400.002);
    assertThat(host.bootScheduler()).isEqualTo("credit2");
    assertThat(host.cpupools())
        .containsExactly(
            new CpuPool("Pool-0", 6, "credit2", 2), new CpuPool("bench", 2, "credit", 1));
  }

  @Test
  void countsTheDomainsOfPoolsThatAreListedWithoutTheirNumber() {
    String pools = recorded("xl-4.17-cpupool-list.txt");
    ScriptedShell shell =
        new ScriptedShell()
            .answering("xl info", recorded("xl-4.17-info-excerpt.txt"))
            .answering("xl list -c", recorded("xl-4.17-list-cpupool.txt"))
            .answering("xl cpupool-list", pools.replaceAll("(?m) +\\d+$", ""));
    assertThat(probe(shell).describe().cpupools()).isEqualTo(probe(xl417()).describe().cpupools());
  }

  @Test
  void countsTheDomainsOfAPoolWhoseNameHasASpace() {
    ScriptedShell shell =
        new ScriptedShell()
            .answering("xl info", recorded("xl-4.17-info-excerpt.txt"))
            .answering(
                "xl list -c",
                recorded("xl-4.17-list-cpupool.txt").replaceAll("bench", "bench pool"))
            .answering(
                "xl cpupool-list",
                "Name  CPUs  Sched  Active\nPool-0 6 credit2 y\nbench pool 2 credit y\nold 0 rtds n\n");
    assertThat(probe(shell).describe().cpupools())
        .containsExactly(
            new CpuPool("Pool-0", 6, "credit2", 2), new CpuPool("bench pool", 2, "credit", 1));
  }

  @Test
  void readsAllDomainsUnderTheSchedulersOfTheirPools() {
    ScriptedShell shell =
        xl417()
            .answering("xl sched-credit2", CREDIT2)
            .answering("xl sched-credit", credit(100, 150));
    List<Hypervisor.Setting> settings = probe(shell).settings();
    assertThat(settings)
        .filteredOn(setting -> setting.target() instanceof Domain)
        .extracting(
            setting ->
                setting.target().name()
                    + " "
                    + ((Domain) setting.target()).cpupool()
                    + " "
                    + setting.parameters())
        .containsExactlyInAnyOrder(
            "Domain-0 Pool-0 " + Credit2.of(512, 0),
            "web Pool-0 " + Credit2.of(256, 0),
            "vmm-bench-01 bench " + Credit.of(100, 150));
    assertThat(shell.sent()).hasSize(7).last().asString().contains("vcpu-list");
  }

  @Test
  void setsByDomidAndReadsBackWithTwoListings() {
    ScriptedShell shell =
        xl417()
            .answering("xl sched-credit", credit(100, 150))
            .answering("xl sched-credit", credit(512, 50))
            .answering("xl sched-credit -d 7 -w 512 -c 50", "");
    Hypervisor.Applied applied =
        probe(shell).apply(new Domain("vmm-bench-01", 5, 2, 0, "bench"), Credit.of(512, 50));
    assertThat(applied.matches()).isTrue();
    assertThat(((Domain) applied.target()).id()).isEqualTo(7);
    assertThat(shell.changes()).containsExactly("xl sched-credit -d 7 -w 512 -c 50");
    assertThat(shell.sent()).hasSize(4);
  }

  @Test
  void tellsWhenTheSettingDidNotStick() {
    ScriptedShell shell =
        xl417()
            .answering("xl sched-credit", credit(256, 0))
            .answering("xl sched-credit -d 7 -w 512 -c 0", "");
    Hypervisor.Applied applied =
        probe(shell).apply(new Domain("vmm-bench-01", 7, 2, 0, "bench"), Credit.of(512, 0));
    assertThat(applied.matches()).isFalse();
    assertThat(applied.read()).isEqualTo(Credit.of(256, 0));
  }

  @Test
  void sendsNothingForWhatIsSetAlready() {
    ScriptedShell shell = xl417().answering("xl sched-credit2", CREDIT2);
    assertThat(probe(shell).apply(WEB, Credit2.of(256, 0)).matches()).isTrue();
    assertThat(shell.changes()).isEmpty();
  }

  @Test
  void noticesRestartedDomain() {
    ScriptedShell shell =
        xl417()
            .answering("xl sched-credit2", CREDIT2)
            .answering("xl sched-credit2", CREDIT2.replace(" 3 ", " 4 "))
            .answering("xl sched-credit2 -d 3 -w 512 -c 0", "");
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit2.of(512, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("web restarted while its settings were changed");
  }

  @Test
  void namesThePoolsSchedulerWhenItIsAnother() {
    ScriptedShell shell = xl417().answering("xl sched-credit", "");
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit.of(256, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessage("web is in cpupool Pool-0, which runs credit2, not credit.");
  }

  @Test
  void namesTheDomainsThatRunWhenOneDoesNot() {
    ScriptedShell shell = xl417().answering("xl sched-credit2", CREDIT2);
    Domain gone = new Domain("gone", 9, 1, 0, "Pool-0");
    assertThatThrownBy(() -> probe(shell).apply(gone, Credit2.of(256, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("No domain called gone")
        .hasMessageContaining("Domain-0, web, vmm-bench-01");
  }

  @Test
  void checksEverythingBeforeSendingAnything() {
    ScriptedShell shell = xl417().answering("xl sched-credit2", CREDIT2);
    Domain dom0 = new Domain("Domain-0", 0, 4, 0, "Pool-0");
    List<Hypervisor.Setting> wanted =
        List.of(
            new Hypervisor.Setting(dom0, Credit2.of(1024, 0)),
            new Hypervisor.Setting(WEB, Credit2.of(70000, 0)));
    assertThatThrownBy(() -> probe(shell).apply(wanted))
        .isInstanceOf(HypervisorException.class)
        .hasMessage("weight 70000 of web is out of range 1..65535.");
    assertThat(shell.changes()).isEmpty();
  }

  @Test
  void countsVcpusThatAreOffBeforeRefusingCap() {
    String vcpus = recorded("xl-4.17-vcpu-list.txt").replaceFirst("Domain-0.*\n", "");
    ScriptedShell shell =
        xl417()
            .answering("xl sched-credit2", CREDIT2)
            .answering("xl vcpu-list 3", vcpus)
            .answering("xl sched-credit2 -d 3 -w 256 -c 150", "");
    probe(shell).apply(WEB, Credit2.of(256, 150));
    assertThat(shell.changes()).hasSize(1);
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit2.of(256, 201)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("cap 201 of web is out of range 0..200");
  }

  @Test
  void reportsWhatXlComplainedAbout() {
    ScriptedShell shell =
        xl417()
            .answering("xl sched-credit2", CREDIT2)
            .answering(
                "xl sched-credit2 -d 3 -w 512 -c 0",
                1,
                "",
                """
                Failed to read config file: /etc/xen/xl.conf: No such file or directory
                libxl_domain_sched_params_set failed.
                """);
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit2.of(512, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageEndingWith("exit status 1: libxl_domain_sched_params_set failed.");
  }

  @Test
  void pinsAndRestoresVcpusThatAreOffline() {
    String header = "Name ID VCPU CPU State Time(s) Affinity (Hard / Soft)\n";
    String rows =
        header
            + "web 3 0 1 -b- 9.0 0 / all\n"
            + "web 3 1 - --p 1.0 1 / all\n"
            + "web 3 2 - --p 0.0 2-3 / 0-1\n";
    ScriptedShell shell = xl417().answering("xl vcpu-list 3", rows);
    SchedulerParameters found =
        Placement.of(List.of("0", "1", "2-3"), List.of("all", "all", "0-1"));
    SchedulerParameters pinned =
        SchedulerParameters.defaults(Scheduler.PLACEMENT).with(Placement.AFFINITY, "0");
    assertThat(lines(probe(shell).commandsFor(new Target.Place(WEB), pinned, found)))
        .containsExactly(
            "xl vcpu-pin 3 0 0 all", "xl vcpu-pin 3 1 1 all", "xl vcpu-pin 3 2 2-3 0-1");
  }

  /** As with {@code smt=off}: 24 of 32 pCPUs are online, and 16-31 are all of the second half. */
  @Test
  void knowsPcpusWhoseNumbersHaveGaps() {
    String info =
        recorded("xl-4.17-info-excerpt.txt")
            .replaceAll("(?m)^(nr_cpus +: ).*", "$124")
            .replaceAll("(?m)^(max_cpu_id +: ).*", "$131");
    ScriptedShell shell =
        new ScriptedShell()
            .answering("xl info", info)
            .answering("xl list -c", recorded("xl-4.17-list-cpupool.txt"))
            .answering(
                "xl cpupool-list -c",
                """
                Name               CPU list
                Pool-0             0,2,4,6,8,10,12,14,16,17,18,19,20,21,22,23,24,25,26,27
                bench              28,29,30,31
                """);
    Hypervisor xen = probe(shell);
    assertThat(Pinning.ranges(xen.pcpus())).isEqualTo("0,2,4,6,8,10,12,14,16-31");
    assertThat(refusal(xen, "16-31")).isEmpty();
    assertThat(refusal(xen, "8-9"))
        .contains("affinity 8-9 of web names pCPU 9, and the host has 0,2,4,6,8,10,12,14,16-31");
    assertThat(refusal(xen, "32").orElseThrow()).contains("names pCPU 32, and the host has 0,2");
    assertThat(refusal(xen, "28-31").orElseThrow()).contains("has no pCPU of its cpupool Pool-0");
    assertThat(xen.shows(place("0-23"), place("all"))).isFalse();
    assertThat(xen.shows(place("0-31"), place("all"))).isTrue();
  }

  /** The number of an offline pCPU lies between the others; one more is in no pool. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Pool-0  0,1,2,4   | bench  5,6 | names pCPU 3, and the host has 0-2,4-6
          Pool-0  0,1,2,4,5 |            | has no pCPU of its cpupool Pool-0, which has 0,1,2,4,5
          """)
  void refusesAPcpuThatIsOffline(String first, String second, String reason) {
    ScriptedShell shell =
        new ScriptedShell()
            .answering(
                "xl info",
                recorded("xl-4.17-info-excerpt.txt")
                    .replaceAll("(?m)^(nr_cpus +: ).*", "$16")
                    .replaceAll("(?m)^(max_cpu_id +: ).*", "$17"))
            .answering("xl list -c", recorded("xl-4.17-list-cpupool.txt"))
            .answering("xl cpupool-list -c", "Name  CPU list\n" + first + "\n" + second + "\n");
    assertThat(refusal(probe(shell), "3")).contains("affinity 3 of web " + reason);
    assertThat(refusal(probe(shell), "2,4")).isEmpty();
  }

  private static SchedulerParameters place(String affinity) {
    return SchedulerParameters.defaults(Scheduler.PLACEMENT).with(Placement.AFFINITY, affinity);
  }

  private static Optional<String> refusal(Hypervisor xen, String affinity) {
    return xen.refusal(new Target.Place(WEB).name(), place(affinity));
  }

  private static Hypervisor version(int minor) {
    return probe(
        new ScriptedShell()
            .answering("xl info", "xen_major : 4\nxen_minor : " + minor + "\nxen_extra : .1\n"));
  }

  private static List<String> lines(List<Command> commands) {
    return commands.stream().map(Command::quoted).toList();
  }

  @Test
  void givesSedfWholeMillisecondsAndLeavesWeightMode() {
    SchedulerParameters found = Sedf.of(ms(100), ms(45), ms(0), false, 3);
    SchedulerParameters wanted = Sedf.of(ms(10), ms(5), ms(0), true, 0);
    assertThat(lines(version(4).commandsFor(WEB, found, wanted)))
        .containsExactly("xl sched-sedf -d 3 -p 10 -s 5 -l 0 -e 1");
    assertThat(lines(version(4).commandsFor(WEB, wanted, found)))
        .containsExactly("xl sched-sedf -d 3 -w 3 -e 0 -l 0");
  }

  @Test
  void putsDomainBackToBestEffort() {
    SchedulerParameters bestEffort = Sedf.of(ms(100), ms(0), ms(0), true, 0);
    SchedulerParameters now = Sedf.of(ms(10), ms(5), ms(0), false, 0);
    assertThat(lines(version(4).commandsFor(WEB, now, bestEffort)))
        .containsExactly("xl sched-sedf -d 3 -w 1 -e 1 -l 0");
  }

  @Test
  void refusesSedfThatXlCannotExpress() {
    SchedulerParameters now = Sedf.of(ms(100), ms(0), ms(0), true, 0);
    assertRefused(4, now, Sedf.of(ms(10), Duration.ofNanos(2_500_000), ms(0), true, 0), "2500us");
    assertRefused(4, now, Sedf.of(ms(3000), ms(5), ms(0), true, 0), "2147ms");
    assertRefused(4, now, Sedf.of(ms(100), ms(0), ms(0), true, 5), "extratime");
    assertRefused(4, now, Sedf.of(ms(100), ms(0), ms(0), false, 0), "slice 0us");
    assertRefused(6, now, Sedf.of(ms(10), ms(5), ms(0), true, 0), "no settings for the sedf");
  }

  private static void assertRefused(
      int minor, SchedulerParameters now, SchedulerParameters wanted, String part) {
    assertThatThrownBy(() -> version(minor).commandsFor(WEB, now, wanted))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining(part);
  }

  @Test
  void speaksRtdsOfEachVersion() {
    SchedulerParameters now = Rtds.of(ms(10), ms(4), false);
    SchedulerParameters wanted = Rtds.of(ms(20), ms(5), false);
    assertThat(lines(version(5).commandsFor(WEB, now, wanted)))
        .containsExactly("xl sched-rtds -d 3 -p 20000 -b 5000");
    assertThat(lines(version(7).commandsFor(WEB, now, wanted)))
        .containsExactly("xl sched-rtds -d 3 -v all -p 20000 -b 5000");
    assertThat(lines(version(17).commandsFor(WEB, now, wanted)))
        .containsExactly("xl sched-rtds -d 3 -v all -p 20000 -b 5000 -e 0");
    assertThatThrownBy(() -> version(9).commandsFor(WEB, now, Rtds.of(ms(20), ms(5), true)))
        .hasMessageContaining("needs Xen 4.10");
  }

  @Test
  void restoresVcpusThatDiffered() {
    SchedulerParameters now = Rtds.of(ms(20), ms(5), false);
    SchedulerParameters found =
        SchedulerParameters.byVcpu(List.of(Rtds.of(ms(10), ms(4), true), now));
    assertThat(lines(version(17).commandsFor(WEB, now, found)))
        .containsExactly(
            "xl sched-rtds -d 3 -v 0 -p 10000 -b 4000 -e 1",
            "xl sched-rtds -d 3 -v 1 -p 20000 -b 5000 -e 0");
  }

  @Test
  void hasNoCapForCredit2BeforeItCame() {
    assertThat(lines(version(9).commandsFor(WEB, Credit2.of(256, 0), Credit2.of(512, 0))))
        .containsExactly("xl sched-credit2 -d 3 -w 512");
    assertThatThrownBy(() -> version(9).commandsFor(WEB, Credit2.of(256, 0), Credit2.of(512, 50)))
        .hasMessageContaining("cap 50 of web needs Xen 4.10 under credit2, and this is Xen 4.9");
  }

  @Test
  void callsThroughSudoWhenAsked() {
    ScriptedShell shell =
        new ScriptedShell()
            .answering("sudo -n xl info", 1, "", "sudo: xl: command not found")
            .answering("sudo -n /usr/sbin/xl info", recorded("xl-4.17-info-excerpt.txt"));
    Hypervisor toolstack = Hypervisors.probe(shell, true, Optional.empty(), Optional.empty());
    assertThat(lines(toolstack.commandsFor(WEB, Credit.of(256, 0), Credit.of(512, 0))))
        .containsExactly("sudo -n /usr/sbin/xl sched-credit -d 3 -w 512 -c 0");
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
