package io.slicewise.host.xen;

import static io.slicewise.host.xen.ScriptedShell.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.ssh.Command;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects what xm is told and how it is understood, version by version. */
class XmTest {
  private static final Domain BENCH = new Domain("vmm-bench-01", 7, 1, 2.5, "Pool-0");
  private static final Domain WEB = new Domain("web", 3, 1, 3.6, "Pool-0");
  private static final SchedulerParameters BEST_EFFORT = sedf("100", "0", true, 0);

  private static ScriptedShell xm33() {
    return new ScriptedShell()
        .answering("xm info", recorded("xm-3.3-info-excerpt.txt"))
        .answering("xm list", recorded("xm-3.3-list.txt"));
  }

  private static Hypervisor probe(ScriptedShell shell) {
    return new Xen().probe(shell, false, Optional.empty());
  }

  private static SchedulerParameters sedf(
      String period, String slice, boolean extratime, int weight) {
    return Sedf.of(ms(period), ms(slice), Duration.ZERO, extratime, weight);
  }

  private static Duration ms(String millis) {
    return Duration.ofNanos(new BigDecimal(millis).movePointRight(6).longValueExact());
  }

  private static String sent(SchedulerParameters wanted) {
    return probe(xm33()).commandsFor(BENCH, sedf("1", "1", true, 9), wanted).stream()
        .map(Command::quoted)
        .reduce("", String::concat);
  }

  @Test
  void knowsWhichSettingsItsListingCannotCarry() {
    Hypervisor xm = probe(xm33());
    assertThat(xm.unrestorable(sedf("10", "0", false, 0)))
        .contains(
            "xm shows times in steps of 100us and prints its slice as 0, so the actual setting"
                + " cannot be read");
    assertThat(xm.unrestorable(sedf("1", "0", true, 0))).isPresent();
    assertThat(xm.unrestorable(sedf("0", "0", true, 0))).isPresent();
    assertThat(xm.unrestorable(BEST_EFFORT)).isEmpty();
    assertThat(xm.unrestorable(sedf("20", "0.1", false, 0))).isEmpty();
    assertThat(xm.unrestorable(sedf("100", "0", true, 5))).isEmpty();
  }

  @Test
  void describesHostWithoutCpupools() {
    HostDescription host = probe(xm33()).describe();
    assertThat(host.toolstack()).isEqualTo("xm");
    assertThat(host.version()).isEqualByComparingTo(HypervisorVersion.of(3, 3));
    assertThat(host.cpuMegahertz()).isNaN();
    assertThat(host.cpupools()).containsExactly(new CpuPool("Pool-0", 2, "sedf", 3));
  }

  @Test
  void listsRunningDomainsOnly() {
    assertThat(probe(xm33()).domains())
        .extracting(Domain::name)
        .containsExactly("Domain-0", "web", "vmm-bench-01");
  }

  @Test
  void readsAllDomains() {
    ScriptedShell shell = xm33().answering("xm sched-sedf", recorded("xm-3.3-sched-sedf.txt"));
    assertThat(probe(shell).settings())
        .extracting(Hypervisor.Setting::parameters)
        .containsExactly(sedf("20", "15", true, 0), BEST_EFFORT, sedf("10", "2.5", false, 0));
  }

  @Test
  void givesAllFiveSedfValuesSoThatNoneIsLeftFromBefore() {
    assertThat(sent(sedf("10", "2.5", false, 0)))
        .isEqualTo("xm sched-sedf 7 -p 10 -s 2.5 -l 0 -e 0 -w 0");
    assertThat(sent(sedf("0.01", "0.005", true, 0)))
        .isEqualTo("xm sched-sedf 7 -p 0.01 -s 0.005 -l 0 -e 1 -w 0");
    assertThat(sent(sedf("100", "0", false, 512)))
        .isEqualTo("xm sched-sedf 7 -p 100 -s 0 -l 0 -e 0 -w 512");
  }

  @Test
  void putsDomainBackToBestEffortThroughExtraTimeWeight() {
    assertThat(sent(BEST_EFFORT)).isEqualTo("xm sched-sedf 7 -p 0 -s 0 -l 0 -e 1 -w 1");
  }

  @Test
  void refusesWhatXmCannotPassOn() {
    assertThatThrownBy(() -> sent(sedf("2200", "5", true, 0)))
        .hasMessageContaining("2200000us")
        .hasMessageContaining("2147483us");
    assertThatThrownBy(() -> sent(Rtds.of(ms("10"), ms("4"), false)))
        .hasMessageContaining("no settings for the rtds scheduler");
  }

  @Test
  void comparesSedfTimesInTheStepTheyArePrintedIn() {
    Hypervisor xm = probe(xm33());
    SchedulerParameters read = sedf("10.0", "2.5", false, 0);
    assertThat(xm.shows(sedf("10.04", "2.46", false, 0), read)).isTrue();
    assertThat(xm.shows(sedf("10.2", "2.5", false, 0), read)).isFalse();
    assertThat(xm.shows(sedf("10", "2.5", true, 0), read)).isFalse();
    assertThat(xm.shows(sedf("50", "9", false, 3), sedf("100", "45", false, 3))).isTrue();
    assertThat(xm.shows(sedf("20", "0", true, 0), BEST_EFFORT)).isTrue();
    assertThat(xm.shows(sedf("20", "0", true, 0), read)).isFalse();
  }

