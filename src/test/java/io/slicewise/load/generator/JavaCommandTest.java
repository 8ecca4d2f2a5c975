package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runs that last get the second compiler, and it the threads to be done before the window. */
class JavaCommandTest {
  private static final Duration SLACK = Duration.ofMinutes(2);

  @Test
  void shortRunsStayWithTheFirstCompiler() {
    assertThat(JavaCommand.compilers(SLACK.plusSeconds(30), 2))
        .containsExactly("-XX:TieredStopAtLevel=1");
  }

  @Test
  void fewCoresGetMoreCompilersThanJavaWouldTake() {
    assertThat(JavaCommand.compilers(SLACK.plusSeconds(31), 2))
        .containsExactly("-XX:CICompilerCount=4");
    assertThat(JavaCommand.compilers(SLACK.plusSeconds(31), 8)).isEmpty();
  }

  @Test
  void theJvmKnowsItsOptionsBeforeItsProgram() {
    LoadRequest request =
        new LoadRequest(
            Path.of("plan.jmx"), 1, Duration.ZERO, SLACK, Map.of(), Path.of("directory"));
    assertThat(JavaCommand.of(request, "run").words())
        .containsSubsequence(
            "-XX:TieredStopAtLevel=1",
            "io.slicewise.load.generator.child.Generator",
            "plan.jmx",
            "directory",
            "120000",
            "run");
  }
}
