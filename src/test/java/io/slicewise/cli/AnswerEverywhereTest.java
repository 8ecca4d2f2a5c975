package io.slicewise.cli;

import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.AnswerScreen;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.RunEnd;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.answer.Answer.Kind;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.report.Reports;
import io.slicewise.report.RunAnswer;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.sweep.source.RecordedTune;
import io.slicewise.sweep.source.TuneBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Protects: a run has one answer, of the grade that its evidence has, wherever it is printed. */
class AnswerEverywhereTest {
  private static final List<Finding> NONE = List.of();
  private static final List<Finding> BUSY =
      List.of(new Finding(Rule.GENERATOR, false, "a run queue of 9.0 per core", "other work"));

  private static final List<Finding> DISTURBED =
      List.of(new Finding(Rule.OTHER_WORK, true, "other programs use 60 %", ""), BUSY.get(0));

  @TempDir private Path directory;

  /** Makes a run in a directory. */
  private interface Made {
    RunDirectory in(Path directory) throws IOException;
  }

  /** What a trial measures: p95 in ms by profile, load and block. */
  private interface Level {
    double of(String profile, int users, int block);
  }

  private static Arguments kind(String what, Kind kind, Grade grade, Made run) {
    return Arguments.of(what, kind, grade, run);
  }

  static Stream<Arguments> kinds() {
    return Stream.of(
        kind("a clean win", Kind.USE, Grade.SHOWN, sweep("", 8, only("w512", 0.8))),
        kind("a loss", Kind.KEEP, Grade.SHOWN, sweep("", 8, only("w512", 1.3))),
        kind("as good", Kind.KEEP, Grade.SHOWN, sweep("", 8, only("w512", 1.001))),
        kind("unclear", Kind.OPEN, Grade.UNDECIDED, sweep("", 3, only("w512", 0.985))),
        kind("an A/A alarm", Kind.OPEN, Grade.UNRELIABLE, sweep("", 8, only("again", 1.1))),
        kind("better at one load", Kind.USE, Grade.SHOWN, sweep("", 8, at(50, 0.8, 1))),
        kind("worse at the other", Kind.KEEP, Grade.SHOWN, sweep("", 8, at(50, 0.8, 1.3))),
        kind("unfinished", Kind.OPEN, Grade.UNDECIDED, sweep("", 1, only("w512", 0.8))),
        kind(
            "a guard broken",
            Kind.KEEP,
            Grade.SHOWN,
            sweep("goal: lowest p95\nguard: {wait share of db: +5%}\n", 8, only("w512", 0.5))),
        kind(
            "shares of domains",
            Kind.KEEP,
            Grade.SHOWN,
            sweep("goal: lowest wait share of db\n", 8, only("w512", 0.8))),
        kind("as written, a win", Kind.USE, Grade.SHOWN, asWritten(0.7, 0.002)),
        kind("as written, a drift", Kind.OPEN, Grade.UNRELIABLE, asWritten(1, -0.02)),
        kind("as written, a slow drift", Kind.OPEN, Grade.UNRELIABLE, asWritten(1, -0.003)),
        kind("a drift", Kind.USE, Grade.SHOWN, sweep("", 8, drifting())),
        kind("too busy", Kind.OPEN, Grade.TOO_BUSY, sweep(only("w512", 0.8), block -> BUSY)),
        kind(
            "busy in one of eight blocks",
            Kind.USE,
            Grade.SHOWN,
            sweep(only("w512", 0.8), block -> block == 4 ? BUSY : NONE)),
        kind(
            "disturbed in two blocks that do not count",
            Kind.USE,
            Grade.SHOWN,
            sweep(only("w512", 0.8), block -> block > 6 ? DISTURBED : NONE)),
        kind(
            "disturbed in most blocks",
            Kind.OPEN,
            Grade.TOO_BUSY,
            sweep(only("w512", 0.8), block -> block > 3 ? DISTURBED : NONE)),
        kind(
            "no valid trial",
            Kind.OPEN,
            Grade.UNDECIDED,
            sweep(
                only("w512", 0.8),
                block -> List.of(new Finding(Rule.ERRORS, true, "errors 9 %", "")))),
        kind("nothing loaded", Kind.OPEN, Grade.UNDECIDED, observed()),
        kind("one session", Kind.USE, Grade.THIS_SESSION, sessions(1)),
        kind("three sessions", Kind.USE, Grade.SHOWN, sessions(3)),
        kind("a tune, confirmed", Kind.USE, Grade.CONFIRMED, tune("", 10_000, NONE)),
        kind("a tune in sessions", Kind.USE, Grade.THIS_SESSION, tune(SESSIONS, 10_000, NONE)),
        kind("a tune, too busy", Kind.OPEN, Grade.TOO_BUSY, tune("", 10_000, BUSY)),
        kind("a tune, cut short", Kind.OPEN, Grade.UNDECIDED, tune("", 8, NONE)),
        kind("a tune, nothing better", Kind.KEEP, Grade.CONFIRMED, tuneOf(one -> 100)));
  }

