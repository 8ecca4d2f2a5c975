package io.slicewise.host.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.groups.GroupAccounts.Account;
import io.slicewise.host.groups.GroupAccounts.Reading;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects what is read of the accounts of groups, of both versions. */
class GroupAccountsTest {
  private static final String HOST =
      "@ /\n/proc/sys/kernel/random/boot_id:b\n/sys/devices/system/cpu/online:0-3\n";

  private static GroupAccounts accounts(Trees trees, String groups) {
    Snapshot snapshot = Snapshot.parse(trees, groups + HOST);
    return GroupAccounts.of(
        snapshot,
        List.of("/top/web", "/top/batch").stream()
            .map(
                path ->
                    Inventory.guest(
                        Platform.lastOf(path), Platform.place(path).orElseThrow(), snapshot))
            .toList());
  }

  private static BitSet pcpus(int... numbers) {
    BitSet pcpus = new BitSet();
    for (int number : numbers) {
      pcpus.set(number);
    }
    return pcpus;
  }

  @Test
  void readsTimesByPcpuOfVersionOne() {
    Trees trees =
        new Trees(CgroupVersion.V1, "/c/cpu", Optional.of("/c/set"), Optional.of("/c/acct"));
    GroupAccounts accounts =
        accounts(
            trees,
            """
            1 /c/cpu
            2 /c/cpu/top
            3 /c/cpu/top/web
            4 /c/cpu/top/batch
            5 /c/set
            6 /c/set/top
            /c/set/top/cpuset.effective_cpus:1-2
            """);
    Reading before = accounts.parse(first(100, 100, 900)).orElseThrow();
    Reading after = accounts.parse(first(110, 400, 2900)).orElseThrow();
    assertThat(accounts.reading().quoted()).contains("/c/acct/cpuacct.usage_percpu");
    Account web = after.guests().get("web");
    assertThat(web.pcpus().own()).isEqualTo(pcpus(1, 2));
    assertThat(web.used()).isEqualTo(800);
    assertThat(web.usedOn(pcpus(1, 2), before.guests().get("web"))).contains(600L);
    assertThat(web.usedOn(pcpus(2), before.guests().get("web"))).contains(300L);
    assertThat(after.usedOn(pcpus(1, 2), before)).contains(2300L);
    assertThat(web.tasks().get(77)).isEqualTo(new GroupAccounts.TaskTimes(5, 6));
  }

  /** It could not be restored to any, and a run that leaves its pCPUs alone has no need to. */
  @Test
  void aGroupOfVersion1InNoCpusetHasNoPcpusToRestore() {
    Trees trees =
        new Trees(CgroupVersion.V1, "/c/cpu", Optional.of("/c/set"), Optional.of("/c/acct"));
    Snapshot snapshot =
        Snapshot.parse(trees, "1 /c/cpu\n2 /c/cpu/web\n/c/cpu/web/cpu.shares:1024\n" + HOST);
    SchedulerParameters found = GroupFiles.settings("web", "/web", snapshot);
    assertThat(Fair.leavesCpus(found)).isTrue();
    assertThatCode(() -> Limits.check(CgroupVersion.V1, "web", found)).doesNotThrowAnyException();
  }

  @Test
  void knowsPcpusWhoseNumbersHaveGaps() {
    Trees trees = new Trees(CgroupVersion.V2, "/c", Optional.empty(), Optional.empty());
    String online = HOST.replace("online:0-3", "online:0-1,4");
    assertThat(Snapshot.parse(trees, "1 /c\n2 /c/top\n" + online).pcpusOf("/top"))
        .isEqualTo(pcpus(0, 1, 4));
  }

  private static String first(int seconds, int mine, int all) {
    return """
        /proc/uptime:%1$d.00 1.0
        /c/acct/cpuacct.usage_percpu:5 %3$d %2$d 0\s
        /c/acct/top/web/cpuacct.usage:%4$d
        /c/acct/top/web/cpuacct.usage_percpu:0 %2$d %2$d 0\s
        /c/acct/top/batch/cpuacct.usage:0
        /c/acct/top/batch/cpuacct.usage_percpu:0 0 0 0\s
        /proc/uptime:%1$d.00 1.0
        /c/cpu/top/web:3
        /c/cpu/top/batch:4
        @ /c/cpu/top/web
        /proc/77/schedstat:5 6 7
        """
        .formatted(seconds, mine, all, 2 * mine);
  }

  /** Version 2 counts a group's time as a whole: where it ran follows from where it may run. */
  @Test
  void knowsOnlyOfGroupsThatStayOnTheirPcpusWhereTheyRan() {
    Trees trees = new Trees(CgroupVersion.V2, "/c", Optional.of("/c"), Optional.of("/c"));
    GroupAccounts accounts =
        accounts(
            trees,
            """
            1 /c
            2 /c/top
            3 /c/top/web
            4 /c/top/batch
            /c/top/cpuset.cpus.effective:0-1
            """);
    Reading before = accounts.parse(second(100, 0)).orElseThrow();
    Reading after = accounts.parse(second(110, 4_000_000)).orElseThrow();
    Account batch = after.guests().get("batch");
    Account earlier = before.guests().get("batch");
    assertThat(batch.pcpus().may()).isEqualTo(pcpus(1));
    assertThat(batch.usedOn(pcpus(0, 1), earlier)).contains(4_000_000_000L);
    assertThat(batch.usedOn(pcpus(0, 2), earlier)).contains(0L);
    Account web = after.guests().get("web");
    assertThat(web.pcpus().may()).isEqualTo(pcpus(0, 1));
    assertThat(web.usedOn(pcpus(1), before.guests().get("web"))).isEmpty();
    assertThat(after.usedOn(pcpus(0, 1), before))
        .as("ticks without the idle")
        .contains(60_000_000L);
  }

  private static String second(int seconds, int micros) {
    return """
        /proc/uptime:%1$d.00 1.0
        /proc/stat:cpu  8 0 0 %1$d 0 0 0 0 0 0
        /proc/stat:cpu0 %3$d 1 1 %1$d 9 1 1 0 0 0
        /proc/stat:cpu1 %4$d 1 1 %1$d 9 1 1 0 0 0
        /proc/stat:intr 55 1 2 3
        /c/top/web/cpu.stat:usage_usec %2$d
        /c/top/batch/cpu.stat:usage_usec %2$d
        /c/top/batch/cpuset.cpus.effective:1
        /proc/uptime:%1$d.00 1.0
        /c/top/web:3
        /c/top/batch:4
        """
        .formatted(seconds, micros, micros / 1_000_000, micros / 2_000_000);
  }
}
