package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.json.Json;
import io.slicewise.units.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Protects {@code slicewise check}: each violation with number, rule and likely cause. */
class CheckCommandTest {
  private static final String SHARES =
      """
      profile,users,metric,vm,mean,stddev,ci95_half_width
      credit-256,25,block,web,50.0,,
      credit-256,25,run,web,20.0,,
      credit-256,25,wait,web,%s,,
      """;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine commandLine = Slicewise.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  @Test
  void listsAViolationWithNumberRuleAndCause() throws IOException {
    Files.writeString(directory.resolve("study.csv"), SHARES.formatted("20.0"));
    Files.writeString(directory.resolve("other.csv"), "a,b\n1,2\n");

    int code = run("check", directory.toString());

    assertThat(code).isEqualTo(ExitCode.RULES_BROKEN.code());
    assertThat(out.toString())
        .contains("shares        block + run + wait of a domain add to 100 %: 1 finding")
        .contains("line 3  credit-256, 25 users, web: block + run + wait = 90.00 %")
        .contains("likely: a digit or a number was mistyped or mixed up");
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
    JsonNode findings = Json.mapper().readTree(out.toString());
    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).get("rule").asText()).isEqualTo("SHARES");
    assertThat(findings.get(0).get("place").asText()).endsWith("study.csv:3");
  }

  @Test
  void directoryWithoutTablesIsAUsageError() {
    assertThat(run("check", directory.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("holds no CSV table that can be checked");
  }
}