  private static final String SESSIONS =
      "design: {kind: switchback, blocks: 6, window: 10s, wash-out: 1s}\n";

  private static Level only(String which, double factor) {
    return (profile, users, block) -> profile.equals(which) ? factor : 1;
  }

  private static Level at(int load, double there, double elsewhere) {
    return (profile, users, block) ->
        profile.equals("w512") ? users == load ? there : elsewhere : 1;
  }

  private static Level drifting() {
    return (profile, users, block) ->
        (profile.equals("w512") ? 0.8 : 1) * (profile.equals("again") ? 1 + 0.001 * block : 1);
  }

  private static Made sweep(String aim, int blocks, Level level) {
    return directory -> measured(directory, RecordedRun.EXPERIMENT + aim, blocks, level, b -> NONE);
  }

  private static Made sweep(Level level, Function<Integer, List<Finding>> findings) {
    return directory -> measured(directory, RecordedRun.EXPERIMENT, 8, level, findings);
  }

  private static RunDirectory measured(
      Path directory,
      String experiment,
      int blocks,
      Level level,
      Function<Integer, List<Finding>> findings) {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), experiment);
    Random random = new Random(3);
    int number = 1;
    for (int block = 1; block <= blocks; block++) {
      for (int users : List.of(50, 300)) {
        for (String profile : List.of("w256", "again", "w512")) {
          double p95 =
              200 * level.of(profile, users, block) * Math.exp(0.004 * random.nextGaussian());
          Trial trial = new Trial(number++, block, profile, Load.of(users), block);
          run.found(trial, users * 1000 / p95, p95, findings.apply(block));
        }
      }
    }
    return run.end();
  }

  /** All repetitions of a profile, then all of the next, on a host that drifts with each trial. */
  private static Made asWritten(double factor, double drift) {
    return directory -> {
      RecordedRun run =
          RecordedRun.begin(
              directory.resolve("run"),
              RecordedRun.EXPERIMENT.replaceAll("(?m)^.*name: (again|both),.*\\R", "")
                  + "order: as-written\n");
      Random random = new Random(3);
      int number = 1;
      for (String profile : List.of("w256", "w512")) {
        for (int users : List.of(50, 300)) {
          for (int repetition = 1; repetition <= 6; repetition++) {
            double p95 =
                200
                    * (profile.equals("w512") ? factor : 1)
                    * Math.exp(drift * number + 0.01 * random.nextGaussian());
            Trial trial = new Trial(number++, repetition, profile, Load.of(users), repetition);
            run.found(trial, users * 1000 / p95, p95, NONE);
          }
        }
      }
      return run.end();
    };
  }

  /** Two guests that burn CPU by themselves, without a load and without a goal. */
  private static Made observed() {
    return directory -> {
      RecordedRun run =
          RecordedRun.begin(
              directory.resolve("run"),
              RecordedRun.EXPERIMENT
                  .replaceFirst("workload: .*", "workload: observe")
                  .replaceFirst("users: .*\n", ""));
      int trial = 1;
      for (int block = 1; block <= 6; block++) {
        for (String profile : List.of("w256", "again", "w512", "both")) {
          run.watched(new Trial(trial++, block, profile, Load.of(0), block));
        }
      }
      return run.end();
    };
  }

  private static Made sessions(int number) {
    return directory -> {
      String experiment =
          RecordedRun.EXPERIMENT.replace("repetitions: 6\n", "").replace("[50, 300]", "[50]")
              + "design: {kind: switchback, sessions: %d, blocks: 6, window: 10s, wash-out: 1s}\n"
                  .formatted(number);
      RecordedRun run = RecordedRun.begin(directory.resolve("run"), experiment);
      Random random = new Random(5);
      int trial = 1;
      for (int session = 1; session <= number; session++) {
        for (int block = 1; block <= 6; block++) {
          int position = 1;
          for (String profile : List.of("w256", "again", "w512", "both")) {
            int all = (session - 1) * 6 + block;
            double p95 =
                200 * (profile.equals("w512") ? 0.8 : 1) * Math.exp(0.01 * random.nextGaussian());
            run.found(
                new Trial(trial++, all, profile, Load.of(50), all)
                    .at(new WindowPlace(session, block, position++)),
                50_000 / p95,
                p95,
                NONE);
          }
        }
      }
      return run.end();
    };
  }

  private static Made tune(String design, int most, List<Finding> ofConfirmation) {
    return directory ->
        RecordedTune.write(
            directory,
            tuned(design),
            most,
            one -> TuneBench.truth(one.profile()),
            one -> one.purpose() == Purpose.CONFIRMATION ? ofConfirmation : NONE);
  }

  private static Made tuneOf(ToDoubleFunction<PlannedTrial> p95) {
    return directory -> RecordedTune.write(directory, tuned(""), 10_000, p95, one -> NONE);
  }

  private static String tuned(String design) {
    return """
    name: tuned
    host: {address: dom0}
    domains: {main: [web, db]}
    profiles: [as-found]
    workload: {name: web-app, target: http://web/}
    users: 10
    %s
    tune: {goal: lowest p95, budget: {%s}, search: {web: {weight: 64..4096}, db: {weight: 64..4096}}}
    """
        .formatted(
            design.isEmpty() ? "design: {kind: trials}" : design,
            design.isEmpty() ? "trials: 80" : "windows: 100");
  }

  /** Of settings that nothing tells apart the best estimate is named, not the first in the file. */
  @Test
  void namesTheBestEstimateAndThoseThatMayBeAsGood() throws IOException {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT);
    Random random = new Random(3);
    int number = 1;
    for (int block = 1; block <= 8; block++) {
      for (int users : List.of(50, 300)) {
        for (String profile : List.of("w256", "w512", "both")) {
          double factor = profile.equals("w512") ? 0.666 : profile.equals("both") ? 0.66 : 1;
          double p95 = 200 * factor * Math.exp(0.02 * random.nextGaussian());
          Trial trial = new Trial(number++, block, profile, Load.of(users), block);
          run.found(trial, users * 1000 / p95, p95, NONE);
        }
      }
    }
    RunEvidence evidence = RunEvidence.of(run.end().load());
    String best =
        evidence.facts().comparisons().stream()
            .filter(one -> one.kind() == Comparison.Kind.PRIMARY)
            .collect(
                Collectors.groupingBy(
                    Comparison::profile, Collectors.averagingDouble(one -> one.change().percent())))
            .entrySet()
            .stream()
            .min(Map.Entry.comparingByValue())
            .orElseThrow()
            .getKey();
    Answer answer = Answers.of(evidence);
    assertThat(best).isEqualTo("both");
    assertThat(answer.choice()).contains(best);
    assertThat(answer.caveats()).contains("may be as good: w512");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("kinds")
  void hasOneAnswer(String what, Kind kind, Grade grade, Made made) throws IOException {
    RunDirectory run = made.in(directory);
    RunEvidence evidence = RunEvidence.of(run.load());
    Answer answer = Answers.of(evidence);
    boolean tune = evidence.course().isPresent();
    assertThat(answer.kind()).as(answer.headline() + answer.caveats()).isEqualTo(kind);
    assertThat(answer.grade()).as(answer.headline() + answer.caveats()).isEqualTo(grade);
    assertThat(answer.choice().isPresent()).isEqualTo(kind == Kind.USE);
    assertThat(answer.apply().isEmpty()).isEqualTo(kind != Kind.USE);

    String root = run.root().toString();
    Said recommended = CommandLines.run("recommend", root);
    assertThat(flat(recommended.out())).contains("ANSWER " + flat(answer.headline()));
    answer.caveats().forEach(one -> assertThat(flat(recommended.out())).contains(flat(one)));
    assertThat(recommended.exit()).isEqualTo(ExitCode.of(answer, tune).code());
    JsonNode whole = Json.mapper().valueToTree(answer);
    assertThat(json(CommandLines.run("recommend", root, "--format", "json").out()).at("/answer"))
        .isEqualTo(json(Json.text(whole)));
    String report = CommandLines.run("report", root).out();
    if (tune) {
      answer.choice().ifPresent(name -> assertThat(name).matches("(web|db) [0-9]+(, db [0-9]+)?"));
      assertThat(flat(report)).contains("ANSWER " + flat(answer.headline()));
    }
    assertThat(json(Files.readString(run.root().resolve("summary.json"))).at("/answer"))
        .isEqualTo(json(Json.text(whole)));
    String page = page(run);
    assertThat(page).contains("class=\"answer\">" + flat(answer.headline()) + "</h2>");
    answer.caveats().forEach(one -> assertThat(page).contains(flat(one)));
    assertThat(CommandLines.run("runs", "--results", directory.toString()).out())
        .contains(answer.brief());
    fitsOneScreen(run);
    comparesTheSame(run, answer);
    historyPrints(run, answer);
    assertThat(CommandLines.run("report", root, "--format", "openmetrics").out())
        .contains(
            "slicewise_run_answer{experiment=\"%s\",grade=\"%s\",answer=\"%s\"} 1.0"
                .formatted(evidence.experiment().name(), word(grade), word(kind)));
  }

  /**
   * The last screen has at most 25 lines, also of a demonstration's two parts that were cut short.
   */
  private static void fitsOneScreen(RunDirectory run) throws IOException {
    Optional<Reports.Written> written = Optional.of(Reports.write(run));
    RunOutcome done =
        new RunOutcome(RunState.DONE, Set.of(), true, Map.of("web", Credit.of(512, 0)), "done");
    RunOutcome cut =
        new RunOutcome(
            RunState.INTERRUPTED, Set.of(), true, Map.of("web", Credit.of(512, 0)), "interrupted");
    RunEnd whole = RunEnd.of(run, done, written, ExitCode.OK);
    RunEnd part = RunEnd.of(run, cut, written, ExitCode.INTERRUPTED);
    for (List<RunEnd> ends : List.of(List.of(whole), List.of(whole, whole), List.of(part, part))) {
      assertThat(AnswerScreen.lines(ends, 100))
          .hasSizeLessThanOrEqualTo(25)
          .anyMatch(line -> line.startsWith("ANSWER"))
          .anyMatch(line -> line.startsWith("More"));
    }
  }

  /** The comparison within the run prints the answer, and has its numbers. */
  private void comparesTheSame(RunDirectory run, Answer answer) throws IOException {
    Path xml = directory.resolve("compared.xml");
    String root = run.root().toString();
    String text = flat(CommandLines.run("compare", root, "--junit", xml.toString()).out());
    assertThat(text).contains("answer of %s: %s".formatted(run.name(), flat(answer.headline())));
    answer.caveats().forEach(caveat -> assertThat(text).contains("but " + flat(caveat)));
    assertThat(text.startsWith("NOT RELIABLE, " + answer.grade().words()))
        .isEqualTo(answer.grade() == Grade.TOO_BUSY || answer.grade() == Grade.UNRELIABLE);
    JsonNode json = json(CommandLines.run("compare", root, "--format", "json").out());
    assertThat(json.at("/answer")).isEqualTo(json(Json.text(Json.mapper().valueToTree(answer))));
    for (Answer.Claim claim : answer.claims()) {
      claim.effect().ifPresent(effect -> hasRow(json.at("/comparison/comparisons"), effect));
    }
    String suite =
        Files.readString(xml).replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", "\"");
    assertThat(flat(suite))
        .contains(
            "<property name=\"answer\" value=\"%s\"/>".formatted(flat(answer.headline())),
            "<property name=\"kind\" value=\"%s\"/>".formatted(word(answer.kind())),
            "<property name=\"grade\" value=\"%s\"/>".formatted(word(answer.grade())));
    if (answer.grade() == Grade.TOO_BUSY) {
      assertThat(suite).doesNotContain("<failure").contains("testcase name=\"machine\"");
      assertThat(CommandLines.run("compare", root, "--fail-on", "undecided").exit())
          .isEqualTo(ExitCode.TOO_BUSY.code());
    }
  }

  private static void hasRow(JsonNode rows, Answer.Effect effect) {
    assertThat(rows)
        .as("the change of " + effect.name() + " in " + effect.metric() + " is in the comparison")
        .anySatisfy(
            row -> {
              assertThat(row.at("/profile").asText()).isEqualTo(effect.name());
              assertThat(row.at("/metric").asText()).isEqualTo(effect.metric());
              assertThat(row.at("/percent").asDouble())
                  .isCloseTo(effect.change().percent(), within(1e-6));
              assertThat(row.at("/low").asDouble(NaN))
                  .isCloseTo(effect.change().low(), within(1e-6));
              assertThat(row.at("/high").asDouble(NaN))
                  .isCloseTo(effect.change().high(), within(1e-6));
            });
  }

  private static void historyPrints(RunDirectory run, Answer answer) throws IOException {
    String root = run.root().toString();
    Said said = CommandLines.run("history", root);
    if (said.exit() == ExitCode.NO_VALID_DATA.code()) {
      assertThat(answer.claims()).allSatisfy(claim -> assertThat(claim.effect()).isEmpty());
      return;
    }
    assertThat(flat(said.out()))
        .contains("answer of %s: %s".formatted(run.name(), flat(answer.headline())));
    answer.caveats().forEach(one -> assertThat(flat(said.out())).contains("but " + flat(one)));
    JsonNode json = json(CommandLines.run("history", root, "--format", "json").out());
    assertThat(json.at("/answers/0"))
        .isEqualTo(json(Json.text(Json.mapper().valueToTree(new RunAnswer(run.name(), answer)))));
    boolean confirmed = RunEvidence.of(run.load()).course().isPresent();
    for (Answer.Claim claim : answer.claims()) {
      if (confirmed && claim.effect().isPresent()) {
        Answer.Effect effect = claim.effect().get();
        hasLevel(json.at("/history/series"), effect.name(), effect.after());
        hasLevel(json.at("/history/series"), "as-found", effect.before());
        assertThat(said.out()).contains("of its confirmation");
      }
    }
  }

  /** The level of a tune's choice is that of its confirmation, not of the race that chose it. */
  private static void hasLevel(JsonNode series, String profile, double level) {
    assertThat(series)
        .filteredOn(one -> one.at("/profile").asText().equals(profile))
        .isNotEmpty()
        .allSatisfy(
            one -> {
              assertThat(one.at("/nights/0/confirmation").asBoolean()).isTrue();
              assertThat(one.at("/nights/0/value").asDouble())
                  .as("the level of " + profile)
                  .isCloseTo(level, withinPercentage(0.05));
            });
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonNode json(String text) throws IOException {
    return Json.mapper().readTree(text);
  }

  private static String page(RunDirectory run) throws IOException {
    return flat(
        Files.readString(run.root().resolve("report.html"))
            .replace("&gt;", ">")
            .replace("&lt;", "<")
            .replace("&#39;", "'")
            .replace("&quot;", "\"")
            .replace("&amp;", "&"));
  }

  /** Returns the text with single spaces and without the page's signs. */
  private static String flat(String text) {
    return text.replace("−", "-").replace("→", "->").replaceAll("\\s+", " ");
  }
}
