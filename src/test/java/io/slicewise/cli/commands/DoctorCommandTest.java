package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.Slicewise;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.profile.Scheduler;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Protects what {@code slicewise doctor} prints and answers to the shell. */
@Tag("lab")
class DoctorCommandTest {
  private static final String OBSERVE =
      """
      name: watch
      host: {address: 127.0.0.1, user: root, port: %d, identity: %s, known-hosts: %s}
      domains: {main: [Apache_Server]}
      profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
      workload: observe
      measure: 10s
      """;

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("watch.yaml");
  }

  private int doctor(String... options) {
    CommandLine commandLine = Slicewise.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    String[] arguments = new String[options.length + 2];
    arguments[0] = "doctor";
    arguments[1] = file.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return commandLine.execute(arguments);
  }

  private void hostThatDoesNotAnswer() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(
          file, OBSERVE.formatted(socket.getLocalPort(), directory.resolve("key"), file));
    }
  }

  @Test
  void answersZeroWhenNothingBlocks() throws IOException {
    try (Lab lab = Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT))) {
      Files.writeString(file, OBSERVE.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts()));

      assertThat(doctor()).isZero();
    }
    assertThat(out.toString().lines())
        .contains("ok        profiles     can run now: as-found, heavy")
        .anyMatch(
            line -> line.endsWith(" free for results; nothing is loaded, so only logs are kept"))
        .anyMatch(line -> line.matches("\\d+ ok, \\d+ warnings?, 0 blocking"))
        .allMatch(line -> line.length() <= 100);
  }

  /** One judgement of a profile on a host: nothing is planned that cannot run. */
  @Test
  void planAndRunRefuseWhatTheDoctorRefuses() throws IOException {
    try (Lab lab = Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.CREDIT))) {
      Map<String, String> faults =
          Map.of(
              "main: {cap: 950}", "cap 950 of Apache_Server is out of range",
              "placement: {Apache_Server: {affinity: 0-99}}", "names pCPU 4, and the host has 0-3",
              "placement: {Apache_Server: {affinity: [0, 0, 0, 0, 0]}}", "names pCPUs for 5 vCPUs",
              "split: {Pool-0: {cpus: 0-3, domains: Apache_Server}}", "would take the last pCPU",
              "split: {Pool-0: {cpus: 1, domains: Domain-0}}", "Domain-0 cannot leave its cpupool",
              "disks: {sdzz: {io-scheduler: none}}", "which this host does not have",
              "pools: {Pool-9: {ratelimit: none}}", "is not a cpupool of the host");
      for (Map.Entry<String, String> fault : faults.entrySet()) {
        Files.writeString(
            file,
            OBSERVE
                .formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts())
                .replace("main: {weight: 512}", fault.getKey())
                .replace("measure: 10s", "design: {kind: switchback, blocks: 2, window: 10s}"));
        String results = directory.resolve("results").toString();
        for (String command : List.of("doctor", "plan", "run")) {
          List<String> words = new ArrayList<>(List.of(command, file.toString()));
          words.addAll(command.equals("run") ? List.of("--results", results) : List.of());
          CommandLines.Said said = CommandLines.run(words.toArray(String[]::new));
          String text = (said.out() + said.err()).replaceAll("\\s+", " ");
          assertThat(said.exit()).as("%s of %s: %s", command, fault, text).isEqualTo(3);
          assertThat(text).contains("profile heavy").contains(fault.getValue());
          if (command.equals("plan")) {
            assertThat(text).startsWith("Stops profile heavy: ");
          }
        }
      }
    }
  }

  @Test
  void twoProfilesWithTheSameSettingsAreNoted() throws IOException {
    Files.writeString(
        file,
        OBSERVE
            .replaceAll("host: .*", "lab: {version: xl-4.4}")
            .replace(
                "}}]",
                "}}, {name: wide, scheduler: credit, domains: {Apache_Server: {weight: 512}}}]"));
    String same = "heavy and wide have the same settings";
    assertThat(doctor()).isZero();
    assertThat(out.toString().replaceAll("\\s+", " ")).contains(same);
    assertThat(CommandLines.run("plan", file.toString()).out().replaceAll("\\s+", " "))
        .contains(same);
  }

  @Test
  void looksAtTheEmbeddedLabWhenTheExperimentAsksForOne() throws IOException {
    Files.writeString(file, OBSERVE.replaceAll("host: .*", "lab: {version: xl-4.4}"));

    assertThat(doctor()).isZero();
    assertThat(out.toString()).contains("Xen 4.4").contains("through xl, 4 pCPUs");
  }

  @Test
  void answersThreeAndShowsTheWayOutWhenSomethingBlocks() throws IOException {
    hostThatDoesNotAnswer();

    assertThat(doctor()).isEqualTo(3);
    assertThat(out.toString().lines())
        .anyMatch(line -> line.startsWith("blocking  host "))
        .anyMatch(line -> line.strip().startsWith("-> "));
  }

  @Test
  void givesTheSameFactsAsJson() throws IOException {
    hostThatDoesNotAnswer();

    assertThat(doctor("--format", "json")).isEqualTo(3);
    JsonNode findings = Json.mapper().readTree(out.toString());
    assertThat(findings.get(0).get("level").asText()).isEqualTo("blocking");
    assertThat(findings.get(0).get("subject").asText()).isEqualTo("host");
    assertThat(findings.get(0).get("wayOut").asText()).isNotEmpty();
  }
}
