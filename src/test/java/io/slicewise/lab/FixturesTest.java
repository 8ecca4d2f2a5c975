package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds listings and refusals of each version to the fixtures made from that version's own formats.
 * The fixtures' domids 3 and 7 are 1 and 2 here.
 */
class FixturesTest {
  private static LabShell lab(String toolstack, String scheduler) {
    return new LabShell(
        LabOptions.sshOnly()
            .withToolstack(toolstack)
            .withScheduler(Scheduler.ofXenName(scheduler).orElseThrow())
            .withCpus(2, 2)
            .withGuests(LabGuest.of("web", 1), LabGuest.of("vmm-bench-01", 2)));
  }

  private static String fixture(String name) throws IOException {
    try (InputStream stream = FixturesTest.class.getResourceAsStream("/lab/fixtures/" + name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .replace("    3 ", "    1 ")
          .replace("    7 ", "    2 ")
          .replaceAll("stopped-vm .*\n", "");
    }
  }

  @ParameterizedTest(name = "{0} {1}: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "xl-4.1 | credit | xl sched-credit -d 0 -w 512; xl sched-credit -d vmm-bench-01 -w 100 -c 150 | xl sched-credit | xl-4.1-sched-credit.txt",
        "xl-4.4 | credit | xl sched-credit -d 0 -w 512; xl sched-credit -d vmm-bench-01 -w 100 -c 150 | xl sched-credit | xl-4.2-sched-credit.txt",
        "xl-4.22 | credit | xl sched-credit -d 0 -w 512; xl sched-credit -d vmm-bench-01 -w 100 -c 150 | xl sched-credit | xl-4.17-sched-credit.txt",
        "xl-4.22 | credit | true | xl sched-credit -d web | xl-4.17-sched-credit-one-domain.txt",
        "xl-4.4 | credit2 | xl sched-credit2 -d 0 -w 512; xl sched-credit2 -d vmm-bench-01 -w 100 | xl sched-credit2 | xl-4.2-sched-credit2.txt",
        "xl-4.22 | credit2 | xl sched-credit2 -d 0 -w 512; xl sched-credit2 -d vmm-bench-01 -w 100 -c 150 | xl sched-credit2 | xl-4.17-sched-credit2.txt",
        "xl-4.22 | credit2 | true | xl sched-credit | xl-4.17-sched-credit-on-credit2-pool.stdout.txt",
        "xl-4.5 | rtds | xl sched-rtds -d vmm-bench-01 -p 20000 -b 5000 | xl sched-rtds | xl-4.5-sched-rtds.txt",
        "xl-4.22 | rtds | xl sched-rtds -d web -v all -p 1000 -b 500 -e 0 | xl sched-rtds | xl-4.17-sched-rtds.txt",
        "xm-3.3 | credit | xm sched-credit -d web -w 512; xm sched-credit -d vmm-bench-01 -c 50 | xm sched-credit | xm-3.3-sched-credit.txt",
        "xm-3.3 | credit | xm sched-credit -d web -w 512 | xm sched-credit -d web | xm-3.3-sched-credit-one-domain.txt",
        "xm-3.1 | credit | xm sched-credit -d web -w 512; xm sched-credit -d vmm-bench-01 -c 50 | xm sched-credit | xm-3.1-sched-credit.txt",
        "xm-4.1 | credit2 | xm sched-credit2 -d web -w 512 | xm sched-credit2 | xm-4.1-sched-credit2.txt",
        "xm-3.3 | sedf | xm sched-sedf vmm-bench-01 -p 10 -s 2.5 -e 0 | xm sched-sedf | xm-3.3-sched-sedf.txt",
        "xm-3.1 | sedf | xm sched-sedf vmm-bench-01 -p 10 -s 2.5 -e 0 | xm sched-sedf | xm-3.1-sched-sedf.txt",
        "xm-3.3 | sedf | xm sched-sedf vmm-bench-01 -p 10 -s 2.5 -e 0 | xm sched-sedf vmm-bench-01 | xm-3.3-sched-sedf-one-domain.txt"
      })
  void printsListing(String toolstack, String scheduler, String setUp, String command, String name)
      throws IOException {
    try (LabShell shell = lab(toolstack, scheduler)) {
      for (String line : List.of(setUp.split("; ", -1))) {
        assertThat(shell.run(line).status()).as(line).isZero();
      }
      LabShell.Result result = shell.run(command);
      assertThat(result.output()).isEqualTo(fixture(name));
      assertThat(result.status()).isZero();
    }
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "xm-3.3 | credit | xm sched-sedf | 1 | xm-3.1-wrong-scheduler.stderr.txt",
        "xm-3.3 | credit | xm sched-credit -d nosuchdom | 1 | xm-3.1-unknown-domain.stderr.txt",
        "xm-4.4 | credit | xm sched-credit -d nosuchdom -w 1 | 3 | xm-3.1-unknown-domain.stderr.txt",
        "xm-3.3 | credit | xm sched-credit -d web -w 70000 | 1 | xm-3.3-weight-out-of-range.stderr.txt",
        "xm-4.4 | credit | xm sched-credit -d web -w 70000 | 1 | xm-4.4-weight-out-of-range.stderr.txt",
        "xm-3.3 | sedf | xm sched-sedf web -p 20 | 1 | xm-3.3-sedf-invalid.stderr.txt",
        "xl-4.1 | credit | xl sched-credit -d nosuchdom | 2 | xl-4.17-unknown-domain.stderr.txt",
        "xl-4.22 | credit2 | xl sched-credit -d nosuchdom | 1 | xl-4.17-unknown-domain.stderr.txt",
        "xl-4.4 | credit2 | xl sched-credit -d web | 6 | xl-4.17-sched-credit-d-on-credit2-pool.stderr.txt",
        "xl-4.22 | credit2 | xl sched-credit -d web | 1 | xl-4.17-sched-credit-d-on-credit2-pool.stderr.txt"
      })
  void refuses(String toolstack, String scheduler, String command, int status, String name)
      throws IOException {
    try (LabShell shell = lab(toolstack, scheduler)) {
      LabShell.Result result = shell.run(command);
      assertThat(result.errors()).isEqualTo(fixture(name));
      assertThat(result.status()).isEqualTo(status);
    }
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "xl-4.4 | credit | xl sched-credit -p nosuchpool | 253",
        "xl-4.4 | credit | xl sched-credit -s -p nosuchpool | 3",
        "xl-4.4 | credit | xl sched-sedf | 0",
        "xl-4.22 | credit | xl sched-sedf | 1",
        "xl-4.1 | credit | xl sched-credit2 | 1",
        "xm-4.4 | credit | xl sched-credit | 1",
        "xm-4.4 | credit | xl -f sched-credit | 0",
        "xm-3.3 | credit | xl list | 127",
        "xl-4.17 | credit | xm list | 127"
      })
  void answersWithTheStatusOfItsVersion(
      String toolstack, String scheduler, String command, int status) {
    try (LabShell shell = lab(toolstack, scheduler)) {
      assertThat(shell.run(command).status()).isEqualTo(status);
    }
  }
}
