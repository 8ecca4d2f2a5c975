package io.slicewise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects: {@code simulate} takes the file a run takes, says of everything that it was simulated,
 * and no other command mistakes its run for one that touched a host.
 */
class SimulateCommandTest {
  private static final String TINY =
      """
      name: tiny
      lab: {version: xm-3.3, scheduler: credit}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server]}
      profiles:
        - {name: heavy, scheduler: credit, main: {weight: 512}}
        - {name: sliced, scheduler: sedf, dom0: {period: 10ms, slice: 2ms, extratime: true}}
      workload: %s
      users: [5, 10]
      repetitions: 2
      ramp: 0s
      warm-up: 1s
      measure: 3s
      %s
      """;

  @TempDir private Path directory;

  private Said simulate(String workload, String more, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("tiny.yaml"), TINY.formatted(workload, more));
    String[] all = new String[options.length + 4];
    System.arraycopy(
        new String[] {"simulate", file.toString(), "--out", directory.resolve("out").toString()},
        0,
        all,
        0,
        4);
    System.arraycopy(options, 0, all, 4, options.length);
    return CommandLines.run(all);
  }

  @Test
  void printsTheTablesOfARunAndThatItWasSimulated() throws IOException {
    Said said = simulate("web-app", "", "--jobs", "2", "--verbose");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .startsWith("tiny (simulated)")
        .contains("simulated, not measured: service demands (dom0 16.00, web 10.00")
        .contains("sliced", "Apache_Server", "Host    none: simulated");
    assertThat(said.err()).contains("simulating 8 trials of 4 s", "minutes in");
  }

  @Test
  void endsWithTheAnswerOnOneScreen() throws IOException {
    assertThat(simulate("web-app", "").out().lines())
        .hasSizeLessThanOrEqualTo(25)
        .allMatch(line -> line.length() <= 100)
        .anyMatch(line -> line.startsWith("Origin  simulated, not measured: "))
        .first()
        .asString()
        .startsWith("ANSWER  ");
  }

  /** The simulated host starts with its scheduler's defaults, as the lab and a real host do. */
  @Test
  void countsTheKnobsThatARunOfTheSameFileCounts() throws IOException {
    String out = directory.resolve("out").toString();
    Said said =
        CommandLines.run("simulate", "experiments/demo.yaml", "--out", out, "--format", "json");
    assertThat(said.exit()).as(said.err()).isZero();
    String run = Json.mapper().readTree(said.out()).at("/run").asText();
    assertThat(CommandLines.run("recommend", run).out())
        .contains("ANSWER     Use web-first", "3 knobs differ from the baseline")
        .contains("weight(Apache_Server) 256 -> 1024, weight(MySQL_Server) 256 -> 1024");
  }

  @Test
  void itsRunIsNotForAHost() throws IOException {
    JsonNode end =
        Json.mapper().readTree(simulate("web-app", "", "--format", "json", "--seed", "9").out());
    assertThat(end.at("/summary/origin/kind").asText()).isEqualTo("simulated");
    String run = end.at("/run").asText();
    assertThat(Files.readString(Path.of(run, "experiment.yaml"))).contains("seed: 9");

    Said resumed = CommandLines.run("resume", run);
    assertThat(resumed.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(resumed.err()).contains("was simulated");
    assertThat(CommandLines.run("restore", run).out()).contains("no host was touched");
    assertThat(CommandLines.run("status", run).out()).contains("8 of 8 finished");
    assertThat(CommandLines.run("report", run).out()).startsWith("tiny (simulated)");
    Path journal = Path.of(run, "journal.jsonl");
    Files.writeString(journal, Files.readString(journal).replaceFirst("\\n", "\n\n{}\n"));
    Said calibrated = simulate("web-app", "", "--calibrate", run);
    assertThat(calibrated.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(calibrated.err()).contains(run + " is damaged:", "is itself simulated");
  }

  @Test
  void takesDemandsAndHostFromTheExperiment() throws IOException {
    Said said =
        simulate(
            "web-app",
            "simulation: {demands: {web: 2ms, database: 1ms, file: 1ms, dom0: 3ms, disk: 1ms},"
                + " pcpus: 2, vcpus: {Domain-0: 2}}");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(String.join(" ", said.out().split("\\s+")))
        .contains(
            "service demands (dom0 3.00, web 2.00, database 1.00, file 1.00, disk 1.00 ms a"
                + " request) as the experiment says; host of the experiment's lab, changed by the"
                + " experiment: Xen 3.3, 2 pCPUs");
  }

  @Test
  void startsGuestsInTheExperimentsOrderAndThenThoseItDoesNotName() throws IOException {
    Said said =
        simulate(
            "web-app",
            "simulation: {vcpus: {MySQL_Server: 1, Domain-0: 2, Apache_Server: 1}}",
            "--format",
            "json");
    Path run = Path.of(Json.mapper().readTree(said.out()).at("/run").asText());
    JsonNode premises = Json.mapper().readTree(run.resolve("simulation.json").toFile());
    assertThat(premises.at("/host/vcpus").fieldNames())
        .toIterable()
        .containsExactly("Domain-0", "MySQL_Server", "Apache_Server", "NFS_Server");
    assertThat(premises.at("/host/vcpus/MySQL_Server").asInt()).isEqualTo(1);
  }

  @Test
  void refusesAnotherWorkloadInOneSentence() throws IOException {
    Said said = simulate("mail", "");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err())
        .startsWith("slicewise: workload mail cannot be simulated: there are models of");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void refusesToInventTheCostOfAnotherWorkloadsRequests() throws IOException {
    Said said = simulate("portal", "");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err())
        .startsWith("slicewise: the CPU time of a request of workload portal is not known")
        .contains("--calibrate DIR");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void refusesAMachineWithoutAHypervisor() {
    Path bare =
        Path.of(System.getProperty("slicewise.home", "."), "experiments", "overhead-base.yaml");
    Said said = CommandLines.run("simulate", bare.toString());
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("a machine without a hypervisor cannot be simulated");
  }
}
