package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Protects that a device in the place of a file is refused in one sentence, and soon. */
@Timeout(60)
class EndlessInputTest {
  @TempDir private Path directory;

  @Test
  void configurationIsNoDevice() throws IOException {
    assertRefused(ExitCode.USAGE, "plan", "/dev/zero");
    assertRefused(ExitCode.USAGE, "plan", shop("profiles: [{file: /dev/zero}]", "observe"));
    assertRefused(
        ExitCode.USAGE,
        "plan",
        shop("profiles: [{file: /dev/zero}]", "{name: plan, plan: /dev/zero}"));
    assertRefused(ExitCode.USAGE, "check", "/dev/zero");
  }

  @Test
  void samplesAndLogsAreNoDevice() throws Exception {
    assertRefused(ExitCode.NO_VALID_DATA, "reduce", "/dev/zero");
    assertRefused(ExitCode.NO_VALID_DATA, "reduce", "--format", "json", "/dev/urandom");
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThat(PlainReduce.is(new String[] {"reduce", pipe.toString()})).isFalse();
    assertThat(CommandLines.run("reduce", pipe.toString()).err()).contains("it is a pipe");
  }

  @Test
  void configurationHasALimit() throws IOException {
    Path file = directory.resolve("large.yaml");
    Files.writeString(file, "# " + "x".repeat(4 << 20) + "\nname: shop\n");
    assertThat(CommandLines.run("plan", file.toString()).err())
        .contains(file + ": cannot be read: it is larger than 2 MiB");
  }

  private String shop(String profiles, String workload) throws IOException {
    return Files.writeString(
            directory.resolve("shop.yaml"),
            "name: shop\nlab: {}\ndomains: {main: [web]}\nworkload: %s\n%s\n"
                .formatted(workload, profiles))
        .toString();
  }

  private static void assertRefused(ExitCode code, String... arguments) {
    Said said = CommandLines.run(arguments);
    assertThat(said.err()).as(List.of(arguments).toString()).contains("/dev/");
    assertThat(said.err()).contains("device").doesNotContain("\tat ");
    assertThat(said.exit()).isEqualTo(code.code());
  }
}
