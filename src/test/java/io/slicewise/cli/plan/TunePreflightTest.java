package io.slicewise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a tune refuses before anything is touched, and what its plan shows. */
class TunePreflightTest {
  @TempDir private Path directory;

  private Said said(String command, String tune) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("t.yaml"),
            """
            name: t
            lab: {version: xl-4.17, scheduler: credit}
            domains: {main: [Apache_Server, NFS_Server, MySQL_Server]}
            %s
            workload: web-app
            users: 10
            warm-up: 10s
            %s
            %s
            """
                .formatted(
                    tune.contains("profiles:") ? "" : "profiles: [as-found]",
                    tune.contains("switchback") ? "" : "measure: 50s",
                    tune));
    return command.equals("plan")
        ? CommandLines.run("plan", file.toString())
        : CommandLines.run(
            command, file.toString(), "--results", directory.resolve("results").toString());
  }

  private void refuses(String command, String tune, int exit, String sentence) throws IOException {
    Said said = said(command, tune);
    assertThat(said.err()).contains(sentence);
    assertThat(said.exit()).isEqualTo(exit);
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void refusesWhatCannotBeAnswered() throws IOException {
    String search = "search: {Apache_Server: {weight: 64..4096}}}";
    refuses("tune", "repetitions: 2", 2, "has no tune part");
    refuses(
        "tune",
        "design: {kind: trials}\ntune: {goal: lowest p95, budget: {time: 5m}, " + search,
        2,
        "is too short: two candidates and a confirmation take 18 min");
    refuses(
        "tune",
        "tune: {goal: lowest p95, budget: {trials: 10}, " + search,
        2,
        "10 trials or windows is too short");
    refuses(
        "tune",
        "tune: {goal: lowest p95, budget: {time: 5h}, search: {Apache_Server: {slice: 1ms..9ms}}}",
        3,
        "slice of Apache_Server is not a parameter of credit");
    refuses("run", "tune: {goal: lowest p95, budget: {time: 5h}, " + search, 2, "slicewise tune");
  }

  @Test
  void plansTheCandidatesAndTheBudget() throws IOException {
    Said said =
        said(
            "plan",
            "tune: {goal: lowest p95, budget: {time: 5h}, search: {Apache_Server: {weight:"
                + " 64..4096, cap: [none, 50..300]}}}");
    assertThat(said.exit()).isZero();
    assertThat(said.out())
        .contains("Goal    lowest p95", "of them and the settings found begin the race")
        .contains("Left out", "cap")
        .contains("Design  switchback sessions of 6 blocks, windows of 50 s")
        .contains("budget 5 h 0 m a night");
  }

  /** A candidate is judged on the host as a profile is, before it is chosen. */
  @Test
  void leavesOutCandidatesThatTheHostCannotTake() throws IOException {
    String search = "tune: {goal: lowest p95, budget: {time: 5h}, search: {Apache_Server: ";
    assertThat(said("plan", search + "{affinity: ['0', 0-1, 0-99]}}}").out())
        .contains("Choose  2 candidates; ")
        .containsPattern("Left out +affinity 0-99 of Apache_Server");
    refuses(
        "tune",
        search + "{affinity: [0-98, 0-99]}}}",
        3,
        "no point of the search is valid on this host: affinity 0-99 of Apache_Server names pCPU 4");
  }

  @Test
  void plansTrialsWhereCandidatesCannotBeSwitchedLive() throws IOException {
    String mixed =
        """
        profiles:
          - {name: one, scheduler: credit, domains: {Apache_Server: {weight: 512}}}
          - {name: two, scheduler: credit2, domains: {Apache_Server: {weight: 512}}}
        %s
        tune: {goal: lowest p95, budget: {time: 5h}}
        """;
    assertThat(said("plan", mixed.formatted("")).out())
        .contains("trials, each started anew")
        .containsPattern("cannot switch between the\\s+schedulers\\s+credit and credit2");
    assertThat(said("plan", mixed.formatted("design: {kind: switchback}")).err())
        .contains("cannot switch between the schedulers credit and credit2; use 'design: {kind:");
  }
}
