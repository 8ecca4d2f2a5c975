package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Protects the user who runs a stranger's plan: its scripts run only after a yes to this plan. */
@ResourceLock("slicewise.state.allowed-plans")
@Tag("lab")
class PlanConsentTest {
  private static final String ALLOWED = "slicewise.state.allowed-plans";
  private static final String RUNS =
      "plan shop.jmx runs code with your rights: JSR223Sampler 'basket'";

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    System.setProperty(ALLOWED, directory.resolve("allowed").toString());
    try (InputStream plan = getClass().getResourceAsStream("own-plan/shop.jmx");
        InputStream rows = getClass().getResourceAsStream("own-plan/customers.csv")) {
      Files.write(directory.resolve("shop.jmx"), plan.readAllBytes());
      Files.write(directory.resolve("customers.csv"), rows.readAllBytes());
    }
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    file =
        Files.writeString(
            directory.resolve("shop.yaml"),
            """
            name: shop
            host: {address: 127.0.0.1, port: %d}
            domains: {main: [Apache_Server]}
            profiles: [as-found]
            workload: {name: plan, plan: shop.jmx}
            users: 1
            """
                .formatted(closed));
  }

  @AfterEach
  void forget() {
    System.clearProperty(ALLOWED);
  }

  private Said slicewise(String command, String... options) {
    return CommandLines.run(
        Stream.concat(List.of(command, file.toString()).stream(), List.of(options).stream())
            .toArray(String[]::new));
  }

  private Said run(String... options) {
    return slicewise(
        "run",
        Stream.concat(
                List.of(
                    "--results", directory.resolve("results").toString(), "--host-patience", "0")
                    .stream(),
                List.of(options).stream())
            .toArray(String[]::new));
  }

  @Test
  void planAndDoctorNameWhatRunsCodeAndRunRefusesItWithoutConsent() {
    assertThat(slicewise("plan", "--offline").out().replaceAll("\\s+", " "))
        .contains(RUNS + "; 'run' asks for your consent once, or takes --allow-plan-code");
    assertThat(slicewise("doctor").out().replaceAll("\\s+", " ")).contains(RUNS);
    Said refused = run();
    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(refused.err()).contains(RUNS + "; you have not allowed that", "--allow-plan-code");
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void consentIsRememberedForThisPlanAndNoOther() throws IOException {
    assertThat(run("--allow-plan-code").err()).doesNotContain("allowed");
    assertThat(run().err()).doesNotContain("allowed");
    assertThat(slicewise("plan", "--offline").out().replaceAll("\\s+", " "))
        .contains(RUNS + ", as you allowed");
    Path plan = directory.resolve("shop.jmx");
    Files.writeString(plan, Files.readString(plan).replace("basket", "bucket"));
    assertThat(run().err()).contains("JSR223Sampler 'bucket'; you have not allowed that");
  }

  @Test
  void aServerThatThePlanNamesItselfIsLoadedOnlyIfItIsAllowed() throws IOException {
    Path plan = directory.resolve("shop.jmx");
    String named = Files.readString(plan).replace("${__P(host,localhost)}", "shop.example");
    Files.writeString(plan, named);
    Said refused = run("--allow-plan-code");
    assertThat(refused.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(refused.err())
        .contains("the plan loads shop.example, which it names itself", "--allow-server");
    assertThat(run("--allow-server", "shop.example").err()).doesNotContain("names itself");
    Files.writeString(
        file,
        Files.readString(file).replace("shop.jmx}", "shop.jmx, target: http://shop.example/}"));
    assertThat(run().err()).doesNotContain("names itself");
    Files.writeString(plan, named.replace("shop.example", "127.0.0.1"));
    assertThat(run("--allow-plan-code").err()).doesNotContain("names itself");
  }

  @Test
  void aNightIsRefusedInsteadOfAsking() {
    Said night = slicewise("nightly", "--results", directory.resolve("results").toString());
    assertThat(night.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(night.err()).contains(RUNS + "; you have not allowed that");
  }

  @Test
  void aPersonAtTheTerminalIsAskedOnce() throws Exception {
    assertThat(asked("n")).contains(RUNS, "Allow it, now and later? [y/N]", "not allowed");
    assertThat(asked("")).contains("not allowed");
    assertThat(asked("y")).contains("Allow it").doesNotContain("not allowed");
    assertThat(asked("n")).doesNotContain("Allow it", "not allowed");
  }

  private String asked(String answer) throws IOException, InterruptedException {
    ProcessBuilder program =
        SlicewiseProcess.of(
            Main.class,
            directory,
            "run",
            file.toString(),
            "--plain",
            "--host-patience",
            "0",
            "--results",
            directory.resolve("results").toString());
    program.command().add(1, "-Dslicewise.terminals=12");
    program.environment().put("TERM", "xterm");
    Process process = program.start();
    process.getOutputStream().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said.replaceAll("\\e\\[[0-9;]*m", "").replaceAll("\\s+", " ");
  }

  @Test
  void aFileThatIsNoPlanIsRefusedByPlanAndRunWithoutAQuote() throws IOException {
    Files.writeString(directory.resolve("shop.jmx"), "root:$6$secret:1:2\n");
    for (Said said : List.of(slicewise("plan", "--offline"), run())) {
      assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
      assertThat(said.err())
          .contains("shop.jmx cannot be used: it is not the XML expected here, from line 1")
          .doesNotContain("secret");
    }
  }
}
