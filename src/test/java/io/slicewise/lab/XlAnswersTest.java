package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Scheduler;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds what the lab's 4.17 answers to mistakes to the sources and recordings of a real one. */
class XlAnswersTest {
  private static LabShell shell;

  @BeforeAll
  static void boot() {
    shell = new LabShell(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT));
  }

  @AfterAll
  static void stop() {
    shell.close();
  }

  @Test
  void destroysNoPoolInUseAndLogsNothing() {
    assertThat(shell.run("xl cpupool-destroy Pool-0"))
        .isEqualTo(new LabShell.Result(1, "", "Can't destroy cpupool 'Pool-0'\n"));
  }

  @Test
  void keepsTheLastCpuOfPoolInUse() {
    LabShell.Result result =
        shell.run(
            "for c in 1 2 3; do xl cpupool-cpu-remove Pool-0 $c; done; xl cpupool-cpu-remove Pool-0"
                + " 0");
    shell.run("for c in 1 2 3; do xl cpupool-cpu-add Pool-0 $c; done");
    assertThat(result.status()).isZero();
    assertThat(result.errors())
        .endsWith(
            """
            libxl: error: libxl_cpupool.c:365:libxl_cpupool_cpuremove: Error removing cpu 0 from cpupool: Device or resource busy
            Some cpus may have not or only partially been removed from 'Pool-0'.
            If a cpu can't be added to another cpupool, add it to 'Pool-0' again and retry.
            """);
  }

  @Test
  void printsTheHeaderBeforeItLooksForDomain() {
    LabShell.Result result = shell.run("xl vcpu-list nosuch");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.output()).startsWith("Name ").hasLineCount(1);
    assertThat(result.errors()).isEqualTo("nosuch is an invalid domain identifier (rc=-6)\n");
  }

  @Test
  void listsNoVcpusOfNumberThatNoDomainHas() {
    LabShell.Result result = shell.run("xl vcpu-list 99");
    assertThat(result.status()).isZero();
    assertThat(result.output()).startsWith("Name ").hasLineCount(1);
    assertThat(result.errors()).contains("libxl_list_vcpu: Domain 99:Getting infolist");
  }

  @Test
  void saysThatDomainWithoutSchedulerIsUnknown() {
    assertThat(shell.run("xl sched-credit -d 99").errors())
        .contains("libxl__domain_cpupool: getinfolist failed 0")
        .contains("libxl_domain_sched_params_get: Domain 99:Unknown scheduler\n")
        .endsWith("libxl_domain_sched_params_get failed.\n");
  }

  @Test
  void findsNoTerminalForTheLiveView() {
    String opening = "Error opening terminal: unknown.\n";
    assertThat(shell.run("xentop")).isEqualTo(new LabShell.Result(1, "", opening));
  }
}
