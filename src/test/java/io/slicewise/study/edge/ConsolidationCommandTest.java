package io.slicewise.study.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finds how many guests fit in virtual time, and refuses what has no answer. */
class ConsolidationCommandTest {
  private static final String TEXT =
      """
      name: fit
      lab:
        pcpus: 2
        dom0-vcpus: 1
        guests:
          - {name: web-1, vcpus: 1}
          - {name: web-2, vcpus: 1}
          - {name: web-3, vcpus: 1}
          - {name: web-4, vcpus: 1}
          - {name: web-5, vcpus: 1}
          - {name: web-6, vcpus: 1}
      domains: {main: [web-1, web-2, web-3, web-4, web-5, web-6]}
      profiles:
        - {name: even, scheduler: credit, main: {weight: 256}}
        - {name: capped, scheduler: credit, main: {weight: 256, cap: 30}}
      baseline: even
      workload: {name: vps, properties: {think-time: 200}}
      users: 6
      guests: 1..6
      goal: p95 < 250ms
      order: edge
      simulation: {demands: {web: 20ms, dom0: 4ms}}
      repetitions: 3
      ramp: 1s
      warm-up: 3s
      measure: 20s
      seed: 7
      """;

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return CommandLines.run(out, err, arguments);
  }

  private Path file(String... replaced) throws IOException {
    String text = TEXT;
    for (int i = 0; i < replaced.length; i += 2) {
      assertThat(text).contains(replaced[i]);
      text = text.replace(replaced[i], replaced[i + 1]);
    }
    return Files.writeString(directory.resolve("fit.yaml"), text);
  }

  private int study(Path file, String... more) {
    return run(
        Stream.concat(
                Stream.of(
                    "study",
                    "consolidation",
                    file.toString(),
                    "--simulate",
                    "--results",
                    directory.resolve("results").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void measuresBothSidesOfTheEdgeAndNoMore() throws IOException {
    Path page = directory.resolve("page.html");
    assertThat(study(file(), "--page", page.toString())).as(err.toString()).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("fit with even, and the ")
        .contains("even 1 guest breaks the limit with capped: p95 of web-1")
        .contains("limit 250 ms")
        .contains("limited by")
        .contains("vCPUs per pCPU");
    assertThat(Files.readString(page)).contains("study-guests", "limit 250", "even");
    Path made;
    try (Stream<Path> runs = Files.list(directory.resolve("results"))) {
      made = runs.findFirst().orElseThrow();
    }
    assertThat(run("study", "consolidation", made.toString(), "--format", "json")).isZero();
    var study = Json.mapper().readTree(out.toString());
    var even = study.path("edges").get(0);
    assertThat(even.path("profile").asText()).isEqualTo("even");
    assertThat(even.path("found").asBoolean()).isTrue();
    assertThat(even.path("breaks").asInt()).isEqualTo(even.path("fits").asInt() + 1);
    assertThat(study.path("cost").path("cells").asInt()).isLessThanOrEqualTo(6);
    assertThat(study.path("cost").path("grid").asInt()).isEqualTo(12);
    assertThat(Files.readString(made.resolve("report.html")))
        .contains("CONSOLIDATION", "study-guests");
    assertThat(run("status", made.toString())).isZero();
    run("check", made.toString());
    assertThat(out.toString()).doesNotContain("run-missing");
  }

  /** Windows of a second have too few pages for a 95th percentile. */
  @Test
  void aStudyInWhichNothingCountsIsNoSuccess() throws IOException {
    Path file = file("measure: 20s", "measure: 1s", "users: 6", "users: 1");
    assertThat(study(file)).isEqualTo(ExitCode.NO_VALID_DATA.code());
    assertThat(out.toString()).contains("in 6 trials");
  }

  @Test
  void aGuestMayHaveItsOwnGoal() throws IOException {
    Path own =
        file(
            "workload: {name: vps, properties: {think-time: 200}}",
            """
            workload:
              name: vps
              properties: {think-time: 200}
              guests:
                - {name: web-1, target: "http://a/"}
                - {name: web-2, target: "http://b/", goal: p95 < 20ms}
            """
                .stripTrailing(),
            TEXT.substring(TEXT.indexOf("lab:"), TEXT.indexOf("domains:")),
            "host: {address: dom0}\n",
            "web-1, web-2, web-3, web-4, web-5, web-6",
            "web-1, web-2",
            "guests: 1..6",
            "guests: 1..2",
            "{demands",
            "{pcpus: 2, vcpus: {Domain-0: 1, web-1: 1, web-2: 1}, xen: \"4.17\", demands");
    assertThat(study(own)).as(err.toString()).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("1 guest fits with even")
        .contains("the second does not: p95 of web-2")
        .contains("limit 20 ms");
  }

  @Test
  void refusesWhatHasNoAnswerInOneSentence() throws IOException {
    refuses("needs a goal with a limit for each guest", "goal: p95 < 250ms\n", "");
    refuses("needs a goal with a limit for each guest", "p95 < 250ms", "lowest p95");
    refuses("guests reaches 9, but the workload loads 6", "1..6", "1..9");
    refuses("must begin below its end", "1..6", "6..1");
    refuses("needs several numbers of guests", "guests: 1..6", "guests: 3");
    refuses("needs one load for each guest", "users: 6", "users: [6, 8]");
    refuses("set 'order: edge' to search", "order: edge\n", "");
    refuses("guests has no meaning: the guests of workload web-app", "name: vps", "name: web-app");
  }

  private void refuses(String words, String... replaced) throws IOException {
    assertThat(study(file(replaced))).as(words).isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString().replaceAll("\\s+", " ")).contains(words);
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void refusesARunWithoutGuests() throws IOException {
    Path file = file("guests: 1..6\n", "", "order: edge\n", "", "measure: 20s", "measure: 2s");
    assertThat(run("simulate", file.toString(), "--results", directory.resolve("r").toString()))
        .isZero();
    List<Path> runs;
    try (Stream<Path> made = Files.list(directory.resolve("r"))) {
      runs = made.toList();
    }
    assertThat(run("study", "consolidation", runs.get(0).toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(err.toString()).contains("does not sweep how many guests are loaded");
  }
}
