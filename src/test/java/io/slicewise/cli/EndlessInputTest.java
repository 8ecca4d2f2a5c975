package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Protects that a device in the place of a file is refused in one sentence, and soon. */
@Timeout(60)
@Tag("lab")
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

  @Test
  void aPipeInThePlaceOfAFileIsRefusedAtOnce() throws Exception {
    String pipe = directory.resolve("waiting").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
    for (String experiment :
        List.of(
            pipe,
            shop("profiles: [{file: %s}]".formatted(pipe), "observe"),
            shop("users: 1\nprofiles: [as-found]", "{name: plan, plan: %s}".formatted(pipe)))) {
      Said said = CommandLines.run("plan", "--offline", experiment);
      assertThat(said.err()).contains(pipe, "it is a pipe or a socket, not a file");
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    }
  }

  @Test
  void deeplyNestedConfigurationIsRefusedAtOnce() throws IOException {
    for (String deep : List.of("[".repeat(200_000), "- ".repeat(200_000), "{a: ".repeat(100_000))) {
      Path file = Files.writeString(directory.resolve("deep.yaml"), deep);
      long before = cpu();
      assertThat(CommandLines.run("plan", file.toString()).err())
          .contains("deep.yaml:1: lists and maps are nested more than 40 deep");
      assertThat(cpu() - before).isLessThan(3_000_000_000L);
    }
  }

  /** Returns the CPU time of this thread in ns, which a busy machine does not lengthen. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Test
  void nothingIsQuotedFromAFileThatIsNoProfileFile() throws IOException {
    for (String text :
        List.of(
            "root:s3cret: 1\nother: s3cret\n",
            "s3cret\n",
            "s3cret: 1\ns3cret: 2\n",
            "a: *s3cret\n",
            "a: [s3cret\n\tb: }\n")) {
      Path foreign = Files.writeString(directory.resolve("shadow"), text);
      Said said =
          CommandLines.run(
              "plan", "--offline", shop("profiles: [{file: %s}]".formatted(foreign), "observe"));
      assertThat(said.err()).as(text).contains(foreign + ":").doesNotContain("s3cret");
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    }
  }

  @Test
  void aRefusedAddressKeepsItsLoginToItself() throws IOException {
    String workload = "{name: web-app, target: 'http://anna:s3cret@%s/'}".formatted("w".repeat(60));
    Said said = CommandLines.run("plan", "--offline", shop("profiles: [as-found]", workload));
    assertThat(said.err()).contains("must not contain a user or a password", "http://***@");
    assertThat(said.err()).doesNotContain("s3cret", "anna");
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
