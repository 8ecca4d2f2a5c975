package io.slicewise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds xenmon to the layouts, the timing and the traps of the versions that users meet. */
@MeasuresInRealTime
class XenmonTest {
  private static final LabOptions BURNING =
      LabOptions.sshOnly()
          .withCpus(1, 1)
          .withScheduler(Scheduler.CREDIT)
          .withGuests(
              LabGuest.burning("web", 1), LabGuest.burning("db", 1), LabGuest.of("idle", 1));

  private static List<double[]> rows(LabClient client, String program, Path directory, int domid)
      throws IOException {
    CommandResult result =
        client
            .shell()
            .run(
                Command.changing(program, "-n", "-p", "/tmp/log", "-t", "1", "-i", "250")
                    .within(Duration.ofSeconds(10)));
    assertThat(result.exitStatus()).isZero();
    Path local = directory.resolve("log" + domid);
    client.shell().fetch("/tmp/log-dom" + domid + ".log", local);
    List<String> lines = Files.readAllLines(local);
    assertThat(lines.get(0)).startsWith("# passed cpu dom cpu(tot) cpu(%)");
    return lines.stream()
        .skip(1)
        .map(line -> Arrays.stream(line.split(" ", -1)).mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  /** The mean of a column without the diluted first row. */
  private static double mean(List<double[]> rows, int column) {
    return rows.stream().skip(1).mapToDouble(row -> row[column]).average().orElseThrow();
  }

  @Test
  void sharesOfTwoBurningGuestsAddUpUpTo47(@TempDir Path directory) throws IOException {
    try (LabClient client = LabClient.start(BURNING.withToolstack("xl-4.4"))) {
      List<double[]> rows = rows(client, "xenmon.py", directory, 1);
      assertThat(rows).hasSize(5).allSatisfy(row -> assertThat(row).hasSize(16));
      assertThat(mean(rows, 4)).as("cpu(%)").isCloseTo(50, within(8.0));
      assertThat(mean(rows, 3) + mean(rows, 7) + mean(rows, 10))
          .as("all of a second")
          .isCloseTo(1e9, within(1e8));
      assertThat(rows.get(0)[4]).as("the first pass is diluted").isLessThan(40);
      assertThat(rows.get(1)[0]).as("a stamp one interval old").isLessThan(249);
      assertThat(directory.resolve("log3")).doesNotExist();
    }
  }

  @Test
  void waitSlipsIntoAnotherColumnFrom48(@TempDir Path directory) throws IOException {
    try (LabClient client = LabClient.start(BURNING.withToolstack("xl-4.17"))) {
      List<double[]> rows = rows(client, "xenmon", directory, 1);
      assertThat(mean(rows, 10)).as("the sum of the numbers of vCPU 0").isZero();
      double wait =
          rows.stream().skip(1).mapToDouble(row -> row[6] * row[13]).average().orElseThrow();
      assertThat(wait + mean(rows, 3)).as("wait and run").isCloseTo(1e9, within(1e8));
      assertThat(client.run("xenmon.py --help").exitStatus()).isEqualTo(127);
    }
  }

  @Test
  void explainsItsOptionsAsPythonsParserDoes() {
    LabShell shell = new LabShell(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT));
    try (shell) {
      assertThat(shell.run("xenmon --help").output())
          .startsWith(
              "Usage: xenmon [options]\n\nOptions:\n  -h, --help            show this help");
      assertThat(shell.run("xenmon -q").errors())
          .isEqualTo("Usage: xenmon [options]\n\nxenmon: error: no such option: -q\n");
      assertThat(shell.run("xenmon extra").errors()).endsWith("error: No parameter required\n");
    }
  }
}
