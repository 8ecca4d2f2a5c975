package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.RecordedRun;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects {@code slicewise check}: each violation with number, rule and likely cause. */
class CheckCommandTest {
  private static final String SHARES =
      """
      profile,users,metric,vm,mean,stddev,ci95_half_width
      credit-256,25,block,web,50.0,,
      credit-256,25,run,web,20.0,,
      credit-256,25,wait,web,%s,,
      """;

  private static final String RUN =
      """
      name: shop
      host: {address: dom0.example}
      domains: {main: [web], other: [db]}
      profiles: [as-found]
      workload: {name: web-app, target: "http://web.example/"}
      users: 50
      repetitions: 3
      """;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return CommandLines.run(out, err, arguments);
  }

  @Test
  void listsAViolationWithNumberRuleAndCause() throws IOException {
    Files.writeString(directory.resolve("study.csv"), SHARES.formatted("20.0"));
    Files.writeString(directory.resolve("other.csv"), "a,b\n1,2\n");

    int code = run("check", directory.toString());

    assertThat(code).isEqualTo(ExitCode.RULES_BROKEN.code());
    assertThat(out.toString())
        .contains("shares        block + run + wait of a domain add to 100 %: 1 finding")
        .contains("    1  line 3  credit-256, 25 users, web: block + run + wait = 90.00 %")
        .contains("likely: a digit or a number was mistyped or swapped");
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("other.csv nothing to check: it has no measured numbers, only a, b");
  }

  @Test
  void soundTableEndsWell() throws IOException {
    Path table = Files.writeString(directory.resolve("study.csv"), SHARES.formatted("30.0"));
    assertThat(run("check", table.toString())).isEqualTo(ExitCode.OK.code());
    assertThat(out.toString()).contains("nothing found");
  }

  @Test
  void jsonHoldsTheSameFacts() throws IOException {
    Path table = Files.writeString(directory.resolve("study.csv"), SHARES.formatted("20.0"));
    run("check", "--format", "json", table.toString());
    JsonNode checked = Json.mapper().readTree(out.toString());
    assertThat(checked).hasSize(1);
    assertThat(checked.at("/0/violations/0/number").asInt()).isEqualTo(1);
    assertThat(checked.at("/0/violations/0/violation/rule").asText()).isEqualTo("shares");
    assertThat(checked.at("/0/violations/0/violation/place").asText()).endsWith("study.csv:3");
  }

  @Test
  void judgesTheTrialsOfARunOnceMoreUnderItsLimits() throws IOException {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), RUN);
    run.trial(1, "as-found", 50, 1, 100, 1000).trial(2, "as-found", 50, 2, 130, 1000);
    Path root = run.end().root();

    assertThat(run("check", root.toString())).isEqualTo(ExitCode.RULES_BROKEN.code());
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("run   3 findings".replaceAll("\\s+", " "))
        .contains("littles-law users = rate x (response time + think time): 1 finding")
        .contains("likely: the rate is too high or times too long")
        .contains("1 0002-as-found-u50-r2 Little's law is off by +30.0 % (limit 5 %)")
        .contains("run-missing every cell has a valid trial in every block: 2 findings")
        .contains("2 0002-as-found-u50-r2 no attempt of 1 is valid")
        .contains("3 0003-as-found-u50-r3 it was not run");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 100);

    out.getBuffer().setLength(0);
    Path experiment = root.resolve("experiment.yaml");
    Files.writeString(
        experiment,
        Files.readString(experiment).replace("repetitions: 3", "repetitions: 2")
            + "limits: {littles-law: 50%}\n");
    assertThat(run("check", root.toString())).isEqualTo(ExitCode.OK.code());
    assertThat(out.toString()).contains("nothing found");
  }

  @Test
  void whatAnAttemptBrokeInWhosePlaceAnotherCountsIsToldAndHarmsNothing() throws IOException {
    RecordedRun run =
        RecordedRun.begin(
            directory.resolve("run"), RUN.replace("repetitions: 3", "repetitions: 1"));
    Trial trial = new Trial(1, 1, "as-found", Load.of(50), 1);
    run.trial(trial, 130, 1000, List.of("Little's law"))
        .trial(new Trial(1, 1, "as-found", Load.of(50), 1, 2), 100, 1000, List.of());
    Path root = run.end().root();

    assertThat(run("check", root.toString())).isEqualTo(ExitCode.OK.code());

    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("run 1 finding, none serious")
        .contains(
            "1 0001-as-found-u50-r1 replaced by 0001-as-found-u50-r1-try2: Little's law"
                + " is off by +30.0 % (limit 5 %)");
  }

  @Test
  void tellsHowOftenEachRuleWasAskedOfATable() throws IOException {
    Path table =
        Files.writeString(
            directory.resolve("study.csv"),
            "query,system,metric,unit,value\nQ1,base,tps,1/s,10\nQ1,xen,tps,1/s,12\n");
    assertThat(run("check", table.toString())).isEqualTo(ExitCode.OK.code());
    assertThat(out.toString()).contains("asked: range 2; no number depends on another");
  }

  @Test
  void listsTheRulesThatCouldNotBeAskedWithTheReason() throws IOException {
    Path table =
        Files.writeString(
            directory.resolve("study.csv"),
            "case,layer,metric,unit,value\na,dom1,interference_rps,percent,36.6\n");
    assertThat(run("check", table.toString())).isEqualTo(ExitCode.OK.code());
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains(
            "skipped: formula 1: interference_rps: reads_per_s of dom0 is not printed (line 2)");
  }

  @Test
  void tableWithoutNumbersIsAUsageError() throws IOException {
    Path table = Files.writeString(directory.resolve("other.csv"), "a,b\n1,2\n");
    assertThat(run("check", table.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("other.csv cannot be checked: it has no measured numbers");
  }

  @Test
  void directoryWithoutTablesIsAUsageError() {
    assertThat(run("check", directory.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString())
        .contains("is neither a run directory nor a directory with CSV tables");
  }
}
