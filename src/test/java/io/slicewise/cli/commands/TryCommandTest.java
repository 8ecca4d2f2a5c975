package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects {@code try}: what it will do is shown first, and nothing is done without consent. */
class TryCommandTest {
  @Nested
  @KeepsTheMachineBusy
  class Before {
    @Test
    void showsTheChangeAndStopsWithoutATerminalToConfirmOn() {
      Said said = CommandLines.run("try", "--lab", "web:", "weight", "1024", "batch: cap 50%");
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
      assertThat(said.err()).contains("there is no terminal to confirm on", "--yes");
      assertThat(said.out())
          .contains(
              "TRY     web on the embedded lab: weight 256 cap 0 -> weight 1024 cap 0\n",
              "xl sched-credit -d 1 -w 1024 -c 0\n",
              "TRY     batch on the embedded lab: weight 256 cap 0 -> weight 256 cap 50\n",
              "Judge   mean response time of the lab's site, loaded by 10 users\n",
              "Time    2 m at most",
              "Cost    half of that time");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "try --lab web: weight 99999999 | weight 99999999 of web is out of range 1..65535",
          "try --lab web: weight 9 --at-most 10s | 10 s are too short for 8 pairs of windows of 2 s",
          "try --lab web: weight 9 --judge mail | there is no guest 'mail' to judge",
          "try --lab web: weight 9 --url http://web/ | --lab has a site of its own",
          "try web: weight 9 --url http://web/ --log a.log | three ways to judge one trial",
          "try --lab web: weight 9 --users 0 | --users 0 is less than 1",
        })
    void aMistakeIsOneSentence(String line, String sentence) {
      Said said = CommandLines.run(line.split(" "));
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
      assertThat(said.err().replaceAll("\\s+", " ")).contains(sentence);
    }
  }

  @Nested
  @MeasuresInRealTime
  class After {
    @TempDir Path directory;

    @Test
    void theRunKeepsItsExperimentAndRestoresTheHost() {
      Said said =
          CommandLines.run(
              "try",
              "--lab",
              "web: weight 1024",
              "--judge",
              "web",
              "--yes",
              "--anyway",
              "--at-most",
              "45s",
              "--results",
              directory.toString());
      RunDirectory run = RunDirectory.newest(directory).orElseThrow();
      assertThat(run.record().state()).as(said.err()).isEqualTo(RunState.DONE);
      assertThat(said.out())
          .contains("1 of 1 settings restored and verified", "File    " + run.experimentFile());
    }
  }
}
