package io.slicewise.workload.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.workload.target.BubbleSort.SortReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects that a guest's sort and ours agree: the same command in this machine's own shell and
 * awk, the sort in Java, and what is expected by another algorithm.
 */
class BubbleSortTest {
  @ParameterizedTest
  @CsvSource({"2,1", "3,7", "100,1", "701,2147483646"})
  void sortsAsThisMachinesAwkDoes(int length, int seed) {
    BubbleSort sort = new BubbleSort(length, seed);
    assertThat(sort.expected()).isEqualTo(sort.sort());
    try (RemoteShell shell = Shells.local()) {
      assumeThat(shell.run(Command.reading("sh", "-c", "command -v awk")).succeeded()).isTrue();
      CommandResult result =
          shell.run(new Command(sort.words(), Duration.ofSeconds(30), Command.Effect.READS));
      assertThat(result.standardError()).isEmpty();
      assertThat(SortReport.parse(result.standardOutput()))
          .hasValueSatisfying(
              report -> {
                assertThat(report.answer()).isEqualTo(sort.expected().line());
                assertThat(report.user().plus(report.system()))
                    .isLessThanOrEqualTo(result.elapsed().plusMillis(20));
              });
    }
  }

  @Test
  void expectsWhatTheGeneratorsAuthorsPublished() {
    // The 10,000th number from seed 1 is 1043618065 (Park and Miller, 1988).
    BubbleSort shorter = new BubbleSort(9_999, 1);
    BubbleSort longer = new BubbleSort(10_000, 1);
    assertThat(longer.numbers()[9_999]).isEqualTo(1_043_618_065);
    assertThat(longer.expected().swaps()).isGreaterThan(shorter.expected().swaps());
    assertThat(longer.comparisons()).isEqualTo(49_995_000);
  }

  @Test
  void readsWhatShellsPrint() {
    List<String> shells =
        List.of(
            "0m0.000000s 0m0.000000s\n1m2.250000s 0m0.070000s\n",
            "0m0.002s 0m0.000s\n1m2.250s 0m0.070s\n",
            "0m0.00s 0m0.00s\n1m2.25s 0m0.07s\n");
    assertThat(shells)
        .allSatisfy(
            times ->
                assertThat(SortReport.parse("2 1 5 6\n" + times))
                    .contains(
                        new SortReport(
                            "2 1 5 6", Duration.ofMillis(62_250), Duration.ofMillis(70))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2 1 5 6\n", "2 1 5 6\n0m0.0s 0m0.0s\nuser 1.0\n"})
  void takesNothingElseForAReport(String text) {
    assertThat(SortReport.parse(text)).isEmpty();
  }

  @Test
  void refusesListsThatCannotBeSorted() {
    assertThatThrownBy(() -> new BubbleSort(1, 1)).hasMessageContaining("length 1 is not in 2..");
    assertThatThrownBy(() -> new BubbleSort(2, 0)).hasMessageContaining("seed 0 is not in 1..");
  }
}
