package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.HypervisorException;
import io.slicewise.run.result.TrialFault;
import io.slicewise.ssh.RemoteShellException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Protects that a fault fits the terminal and that its own lines stay lines. */
class ErrorPrinterTest {
  private static final String LONG =
      "the host does not answer and is asked again ".repeat(6).strip();

  @Test
  void breaksWhatIsWiderThanTheTerminalBetweenWords() {
    assertThat(ErrorPrinter.lines(LONG, LONG, 100))
        .hasSizeGreaterThan(4)
        .allMatch(line -> line.length() <= 100)
        .satisfies(
            lines ->
                assertThat(String.join(" ", lines).replaceAll(" +", " "))
                    .isEqualTo("slicewise: " + LONG + " " + LONG));
  }

  @Test
  void leavesTheLinesOfAMessageAndOfAHintAsTheyAre() {
    assertThat(ErrorPrinter.lines("two faults\n  line 1\n  line 2", "mend them", 100))
        .containsExactly("slicewise: two faults", "  line 1", "  line 2", "  mend them");
    assertThat(ErrorPrinter.lines(LONG, "", Integer.MAX_VALUE))
        .containsExactly("slicewise: " + LONG);
  }

  @Test
  void exitCodeFollowsTheKindOfErrorWhateverPackageItComesFrom() {
    PrintWriter err = new PrintWriter(new StringWriter());
    assertThat(ErrorPrinter.print(err, new HypervisorException("xl refused", "")))
        .isEqualTo(ExitCode.PREFLIGHT);
    assertThat(
            ErrorPrinter.print(
                err,
                new RemoteShellException(
                    RemoteShellException.Kind.UNREACHABLE, "no route to dom0", "", null)))
        .isEqualTo(ExitCode.HOST_LOST);
    assertThat(ErrorPrinter.print(err, new TrialFault("no samples")))
        .isEqualTo(ExitCode.TRIALS_FAILED);
    Exception unexpected = new IllegalStateException("unexpected");
    assertThat(ErrorPrinter.print(err, unexpected)).isEmpty();
  }
}
