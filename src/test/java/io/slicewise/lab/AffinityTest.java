package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds affinities, hard and soft, to the listing's fixture, and what the lab does not have to the
 * toolstack's own refusal.
 */
class AffinityTest {
  private static LabShell lab(String toolstack) {
    return new LabShell(
        LabOptions.sshOnly()
            .withToolstack(toolstack)
            .withScheduler(Scheduler.CREDIT)
            .withCpus(4, 1)
            .withGuests(LabGuest.of("other", 1), LabGuest.of("another", 1), LabGuest.of("web", 2)));
  }

  /** Where each vCPU is, and how long it ran, differs from the fixture's host. */
  private static List<String> affinities(String listing) {
    return listing.lines().map(line -> line.substring(0, 44) + line.substring(65)).toList();
  }

  @Test
  void listsHardAndSoftAffinityByteForByte() throws IOException {
    try (LabShell shell = lab("xl-4.17");
        InputStream stream =
            AffinityTest.class.getResourceAsStream("/lab/fixtures/xl-4.17-vcpu-list.txt")) {
      assertThat(shell.run("xl vcpu-pin web 0 1").status()).isZero();
      assertThat(shell.run("xl vcpu-pin web 1 0-1,3 2").status()).isZero();
      String fixture =
          new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("none", "2");
      String listed = shell.run("xl vcpu-list 0").output();
      String web = shell.run("xl vcpu-list web").output().replaceAll("(?s)^[^\n]*\n", "");
      assertThat(affinities(listed + web)).isEqualTo(affinities(fixture));
    }
  }

  @Test
  void aDashLeavesAnAffinityAsItIs() {
    try (LabShell shell = lab("xl-4.22")) {
      assertThat(shell.run("xl vcpu-pin web all 0-2 1").status()).isZero();
      assertThat(shell.run("xl vcpu-pin web 0 - 3").status()).isZero();
      assertThat(shell.run("xl vcpu-pin web 1 all -").status()).isZero();
      assertThat(shell.run("xl vcpu-list web").output().lines().skip(1))
          .satisfiesExactly(
              first -> assertThat(first).endsWith("  0-2 / 3"),
              second -> assertThat(second).endsWith("  all / 1"));
    }
  }

  @Test
  void olderOnesHaveNoSoftAffinity() {
    try (LabShell shell = lab("xl-4.4")) {
      assertThat(shell.run("xl -f vcpu-pin web 0 1").status()).isZero();
      assertThat(shell.run("xl vcpu-list web").output().lines().skip(1).findFirst().orElseThrow())
          .endsWith("  1");
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "xl-4.17 | xl list -Z | option `Z' not supported.",
        "xl-4.22 | xl create web.cfg | command not implemented",
        "xm-3.3 | xm list --label | Error: option --label not recognized",
        "xm-4.1 | xm cpupool-create bench | Error: Subcommand cpupool-create not found!"
      })
  void refusesWhatItDoesNotHaveAsTheToolstackDoes(String toolstack, String command, String error) {
    try (LabShell shell = lab(toolstack)) {
      LabShell.Result result = shell.run(command);
      assertThat(result.status()).isPositive();
      assertThat(result.errors()).isEqualTo(error + "\n");
    }
  }

  @Test
  void selectsByPool() {
    try (LabShell shell = lab("xm-4.1")) {
      assertThat(shell.run("xm list --pool=Pool-0").output().lines()).hasSize(5);
      assertThat(shell.run("xm list --pool=other").output().lines()).hasSize(1);
    }
  }
}
