package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.run.validity.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Protects that one sentence on many trials is one line with its count. */
class CheckScreenTest {
  @Test
  void foldsSentencesThatDifferOnlyInNumbers() {
    List<Violation> violations =
        IntStream.rangeClosed(1, 36)
            .mapToObj(
                trial ->
                    new Violation(
                        "lab",
                        "the embedded lab is not late",
                        "000" + trial,
                        "the lab was late by " + trial + ".5 ms",
                        "other work",
                        false,
                        ""))
            .toList();
    List<String> lines =
        CheckScreen.lines(List.of(CheckScreen.Checked.of(Path.of("run"), violations, 0)));
    assertThat(lines)
        .hasSize(5)
        .last()
        .asString()
        .isEqualTo("    1  36 times, first 0001  in doubt: the lab was late by 1.5 to 36.5 ms");
  }
}
