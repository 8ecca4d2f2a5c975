package io.slicewise.host.xen;

import static io.slicewise.host.xen.ScriptedShell.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.xen.Inventory.CpupoolListing;
import io.slicewise.host.xen.Inventory.InfoListing;
import io.slicewise.host.xen.Inventory.VcpuListing;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Placement;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the understanding of every listing, by recorded texts of each version. */
class ListingsTest {
  private static List<ParameterListing.Entry> parsed(Scheduler scheduler, String text) {
    return ParameterListing.parse(scheduler, text).entries();
  }

  private static SchedulerParameters second(Scheduler scheduler, String file) {
    ParameterListing.Entry web = parsed(scheduler, recorded(file)).get(1);
    assertThat(web.name()).isEqualTo("web");
    assertThat(web.id()).isEqualTo(3);
    return web.parameters().orElseThrow();
  }

  /** As a real Xen 4.17.7 printed them. */
  @Test
  void understandsWhichGuestsRunAndWhereTheyMayRun() {
    String list =
        """
        Name                                        ID   Mem VCPUs\tState\tTime(s)   UUID                            Reason-Code\tSecurity Label
        Domain-0                                     0  1024     2     r-----     102.0 00000000-0000-0000-0000-000000000000        -                -
        Apache_Server                                1   128     1     r-----     215.1 303e9fd3-5510-4da6-b587-e75d5b64c637        -                -
        """;
    assertThat(DomainListing.uuids(list))
        .containsExactlyEntriesOf(Map.of(1, "303e9fd3-5510-4da6-b587-e75d5b64c637"));
    String vcpus =
        """
        Name                                ID  VCPU   CPU State   Time(s) Affinity (Hard / Soft)
        Domain-0                             0     0    2   r--      67.0  all / all
        Domain-0                             0     1    -   --p      73.8  all / all
        NFS_Server                           2     0    3   -b-     134.3  all / 2-3
        """;
    assertThat(VcpuListing.affinities(vcpus))
        .containsEntry(0, List.of("all / all", "all / all"))
        .containsEntry(2, List.of("all / 2-3"));
    assertThat(VcpuListing.places(vcpus))
        .extracting(place -> place.parameters().orElseThrow().get(Placement.VCPUS))
        .as("online")
        .containsExactly(1, 1);
    assertThat(
            CpupoolListing.cpus(
                "Name               CPU list\nPool-0             0,1,2\npool2              3\n"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("Pool-0", "0,1,2", "pool2", "3"));
    assertThat(
            SchedulerListing.pools("Cpupool Pool-0: tslice=30ms ratelimit=1000us\nCpupool old:\n"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("Pool-0", "tslice=30ms ratelimit=1000us", "old", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "xm-3.1-sched-credit.txt,512",
    "xm-3.3-sched-credit.txt,512",
    "xl-4.1-sched-credit.txt,256",
    "xl-4.2-sched-credit.txt,256",
    "xl-4.17-sched-credit.txt,256"
  })
  void understandsCredit(String file, int weight) {
    assertThat(second(Scheduler.CREDIT, file)).isEqualTo(Credit.of(weight, 0));
    assertThat(parsed(Scheduler.CREDIT, recorded(file))).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "xm-4.1-sched-credit2.txt,512",
    "xl-4.2-sched-credit2.txt,256",
    "xl-4.17-sched-credit2.txt,256"
  })
  void understandsCredit2(String file, int weight) {
    assertThat(second(Scheduler.CREDIT2, file)).isEqualTo(Credit2.of(weight, 0));
  }

  @ParameterizedTest
  @CsvSource({"xm-3.1-sched-sedf.txt", "xm-3.3-sched-sedf.txt"})
  void understandsSedfOfXm(String file) {
    assertThat(second(Scheduler.SEDF, file)).isEqualTo(sedf(100, 0, true, 0));
    assertThat(parsed(Scheduler.SEDF, recorded(file)).get(2).parameters())
        .contains(Sedf.of(ms(10), Duration.ofNanos(2_500_000), Duration.ZERO, false, 0));
  }

  @Test
  void understandsSedfOfXl() {
    assertThat(second(Scheduler.SEDF, "xl-4.4-sched-sedf.txt")).isEqualTo(sedf(10, 5, false, 0));
    assertThat(parsed(Scheduler.SEDF, recorded("xl-4.4-sched-sedf.txt")).get(2).parameters())
        .contains(sedf(100, 45, false, 3));
  }

  @Test
  void understandsRtdsOfEachVersion() {
    assertThat(second(Scheduler.RTDS, "xl-4.5-sched-rtds.txt"))
        .isEqualTo(Rtds.of(ms(10), ms(4), false));
    assertThat(second(Scheduler.RTDS, "xl-4.7-sched-rtds-v-all.txt"))
        .isEqualTo(Rtds.of(ms(1), Duration.ofNanos(500_000), false));
    List<ParameterListing.Entry> entries =
        parsed(Scheduler.RTDS, recorded("xl-4.17-sched-rtds-v-all.txt"));
    assertThat(entries).hasSize(2);
    assertThat(entries.get(0).parameters()).contains(Rtds.of(ms(10), ms(4), true));
    assertThat(entries.get(0).cpupool()).isEqualTo("Pool-0");
  }

  @Test
  void keepsVcpusApartThatDiffer() {
    String text =
        recorded("xl-4.17-sched-rtds-v-all.txt")
            .replace("1     10000      4000", "1     20000      4000");
    assertThat(parsed(Scheduler.RTDS, text).get(0).parameters())
        .contains(
            SchedulerParameters.byVcpu(
                List.of(Rtds.of(ms(10), ms(4), true), Rtds.of(ms(20), ms(4), true))));
  }

  @Test
  void takesNoOutputAsNoDomains() {
    assertThat(
            parsed(Scheduler.CREDIT, recorded("xl-4.17-sched-credit-on-credit2-pool.stdout.txt")))
        .isEmpty();
    assertThat(
            parsed(Scheduler.CREDIT, recorded("xl-4.17-sched-credit-d-on-credit2-pool.stdout.txt")))
        .isEmpty();
  }

  @Test
  void readsSeveralPoolsOfOneListing() {
    String text =
        recorded("xl-4.17-sched-credit.txt")
            + recorded("xl-4.17-sched-credit.txt")
                .replace("Pool-0", "my pool")
                .replace("web", "a b");
    assertThat(parsed(Scheduler.CREDIT, text))
        .filteredOn(e -> e.name().equals("a b"))
        .extracting(ParameterListing.Entry::cpupool)
        .containsExactly("my pool");
  }

  @Test
  void refusesTextThatIsNoListing() {
    ParameterListing.Listed listed = ParameterListing.parse(Scheduler.CREDIT, "Segmentation fault");
    assertThatThrownBy(() -> new StrangeRows().keep("xl", List.of(), listed.strange()))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("'Segmentation fault'");
  }

  @Test
  void leavesOutADomainOneOfWhoseVcpusCannotBeUnderstood() {
    String text =
        recorded("xl-4.17-sched-rtds-v-all.txt")
            .replace("1     10000      4000", "1     10000      many");
    ParameterListing.Listed listed = ParameterListing.parse(Scheduler.RTDS, text);
    assertThat(listed.entries()).hasSize(1);
    assertThat(listed.strange()).singleElement().asString().contains("many");
  }

  @Test
  void understandsDomainListsOfBothToolstacks() {
    assertThat(DomainListing.parse(recorded("xl-4.17-list.txt"), "Pool-0").domains())
        .containsExactly(
            new Domain("Domain-0", 0, 4, 5068.6, "Pool-0"),
            new Domain("web", 3, 1, 123.4, "Pool-0"),
            new Domain("vmm-bench-01", 7, 2, 0.0, "Pool-0"));
    assertThat(DomainListing.parse(recorded("xl-4.17-list-cpupool.txt"), "Pool-0").domains())
        .extracting(Domain::cpupool)
        .containsExactly("Pool-0", "Pool-0", "bench");
    assertThat(DomainListing.parse(recorded("xm-3.3-list.txt"), "Pool-0").domains()).hasSize(3);
  }

  @Test
  void leavesOutDomainsThatAreShutDownOrDying() {
    String text =
        recorded("xl-4.17-list.txt")
            + "(null)                                       8     0     1     --ps-d       0.1\n"
            + "crashed                                      9   128     1     ---sc-       0.1\n";
    assertThat(DomainListing.parse(text, "Pool-0").domains()).hasSize(3);
  }

  @Test
  void understandsCpupools() {
    assertThat(CpupoolListing.parse("l", recorded("xl-4.17-cpupool-list.txt")))
        .containsExactly(
            new CpuPool("Pool-0", 6, "credit2", 2), new CpuPool("bench", 2, "credit", 1));
  }

  @Test
  void putsVersionTogetherFromItsParts() {
    assertThat(InfoListing.parse(recorded("xm-3.3-info-excerpt.txt")).version())
        .hasValue(new HypervisorVersion(3, 3, ".0"));
    assertThat(InfoListing.parse("command not implemented").version()).isEqualTo(Optional.empty());
  }

  private static SchedulerParameters sedf(long period, long slice, boolean extratime, int weight) {
    return Sedf.of(ms(period), ms(slice), Duration.ZERO, extratime, weight);
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
