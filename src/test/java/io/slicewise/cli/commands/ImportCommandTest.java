package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects: {@code import} makes a run of older files that report, compare and check work on, says
 * of every number that it was imported, and lets no file and no trial go without a word.
 */
class ImportCommandTest {
  private static final String STUDY =
      """
      name: old-study
      host: {address: old-host}
      domains: {main: [web]}
      profiles:
        - {name: even, scheduler: credit, main: {weight: 256}}
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: {name: web-app, target: "http://web.example/"}
      users: [4]
      repetitions: 3
      ramp: 1s
      warm-up: 5s
      measure: 20s
      order: as-written
      """;

  /** 2010-03-01T10:00:00Z. */
  private static final long BEGUN = 1_267_437_600_000L;

  @TempDir private Path directory;
  private Path old;
  private Path study;

  @BeforeEach
  void leaveAStudy() throws IOException {
    old = Files.createDirectory(directory.resolve("old"));
    study = Files.writeString(directory.resolve("study.yaml"), STUDY);
    for (int repetition = 1; repetition <= 3; repetition++) {
      samples("even", repetition, 100 + repetition);
      samples("heavy", repetition, 60 + repetition);
    }
  }

  /**
   * Four users without think time for 30 s, as JMeter of 2010 wrote it; 10 times as slow at first.
   */
  private void samples(String profile, int repetition, int millis) throws IOException {
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">\n");
    for (long at = 0; at < 30_000; ) {
      long elapsed = at < 5_000 ? 10L * millis : millis;
      for (int user = 1; user <= 4; user++) {
        xml.append(
            String.format(
                Locale.ROOT,
                "<httpSample t=\"%d\" lt=\"%d\" ts=\"%d\" s=\"true\" lb=\"page\" rc=\"200\""
                    + " rm=\"OK\" tn=\"tg 1-%d\" dt=\"text\" by=\"5103\"/>%n",
                elapsed,
                elapsed,
                BEGUN + at,
                user));
      }
      at += elapsed;
    }
    Path file = old.resolve(profile).resolve("4-" + repetition + ".jtl");
    Files.createDirectories(file.getParent());
    Files.writeString(file, xml.append("</testResults>\n"));
  }

  /** One pCPU, a pass a second: dom0 runs 20 %, the guest 50 % and waits 10 %. */
  private void xenmonLog(String profile, int repetition, int domain) throws IOException {
    StringBuilder log = new StringBuilder("# passed cpu dom cpu(tot) ...\n");
    for (int pass = 0; pass <= 40; pass++) {
      log.append(
          String.format(
              Locale.ROOT,
              "%d 0 %d %s 0 0 0 %s 0 0 %s 0 5000.0 100.0 0 0%n",
              pass * 1000,
              domain,
              domain == 0 ? "200000000.0" : "500000000.0",
              "350000000.0",
              domain == 0 ? "0.0" : "100000000.0"));
    }
    Files.writeString(
        old.resolve(profile).resolve("4-" + repetition + "-dom" + domain + ".log"), log);
  }

  private Said imported(String... options) {
    String[] all = new String[options.length + 6];
    all[0] = "import";
    all[1] = study.toString();
    all[2] = "--samples";
    all[3] = old + "/{profile}/{users}-{repetition}.jtl";
    all[4] = "--out";
    all[5] = directory.resolve("out").toString();
    System.arraycopy(options, 0, all, 6, options.length);
    return CommandLines.run(all);
  }

  /** The old scripts kept successes only, so that no file has a failed request. */
  @Test
  void filesWithoutErrorsDoNotSayThatThereWereNone() throws IOException {
    Said said = imported("--format", "json");
    assertThat(said.err()).containsPattern("unknowable: errors: none of \\d+ requests failed");
    Path run = Path.of(Json.mapper().readTree(said.out()).at("/run").asText());
    assertThat(Json.mapper().readTree(run.resolve("imported.json").toFile()).at("/unknowable/0"))
        .asString()
        .contains("kept successes only");
  }

  @Test
  void makesARunThatReportCompareAndCheckWorkOn() throws IOException {
    Said said = imported("--format", "json");
    assertThat(said.exit()).as(said.err()).isZero();
    JsonNode end = Json.mapper().readTree(said.out());
    assertThat(end.at("/summary/origin/kind").asText()).isEqualTo("imported");
    Path run = Path.of(end.at("/run").asText());
    JsonNode trial =
        Json.mapper().readTree(run.resolve("trials/0001-even-u4-r1/trial.json").toFile());
    assertThat(trial.at("/times/window/start").asText()).isEqualTo("2010-03-01T10:00:05Z");
    assertThat(trial.at("/times/window/end").asText()).isEqualTo("2010-03-01T10:00:25Z");
    assertThat(trial.at("/loaded/result/throughput").asDouble()).isBetween(38.0, 41.0);
    assertThat(trial.at("/loaded/result/p50Millis").asInt()).isEqualTo(101);
    assertThat(trial.at("/host/applied/web/weight").asInt()).isEqualTo(256);

    Said report = CommandLines.run("report", run.toString());
    assertThat(report.exit()).isZero();
    assertThat(report.out()).contains("imported, not measured by Slicewise");
    Said compared = CommandLines.run("compare", run.toString());
    assertThat(compared.out()).as(compared.err()).contains("heavy");
    Said checked = CommandLines.run("check", run.toString());
    assertThat(checked.err()).doesNotContain("internal error");
    assertThat(CommandLines.run("restore", run.toString()).out()).contains("no host was touched");
    assertThat(CommandLines.run("resume", run.toString()).err()).contains("was imported");
  }

  @Test
  void aStudyThatLacksATrialIsImportedAsFarAsItGoes() throws IOException {
    Files.delete(old.resolve("heavy").resolve("4-3.jtl"));
    Said said = imported("--format", "json");
    assertThat(said.exit()).as(said.err()).isZero();
    String run = Json.mapper().readTree(said.out()).at("/run").asText();
    assertThat(CommandLines.run("status", run).out()).contains("5 of 6").doesNotContain("interr");
    assertThat(CommandLines.run("check", run).out())
        .contains("no file of it was imported")
        .doesNotContain("resume");
    assertThat(CommandLines.run("compare", run).out()).contains("heavy");
  }

  @Test
  void takesSharesOutOfXenmonsLogs() throws IOException {
    xenmonLog("even", 1, 0);
    xenmonLog("even", 1, 1);
    Said said =
        imported(
            "--xenmon",
            old + "/{profile}/{users}-{repetition}-dom*.log",
            "--domain",
            "0=Domain-0:1",
            "--domain",
            "1=web:1",
            "--pcpus",
            "1",
            "--format",
            "json");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.err()).contains("xenmon logs  for 1 of 6 trials");
    Path run = Path.of(Json.mapper().readTree(said.out()).at("/run").asText());
    TrialResult trial = RunDirectory.open(run).results().get(0);
    List<DomainShares> shares = trial.shares();
    assertThat(shares.get(0).run()).isCloseTo(0.2, within(1e-9));
    assertThat(shares.get(1).domain()).isEqualTo("web");
    assertThat(shares.get(1).run()).isCloseTo(0.5, within(1e-9));
    assertThat(shares.get(1).waiting()).isCloseTo(0.1, within(1e-9));
    assertThat(shares.get(1).blocked()).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void tellsWhatWasMatchedAndWhatWasNotAndWritesNothing() throws IOException {
    Files.move(old.resolve("heavy/4-3.jtl"), old.resolve("heavy/4-9.jtl"));
    Files.createDirectory(old.resolve("sedf"));
    Files.copy(old.resolve("even/4-1.jtl"), old.resolve("sedf/4-1.jtl"));
    Files.writeString(old.resolve("notes.txt"), "on paper");
    Said said = imported("--dry-run");
    assertThat(said.exit()).isZero();
    assertThat(said.err())
        .contains("result files  for 5 of 6 trials")
        .contains("trial without a file  0006-heavy-u4-r3")
        .contains("4-9.jtl: the experiment has no repetition 9, but 3")
        .contains("the experiment has no profile sedf")
        .contains("does not match the pattern  " + old.resolve("notes.txt"));
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void tellsATrialTooShortForItsWindow() throws IOException {
    Files.writeString(
        old.resolve("even/4-2.jtl"), "timeStamp,elapsed\n" + BEGUN + ",10\n" + BEGUN + ",4000\n");
    Said said = imported();
    assertThat(said.err())
        .contains("not imported: 0002-even-u4-r2: ")
        .contains("lasts 4.0 s, which leaves no window after the warm-up of 5.0 s");
    assertThat(said.out().replaceAll("\\s+", " "))
        .as("only what was kept is counted")
        .contains(
            "5 of 6 trials have finished so far",
            "not measured by Slicewise: trials of an earlier study")
        .doesNotContain("6 trials of an earlier study");
  }

  @Test
  void filesThatBearOtherNamesAreToldWhatTheyAre() throws IOException {
    Files.move(old.resolve("even"), old.resolve("w256"));
    Files.move(old.resolve("heavy"), old.resolve("w512"));
    for (String profile : List.of("w256", "w512")) {
      for (int repetition = 1; repetition <= 3; repetition++) {
        Files.move(
            old.resolve(profile).resolve("4-" + repetition + ".jtl"),
            old.resolve(profile).resolve("few-" + "abc".charAt(repetition - 1) + ".jtl"));
      }
    }
    Said said =
        imported(
            "--format",
            "json",
            "--profile-name",
            "w256=even,w512=heavy",
            "--users-name",
            "few=4",
            "--users-name",
            "many=4",
            "--repetition-name",
            "a=1,b=2,c=3");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.err())
        .contains("result files  for 6 of 6 trials")
        .contains("name that no file has  --users-name many");
    Path run = Path.of(Json.mapper().readTree(said.out()).at("/run").asText());
    assertThat(Json.mapper().readTree(run.resolve("imported.json").toFile()).toString())
        .contains("w512/few-c.jtl");
  }

  @Test
  void faultsOfNamesAreToldTogether() {
    Said said =
        imported(
            "--profile-name",
            "w256=credit-256",
            "--users-name",
            "few=four",
            "--users-name",
            "many=400",
            "--repetition-name",
            "z=26");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err())
        .contains("--profile-name w256=credit-256: the experiment has no such profile")
        .contains("--users-name few=four: four is not a whole number")
        .contains("--users-name many=400: the experiment has no such load")
        .contains("--repetition-name z=26: the experiment has no such repetition");
  }

  @Test
  void refusesAPatternThatTellsNoRepetition() {
    Said said = CommandLines.run("import", study.toString(), "--samples", old + "/{profile}/*.jtl");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.err()).contains("has no {repetition}");
  }
}
