package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Answer;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RecordedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects: a recommendation names its evidence, its price and its limits; it never recommends what
 * is not shown; and the commands it prints are the toolstack's, with their undo.
 */
class AdviceTest {
  private static final List<String> PROFILES = List.of("w256", "again", "w512", "both");

  @TempDir private Path directory;
  private int trial;

  @BeforeEach
  void countFromOne() {
    trial = 1;
  }

  /** The p95 of each profile is the factor times 200 ms, give or take half a percent. */
  private LoadedRun run(int blocks, double... factors) {
    return run(RecordedRun.EXPERIMENT, blocks, factors);
  }

  private LoadedRun run(String experiment, int blocks, double... factors) {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), experiment);
    Random random = new Random(3);
    for (int block = 1; block <= blocks; block++) {
      double level = 200 * Math.exp(0.001 * random.nextGaussian());
      for (int users : List.of(50, 300)) {
        for (int i = 0; i < factors.length; i++) {
          double p95 = level * factors[i] * Math.exp(0.005 * random.nextGaussian());
          run.trial(trial++, PROFILES.get(i), users, block, users * 1000 / p95, p95);
        }
      }
    }
    return run.restored().end().load();
  }

  private static String text(Advice advice, String label) {
    StringBuilder text = new StringBuilder();
    String current = "";
    for (Advice.Line line : advice.lines()) {
      current = line.label().isEmpty() ? current : line.label();
      if (current.equals(label)) {
        text.append(line.text()).append('\n');
      }
    }
    return text.toString();
  }

  @Test
  void recommendsOneKnobWithEvidencePriceAndCommands() {
    Advice advice = Advice.of(run(8, 1, 1, 0.8, 1.3));

    assertThat(advice.profile()).hasValue("w512");
    assertThat(advice.headline())
        .startsWith("Use w512 at 300 users: p95 ")
        .endsWith("; better at 2 of 2 loads, worse at none");
    assertThat(advice.answer().grade()).isEqualTo(Answer.Grade.SHOWN);
    assertThat(text(advice, "Evidence"))
        .contains("50 users: p95 ", "300 users: p95 ", " ms, -2", "p <0.001: BETTER")
        .contains("better at 2 of 2, worse at none, same direction at every load");
    assertThat(text(advice, "Price")).as("its throughput is higher, too").isEmpty();
    assertThat(text(advice, "Waits")).contains("db waits 10.0 -> 15.0 % of its vCPU time");
    assertThat(text(advice, "Cause"))
        .contains("w512, 50 users: a request takes ", "cannot be attributed with this monitor")
        .as("the monitor's doubt is of causes that are given")
        .doesNotContain("xenmon of Xen 4.8");
    assertThat(text(advice, "Why not"))
        .contains("both: worse at 50 users (+")
        .doesNotContain("again");
    assertThat(text(advice, "Which knob")).contains("weight(web) 256 -> 512, the only difference");
    assertThat(text(advice, "Holds for"))
        .contains("this host, Xen 4.17, credit, 2 guests, web-app at 50, 300 users");
    assertThat(advice.apply()).containsExactly("xl sched-credit -d web -w 512 -c 0");
    assertThat(advice.undo()).containsExactly("xl sched-credit -d web -w 256 -c 0");
    assertThat(text(advice, "Apply")).contains("slicewise apply", "--profile w512");
    assertThat(text(advice, "Host")).contains("1 setting restored and verified");
    assertThat(text(advice, "Trials")).isEmpty();
  }

  @Test
  void profileThatIsAsGoodIsSaidToBeAsGood() {
    assertThat(text(Advice.of(run(8, 1, 1, 0.8, 0.8)), "Why not"))
        .contains("both: better at 50 users (", "; as good as w512 at some loads");
  }

  @Test
  void priceListsWhatTheOtherMetricLoses() {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT);
    for (int block = 1; block <= 8; block++) {
      run.trial(trial++, "w256", 50, block, 100 + 0.1 * block, 200 + block);
      run.trial(trial++, "w512", 50, block, 90 + 0.1 * block, 150 + block);
    }
    assertThat(text(Advice.of(run.end().load()), "Price"))
        .contains("50 users: throughput 100 -> 90.4 /s, -10.0 %", "WORSE (not part of the test)");
  }

  @Test
  void whatItHoldsForNamesTheWorkloadsOptions() {
    String tpcb =
        RecordedRun.EXPERIMENT.replaceFirst(
            "workload: .*",
            "workload: {name: tpcb, database: 'jdbc:postgresql://db/bench', size: medium}");
    assertThat(text(Advice.of(run(tpcb, 3, 1, 1, 0.8, 1.3)), "Holds for"))
        .contains(
            "tpcb at 50, 300 users (scale 100, interference 0, interference-clients 4, verify"
                + " false); ")
        .doesNotContain("postgresql");
  }

  @Test
  void enoughBlocksOneKnobAndASoundControlLeaveNoCaveat() {
    Advice advice = Advice.of(run(8, 1, 1, 0.8, 1.3));
    assertThat(text(advice, "But")).doesNotContain("block", "load", "knob", "baseline", "excluded");
    assertThat(text(advice, "How sure"))
        .startsWith("shown, not measured again: 8 blocks, better at every load, no drift (p ")
        .contains(
            "the baseline measured twice agrees with itself, 0 of 64 trials excluded, one knob"
                + " differs");
  }

  @Test
  void aControlThatCouldNotBeJudgedIsACaveat() {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT);
    for (int block = 1; block <= 8; block++) {
      for (int users : List.of(50, 300)) {
        run.trial(trial++, "w256", users, block, 100, 200 + block);
        run.trial(trial++, "w512", users, block, 100, 150 + block);
        if (block == 1) {
          run.trial(trial++, "again", users, block, 100, 200 + block);
        }
      }
    }
    assertThat(text(Advice.of(run.end().load()), "But"))
        .contains("too few trials of the baseline measured twice");
  }

  @Test
  void falseAlarmOfTheControlLeavesNoAnswer() {
    Advice advice = Advice.of(run(8, 1, 1.1, 0.8, 1.3));
    assertThat(advice.profile()).isEmpty();
    assertThat(advice.answer().grade()).isEqualTo(Answer.Grade.UNRELIABLE);
    assertThat(advice.answer().caveats().get(0))
        .startsWith("the baseline measured twice differs from itself: again at 50 users by +");
  }

  /** An interval of thousands of percent is no figure. */
  @Test
  void falseAlarmTooWideToMeasureHasNoInterval() {
    assertThat(Advice.of(run(8, 1, 2000, 0.8, 1.3)).answer().caveats().get(0))
        .contains("again at 50 users, not measurable with these windows");
  }

  @Test
  void falseAlarmOfTheControlIsToldWhereNothingIsRecommended() {
    Advice advice = Advice.of(run(8, 1, 1.1, 1.2, 1.3));
    assertThat(advice.profile()).isEmpty();
    assertThat(text(advice, "Control")).contains("the baseline measured twice differs from itself");
  }

  @Test
  void aLoadWithoutValidTrialsIsNotLeftOut() {
    RecordedRun run = RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT);
    for (int block = 1; block <= 3; block++) {
      run.trial(trial++, "w256", 50, block, 100, 200 + block);
      run.trial(trial++, "w256", 300, block, 100, 200 + block);
      run.trial(trial++, "w512", 50, block, 100, 300 + block);
    }
    assertThat(text(Advice.of(run.end().load()), "Why not"))
        .contains("w512: worse at 50 users (+")
        .contains("); nothing to compare at 300 users");
  }

  @Test
  void fewBlocksAndTwoKnobsAreCaveats() {
    Advice advice = Advice.of(run(4, 1, 1, 1.2, 0.7));
    assertThat(advice.profile()).hasValue("both");
    assertThat(text(advice, "Trials"))
        .isEqualTo("32 of 48 have finished so far; the results below cover those\n");
    assertThat(text(advice, "Which knob")).contains("2 settings differ; to find the cause,");
    assertThat(text(advice, "But"))
        .contains("4 blocks: fewer than 8 assume normally distributed trials")
        .contains("2 knobs differ from the baseline");
    assertThat(text(advice, "Surer by"))
        .contains("4 more blocks would not assume normally distributed trials");
  }

  @Test
  void namesFiveKnobsAtMostAndHowToFindTheCause() {
    String experiment =
        RecordedRun.EXPERIMENT.replace("other: [db]", "other: [db, g1, g2, g3, g4, g5]");
    RecordedRun run = RecordedRun.begin(directory.resolve("knobs"), experiment);
    for (int block = 1; block <= 6; block++) {
      run.trial(trial++, "w256", 300, block, 100, 200 + block);
      run.trial(trial++, "both", 300, block, 100, 150 + block);
    }
    assertThat(text(Advice.of(run.end().load()), "Which knob"))
        .containsPattern("^([^,]+, ){4}[^,]+ and 2 more: 7 settings differ; ")
        .contains("to find the cause, add a profile that changes only one of them");
  }

  @Test
  void recommendsNothingThatIsNotShown() {
    Advice advice = Advice.of(run(3, 1, 1, 0.985, 1.3));
    assertThat(advice.profile()).isEmpty();
    assertThat(advice.headline()).startsWith("No answer yet: no profile is shown to be better");
    assertThat(text(advice, "Not shown")).contains(" users: ", "would decide");
    assertThat(advice.apply()).isEmpty();
  }

  @Test
  void whereNothingWasComparedTheAnswerNamesTheReason() {
    assertThat(Advice.of(run(3, 1)).headline())
        .startsWith("No answer yet: no two profiles have valid trials at the same load")
        .doesNotContain("better");
  }

  @Test
  void oneUserAndOneGuestAreNotPlural() {
    String experiment = RecordedRun.EXPERIMENT.replaceFirst("users: \\[.*]", "users: [1]");
    RecordedRun run = RecordedRun.begin(directory.resolve("one"), experiment);
    run.trial(trial++, "w256", 1, 1, 100, 200);
    assertThat(text(Advice.of(run.end().load()), "Holds for"))
        .contains(" at 1 user")
        .doesNotContain("1 users");
  }

  @Test
  void oneBlockIsToldAsSuch() {
    Advice advice = Advice.of(run(1, 1, 1, 0.5, 1.3));
    assertThat(advice.profile()).isEmpty();
    assertThat(text(advice, "Why not")).contains("w512: unclear at 50 users (one block)");
  }

  @Test
  void everySentenceIsPlainText() {
    Advice advice = Advice.of(run(4, 1, 1, 0.8, 1.3));
    assertThat(advice.lines().stream().map(Advice.Line::text).collect(Collectors.joining()))
        .doesNotContain("\033", "NaN", "null", "Optional");
  }

  /**
   * p95 grows with the users: 100 ms at 50 users, 400 ms at 300, times the profile's factor; w512
   * has that share of the others' throughput.
   */
  private Advice asked(String aim, double rate, double... factors) {
    RecordedRun run =
        RecordedRun.begin(directory.resolve("asked-" + trial), RecordedRun.EXPERIMENT + aim);
    Random random = new Random(3);
    for (int block = 1; block <= 8; block++) {
      for (int users : List.of(50, 300)) {
        for (int i = 0; i < factors.length; i++) {
          double p95 = (users == 50 ? 100 : 400) * factors[i];
          double noise = Math.exp(0.005 * random.nextGaussian());
          double throughput = 2 * users * noise * (i == 2 ? rate : 1);
          run.trial(trial++, PROFILES.get(i), users, block, throughput, p95 * noise);
        }
      }
    }
    return Advice.of(run.restored().end().load());
  }

  @Test
  void tellsHowManyUsersAreBorneWhereThatWasMeasured() {
    Advice advice = asked("goal: p95 < 200ms\n", 1, 1, 1, 0.8, 1.3);
    // ln 2 of ln 4 on the way from 50 to 300 users; with a factor of 0.8, ln 2.5 of ln 4.
    assertThat(text(advice, "Capacity"))
        .containsPattern("w512, p95 < 200 ms: 21[56] \\[21[3-6], 21[5-8]\\] users, interpolated")
        .containsPattern("w256, p95 < 200 ms: 17[456] \\[17[2-5], 17[5-8]\\] users");
    assertThat(text(asked("goal: p95 < 500ms\n", 1, 1, 1, 0.8, 1), "Capacity"))
        .contains("w512, p95 < 500 ms: not bracketed by the loads measured: met up to")
        .contains("the highest, 300 users");
    assertThat(text(asked("goal: p95 < 50ms\n", 1, 1, 1, 0.8, 1), "Capacity"))
        .contains("missed at the lowest, 50 users");
    assertThat(text(asked("", 1, 1, 1, 0.8, 1), "Capacity")).isEmpty();
  }

  @Test
  void whatBreaksAGuardIsNotRecommended() {
    Advice held = asked("guard: {throughput: -5%, errors: 0.5%}\n", 1, 1, 1, 0.8, 1.3);
    assertThat(held.profile()).hasValue("w512");
    assertThat(text(held, "Guard"))
        .contains("50 users: throughput ", "guard met (5 % worse allowed)")
        .contains("300 users: errors 0.00 %: guard met (0.5 % allowed)");
    assertThat(asked("", 0.9, 1, 1, 0.8, 1.3).profile()).hasValue("w512");
    Advice broken = asked("guard: {throughput: -5%}\n", 0.9, 1, 1, 0.8, 1.3);
    assertThat(broken.profile()).isEmpty();
    assertThat(text(broken, "Guard")).contains("w512, 50 users: throughput ", "GUARD BROKEN");
  }
}
