package io.slicewise.host.xen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.GarbledShell;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.LabSettings;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the host over a real SSH connection: what is asked is what the machine itself has
 * afterwards, whatever the toolstack and scheduler, and the host is put back exactly as found.
 */
@Tag("lab")
class ToolstackOnLabTest {
  private static Lab lab(String toolstack, Scheduler scheduler) {
    return Lab.start(LabOptions.sshOnly().withToolstack(toolstack).withScheduler(scheduler));
  }

  private static SchedulerParameters other(Scheduler scheduler, int n) {
    return switch (scheduler.xenName()) {
      case "credit" -> Credit.of(300 + n, 10 * n);
      case "credit2" -> Credit2.of(300 + n, 0);
      case "sedf" -> Sedf.of(ms(20 + n), ms(5), Duration.ZERO, n % 2 == 0, 0);
      default -> Rtds.of(ms(20 + n), ms(5), false);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "xm-3.3,credit",
    "xm-3.3,sedf",
    "xm-4.4,credit",
    "xl-4.1,credit",
    "xl-4.4,credit",
    "xl-4.4,credit2",
    "xl-4.4,sedf",
    "xl-4.17,credit",
    "xl-4.17,credit2",
    "xl-4.17,rtds"
  })
  void setsReadsBackAndRestores(String toolstack, String name) {
    Scheduler scheduler = Scheduler.ofXenName(name).orElseThrow();
    try (Lab lab = lab(toolstack, scheduler);
        RemoteShell shell = LabClient.open(lab)) {
      LabSettings before = lab.settings();
      Hypervisor host = new Xen().probe(shell, false, Optional.empty());
      assertThat(
              host.describe().toolstack()
                  + "-"
                  + host.describe().version().major()
                  + "."
                  + host.describe().version().minor())
          .isEqualTo(toolstack);
      List<Hypervisor.Setting> found =
          host.settings().stream().filter(setting -> setting.target() instanceof Domain).toList();
      assertThat(found).hasSize(4);
      List<Hypervisor.Setting> wanted =
          IntStream.range(0, found.size())
              .mapToObj(n -> new Hypervisor.Setting(found.get(n).target(), other(scheduler, n)))
              .toList();
      assertThat(host.apply(wanted)).allMatch(Hypervisor.Applied::matches);
      for (Hypervisor.Setting setting : wanted) {
        assertThat(lab.settings().of(setting.target().name())).isEqualTo(setting.parameters());
      }
      assertThat(host.apply(found)).allMatch(Hypervisor.Applied::matches);
      assertThat(lab.settings()).isEqualTo(before);
    }
  }

  @Test
  void restoresVcpusThatDiffered() {
    try (Lab lab = lab("xl-4.17", Scheduler.RTDS);
        RemoteShell shell = LabClient.open(lab)) {
      shell.run(
          Command.changing(
              "xl",
              "sched-rtds",
              "-d",
              "NFS_Server",
              "-v",
              "1",
              "-p",
              "30000",
              "-b",
              "6000",
              "-e",
              "0"));
      LabSettings before = lab.settings();
      Hypervisor host = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
      List<Hypervisor.Setting> found = host.settings();
      Hypervisor.Setting differing =
          found.stream().filter(s -> s.parameters().isByVcpu()).findFirst().orElseThrow();
      assertThat(differing.target().name()).isEqualTo("NFS_Server");
      host.apply(differing.target(), Rtds.of(ms(20), ms(4), false));
      assertThat(lab.settings()).isNotEqualTo(before);
      assertThat(host.apply(found)).allMatch(Hypervisor.Applied::matches);
      assertThat(lab.settings()).isEqualTo(before);
    }
  }

  @Test
  void readsDomainsUnderTheirPoolsSchedulers() {
    try (Lab lab = lab("xl-4.17", Scheduler.CREDIT2);
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = new Xen().probe(shell, false, Optional.empty());
      for (List<String> words :
          List.of(
              List.of("cpupool-cpu-remove", "Pool-0", "3"),
              List.of("cpupool-create", "name=\"bench\"", "sched=\"credit\"", "cpus=[\"3\"]"),
              List.of("cpupool-migrate", "Apache_Server", "bench"))) {
        String[] line = Stream.concat(Stream.of("xl"), words.stream()).toArray(String[]::new);
        assertThat(shell.run(Command.changing(line)).succeeded()).isTrue();
      }
      assertThat(host.describe().cpupools())
          .extracting(CpuPool::name, CpuPool::scheduler)
          .containsExactly(tuple("Pool-0", "credit2"), tuple("bench", "credit"));
      Domain apache =
          host.settings().stream()
              .filter(s -> s.parameters().scheduler() == Scheduler.CREDIT)
              .map(setting -> (Domain) setting.target())
              .findFirst()
              .orElseThrow();
      assertThat(apache.name()).isEqualTo("Apache_Server");
      assertThat(apache.cpupool()).isEqualTo("bench");
      assertThat(host.apply(apache, Credit.of(512, 50)).matches()).isTrue();
      assertThatThrownBy(() -> host.apply(apache, Credit2.of(512, 50)))
          .hasMessage("Apache_Server is in cpupool bench, which runs credit, not credit2.");
    }
  }

  /** A state not known, a row of another width, and a value that is no number. */
  @ParameterizedTest
  @CsvSource({
    "(NFS_Server +\\d+ +\\d+ +\\d+ +)\\S{6}, $1running, xl list -c",
    "(NFS_Server +\\d+ +\\d+ ), $1 8x, xl list -c",
    "(NFS_Server +\\d+ +)256, $1many, xl sched-credit",
    "(NFS_Server +\\d+ +)256, $11.5, xl sched-credit"
  })
  void aRowThatCannotBeUnderstoodBlocksNoOtherGuest(String row, String instead, String command) {
    try (Lab lab = lab("xl-4.17", Scheduler.CREDIT);
        RemoteShell shell = new GarbledShell(LabClient.open(lab), row, instead)) {
      Hypervisor host = new Xen().probe(shell, false, Optional.empty());
      assertThat(host.settings())
          .extracting(setting -> setting.target().name())
          .contains("Domain-0", "Apache_Server", "MySQL_Server")
          .doesNotContain("NFS_Server");
      assertThat(host.state().guests()).containsKeys("Domain-0", "Apache_Server");
      Domain apache =
          host.domains().stream()
              .filter(domain -> domain.name().equals("Apache_Server"))
              .findFirst()
              .orElseThrow();
      assertThat(host.apply(apache, Credit.of(300, 0)).matches()).isTrue();
      assertThat(host.refusal("Apache_Server", Credit.of(512, 0))).isEmpty();
      String reason = "is in a row of '" + command + "' that cannot be understood: 'NFS_Server ";
      assertThat(host.refusal("NFS_Server", Credit.of(512, 0)))
          .hasValueSatisfying(refusal -> assertThat(refusal).startsWith("NFS_Server " + reason));
      assertThat(host.whyMissing("NFS_Server")).startsWith(reason);
      assertThat(host.guests().get("NFS_Server").uuid()).as("it is not gone").isNotEmpty();
    }
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