  @Test
  void setsCreditAndReadsItBack() {
    String before = recorded("xm-3.3-sched-credit.txt");
    ScriptedShell shell =
        xm33()
            .answering("xm sched-credit", before)
            .answering("xm sched-credit", before.replace("512", "256"))
            .answering("xm sched-credit -d 3 -w 256 -c 0", "");
    assertThat(probe(shell).apply(WEB, Credit.of(256, 0)).matches()).isTrue();
  }

  @Test
  void believesTheErrorThatComesWithExitStatusZero() {
    ScriptedShell shell =
        xm33()
            .answering("xm sched-sedf", recorded("xm-3.3-sched-sedf.txt"))
            .answering(
                "xm sched-sedf 3 -p 10 -s 5 -l 0 -e 1 -w 0",
                0,
                "",
                "Error: Failed to set sedf parameters (rv=-22).\n");
    assertThatThrownBy(() -> probe(shell).apply(WEB, sedf("10", "5", true, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("rv=-22");
  }

  @Test
  void namesTheSchedulerThatRunsInstead() {
    ScriptedShell shell =
        xm33().answering("xm sched-credit", 1, "", recorded("xm-3.1-wrong-scheduler.stderr.txt"));
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit.of(256, 0)))
        .hasMessage("web is in cpupool Pool-0, which runs sedf, not credit.");
  }

  @Test
  void refusesDomainThatDoesNotAnswer() {
    String text = recorded("xm-3.3-sched-credit.txt").replace("   512    0", "    -1   -1");
    ScriptedShell shell = xm33().answering("xm sched-credit", text);
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit.of(256, 0)))
        .hasMessageContaining("web did not answer");
  }

  @Test
  void refusesDomidThatIsAlsoName() {
    String text = recorded("xm-3.3-sched-credit.txt").replace("vmm-bench-01", "3           ");
    ScriptedShell shell = xm33().answering("xm sched-credit", text);
    assertThatThrownBy(() -> probe(shell).apply(WEB, Credit.of(1024, 0)))
        .hasMessageContaining("xm cannot distinguish web, whose domid is 3");
    assertThat(shell.changes()).isEmpty();
  }

  private static String tool(Hypervisor hypervisor) {
    return hypervisor.commandsFor(WEB, Credit.of(1, 0), Credit.of(2, 0)).get(0).words().get(0);
  }

  @Test
  void asksXmWhereXendRulesTheHost() {
    String info = "xen_major : 4\nxen_minor : 4\nxen_extra : .4\nxen_scheduler : credit\n";
    ScriptedShell both = new ScriptedShell().answering("xl info", info).answering("xm info", info);
    assertThat(tool(probe(both))).isEqualTo("xm");
    ScriptedShell xlAlone =
        new ScriptedShell()
            .answering("xl info", info)
            .answering("xm info", 1, "", "Error: Unable to connect to xend: refused. Is xend up?");
    assertThat(tool(probe(xlAlone))).isEqualTo("xl");
    assertThat(tool(new Xen().probe(both, false, Optional.of("xl")))).isEqualTo("xl");
  }

  @Test
  void saysTheWayOutWhenXendLocksXlOut() {
    String info = "xen_major : 4\nxen_minor : 3\nxen_extra : .0\n";
    ScriptedShell shell =
        new ScriptedShell()
            .answering("xl info", info)
            .answering(
                "xl sched-credit",
                1,
                "xend is running, which may cause unpredictable results when using\n",
                "");
    Hypervisor xl = new Xen().probe(shell, false, Optional.of("xl"));
    assertThatThrownBy(() -> xl.apply(WEB, Credit.of(256, 0)))
        .isInstanceOfSatisfying(
            HypervisorException.class, e -> assertThat(e.hint()).contains("toolstack: xm"));
  }

  @Test
  void saysThatHostHasNoToolstack() {
    assertThatThrownBy(() -> probe(new ScriptedShell()))
        .hasMessage("root@dom0:22 has neither xl nor xm in the login's PATH.");
  }

  @Test
  void learnsPoolsByListingEach() {
    String info = "xen_major : 4\nxen_minor : 1\nxen_extra : .2\nxen_scheduler : credit\n";
    String pools =
        """
        Name               CPUs   Sched     Active   Domain count
        Pool-0               1    credit       y          2
        bench                1    credit       y          1
        asleep               0    credit       n          0
        """;
    List<String> list = recorded("xm-3.3-list.txt").lines().toList();
    ScriptedShell shell =
        new ScriptedShell()
            .answering("xm info", info)
            .answering("xm cpupool-list", pools)
            .answering("xm list", recorded("xm-3.3-list.txt"))
            .answering(
                "xm list --pool=Pool-0", list.get(0) + "\n" + list.get(1) + "\n" + list.get(2))
            .answering("xm list --pool=bench", list.get(0) + "\n" + list.get(3) + "\n");
    assertThat(probe(shell).domains())
        .extracting(Domain::cpupool)
        .containsExactly("Pool-0", "Pool-0", "bench");
  }
}
