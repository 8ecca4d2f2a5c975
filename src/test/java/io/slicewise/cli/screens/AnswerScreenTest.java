package io.slicewise.cli.screens;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.profile.Credit;
import io.slicewise.report.Digest;
import io.slicewise.report.Reports;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.journal.RunState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the last screen of a run: the answer comes first, and all of it is on one screen. */
class AnswerScreenTest {
  private static final String MANY =
      IntStream.range(0, 30)
          .mapToObj(
              i -> "  - {name: p%d, scheduler: credit, main: {weight: %d}}".formatted(i, 64 + i))
          .reduce("profiles:", (all, line) -> all + "\n" + line);

  private static final String LONG = "a long sentence ".repeat(14).strip();

  @TempDir private Path directory;

  @Test
  void answerIsTheFirstLineAndItsRowComesFirst() throws IOException {
    List<String> lines =
        lines(RecordedRun.EXPERIMENT, List.of("w256", "w512", "both"), 1, 0.8, 1.3);
    assertThat(lines).hasSizeLessThanOrEqualTo(25).allMatch(line -> line.length() <= 100);
    assertThat(lines.get(0))
        .startsWith("ANSWER  Use w512 at 300 users: p95 ")
        .contains("better at 2 of 2 loads");
    assertThat(lines.stream().filter(line -> line.matches("(w512|both) .*")))
        .hasSize(4)
        .satisfiesExactly(
            row -> assertThat(row).startsWith("w512").contains("50 users").endsWith("BETTER"),
            row -> assertThat(row).startsWith("w512").contains("300 users").endsWith("BETTER"),
            row -> assertThat(row).startsWith("both").endsWith("WORSE"),
            row -> assertThat(row).startsWith("both").endsWith("WORSE"));
    assertThat(lines)
        .contains("Apply   slicewise apply %s --profile w512".formatted(run()))
        .contains("Undo    slicewise restore %s/applied/w512-*".formatted(run()))
        .contains("Page    %s/report.html".formatted(run()))
        .anyMatch(line -> line.startsWith("Host    1 of 1 settings restored and verified"));
  }

  @Test
  void thirtyProfilesFitOneScreenAndSayWhatIsLeftOut() throws IOException {
    String experiment =
        RecordedRun.EXPERIMENT.replaceFirst("(?s)profiles:.*(?=workload)", MANY + "\n");
    List<String> names = IntStream.range(0, 30).mapToObj(i -> "p" + i).toList();
    double[] factors = IntStream.range(0, 30).mapToDouble(i -> 1 + 0.03 * (i % 7)).toArray();
    assertThat(lines(experiment, names, factors))
        .hasSizeLessThanOrEqualTo(25)
        .anyMatch(line -> line.matches("\\.\\.\\. [0-9]+ more rows in the report"));
  }

  @Test
  void partsOfADemonstrationShareOneTable() throws IOException {
    RunEnd end = end(RecordedRun.EXPERIMENT, List.of("w256", "w512"), 1, 0.8);
    List<String> lines = AnswerScreen.lines(List.of(end, end), 100);
    assertThat(lines).hasSizeLessThanOrEqualTo(25);
    assertThat(lines.get(0)).startsWith("ANSWER  part 1: Use w512");
    assertThat(lines).anyMatch(line -> line.startsWith("        part 2: Use w512"));
    assertThat(lines.stream().filter(line -> line.startsWith("setting"))).hasSize(1);
  }

  @Test
  void twoPartsWithManyAnswersAndLongCaveatsFitOneScreen() throws IOException {
    RunEnd end = end(RecordedRun.EXPERIMENT, List.of("w256", "w512"), 1, 0.8);
    List<String> sentences =
        IntStream.range(0, 5).mapToObj(i -> i + ": " + "a long sentence ".repeat(14)).toList();
    Digest digest = end.written().orElseThrow().digest();
    RunEnd part = part(end, sentences, sentences, digest.rows(), digest.answering());
    assertThat(AnswerScreen.lines(List.of(part, part), 100))
        .hasSizeLessThanOrEqualTo(25)
        .anyMatch(line -> line.matches(" +[0-9]+ more answers in the report"))
        .anyMatch(line -> line.startsWith("w512 "));
  }

  /**
   * The table is the last to shrink: of a demonstration whose caveats would fill the screen, every
   * row stands.
   */
  @Test
  void tableOfADemonstrationStandsWholeBesideLongCaveats() throws IOException {
    RunEnd end = end(RecordedRun.EXPERIMENT, List.of("w256", "w512"), 1, 0.8);
    List<String> caveats = IntStream.range(0, 3).mapToObj(i -> i + ": " + LONG).toList();
    RunEnd first =
        part(
            end,
            List.of("Use web-first"),
            caveats,
            List.of(row("web-first"), row("batch-first")),
            1);
    RunEnd second =
        part(end, List.of(LONG), caveats.subList(0, 1), List.of(row("web 512, batch 23")), 1);
    List<String> lines = AnswerScreen.lines(List.of(first, second), 100);
    assertThat(lines)
        .hasSizeLessThanOrEqualTo(25)
        .anyMatch(line -> line.startsWith("web-first "))
        .anyMatch(line -> line.startsWith("batch-first "))
        .anyMatch(line -> line.startsWith("web 512, batch 23 "))
        .anyMatch(line -> line.startsWith("Caveat  "));
  }

  /** However many rows and however long the names, the winning row of each part stands. */
  @ParameterizedTest
  @CsvSource({"100, 30, 1", "100, 30, 8", "80, 30, 1", "80, 9, 3", "100, 30, 20"})
  void winningRowOfEveryPartStands(int width, int rows, int answering) throws IOException {
    RunEnd end = end(RecordedRun.EXPERIMENT, List.of("w256", "w512"), 1, 0.8);
    String name = "a-profile-with-a-long-name-of-a-night-in-november-%s-%02d";
    List<RunEnd> parts =
        Stream.of("first", "second")
            .map(
                part ->
                    part(
                        end,
                        List.of("Use " + part),
                        List.of(LONG, LONG + "!", LONG + "?"),
                        IntStream.range(0, rows)
                            .mapToObj(i -> row(name.formatted(part, i)))
                            .toList(),
                        answering))
            .toList();
    List<String> lines = AnswerScreen.lines(parts, width);
    assertThat(lines)
        .allMatch(line -> line.length() <= width)
        .anyMatch(line -> line.startsWith(name.formatted("first", 0)))
        .anyMatch(line -> line.startsWith(name.formatted("second", 0)))
        .anyMatch(line -> line.matches("\\.\\.\\. [0-9]+ more rows in the report"))
        .hasSizeLessThanOrEqualTo(width < 100 ? 30 : 25);
    for (int i = 1; i < answering && answering < 4; i++) {
      String row = name.formatted("second", i);
      assertThat(lines).anyMatch(line -> line.startsWith(row));
    }
  }

  @Test
  void withoutAValidTrialTheReasonIsTheAnswer() throws IOException {
    RecordedRun record = RecordedRun.begin(run(), RecordedRun.EXPERIMENT);
    for (int trial = 1; trial <= 6; trial++) {
      List<String> reasons = List.of("errors %d.5 %% > 0.5 %%".formatted(trial));
      record.trial(trial, "w256", 50, trial, 100, 200, reasons);
    }
    RunDirectory run = record.end();
    Optional<Reports.Written> written = Optional.of(Reports.write(run));
    RunOutcome outcome =
        new RunOutcome(RunState.NO_VALID_DATA, Set.of(), true, Map.of(), "no valid data");
    List<String> lines =
        AnswerScreen.lines(List.of(RunEnd.of(run, outcome, written, ExitCode.NO_VALID_DATA)), 100);
    String answer = "No valid trial: errors 1.5 to 6.5 % > 0.5 % (6 trials)";
    assertThat(lines.get(0)).isEqualTo("ANSWER  " + answer);
    assertThat(lines).noneMatch(line -> line.startsWith("Apply"));
    assertThat(Files.readString(run.root().resolve("report.html")))
        .contains(answer.replace(">", "&gt;"));
  }

  private static Digest.Row row(String setting) {
    return new Digest.Row(
        setting, "10 users", "mean ms", "123", "86.2", "-30.1 [-34.9, -24.9]", "0.002", "BETTER");
  }

  /** Returns the end of a run with another answer. */
  private static RunEnd part(
      RunEnd end,
      List<String> answers,
      List<String> caveats,
      List<Digest.Row> rows,
      int answering) {
    Reports.Written full = end.written().orElseThrow();
    Digest digest = full.digest();
    Digest changed =
        new Digest(
            answers,
            digest.before(),
            rows,
            answering,
            caveats,
            digest.commands(),
            digest.origin(),
            digest.finished(),
            digest.notes());
    Reports.Written written =
        new Reports.Written(
            full.run(),
            full.text(),
            full.notes(),
            full.summary(),
            full.advice(),
            full.tune(),
            changed);
    return new RunEnd(end.run(), end.outcome(), Optional.of(written), end.facts());
  }

  private Path run() {
    return directory.resolve("run");
  }

  private List<String> lines(String experiment, List<String> profiles, double... factors)
      throws IOException {
    return AnswerScreen.lines(List.of(end(experiment, profiles, factors)), 100);
  }

  private RunEnd end(String experiment, List<String> profiles, double... factors)
      throws IOException {
    RecordedRun record = RecordedRun.begin(run(), experiment);
    Random random = new Random(7);
    int trial = 1;
    for (int block = 1; block <= 6; block++) {
      double level = 200 * Math.exp(0.001 * random.nextGaussian());
      for (int users : List.of(50, 300)) {
        for (int i = 0; i < factors.length; i++) {
          double p95 = level * factors[i] * Math.exp(0.005 * random.nextGaussian());
          record.trial(trial++, profiles.get(i), users, block, users * 1000 / p95, p95);
        }
      }
    }
    RunDirectory run = record.restored().end();
    RunOutcome outcome =
        new RunOutcome(RunState.DONE, Set.of(), true, Map.of("web", Credit.of(512, 0)), "done");
    return RunEnd.of(run, outcome, Optional.of(Reports.write(run)), ExitCode.OK);
  }
}
