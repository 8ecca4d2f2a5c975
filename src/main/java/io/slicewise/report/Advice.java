package io.slicewise.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.run.LoadedRun;
import java.util.List;
import java.util.Optional;

/**
 * The answer of a run with everything that speaks for and against it, as sentences, shared by
 * screen and page.
 *
 * @param lines evidence, costs and further details, in reading order
 * @param apply commands for Domain-0 that set the profile on a host as the run found it
 * @param undo commands that restore the settings found
 */
public record Advice(Answer answer, List<Line> lines, List<String> apply, List<String> undo) {
  public Advice {
    lines = List.copyOf(lines);
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
  }

  /**
   * A labelled sentence; an empty label continues the line above.
   *
   * @param label {@code Evidence}, {@code Price}, {@code Why not}, …
   */
  public record Line(String label, String text) {}

  /** Returns the profile to use; empty if there is none, or not one for all loads. */
  @JsonProperty
  public Optional<String> profile() {
    return answer.choice();
  }

  /** Returns the answer as a sentence. */
  @JsonProperty
  public String headline() {
    return answer.headline();
  }

  /** Returns the advice of a run from its results so far. */
  public static Advice of(LoadedRun run) {
    RunEvidence evidence = RunEvidence.of(run);
    return of(evidence, Answers.of(evidence));
  }

  /** Returns the advice from a run that is already loaded and answered. */
  public static Advice of(RunEvidence evidence, Answer answer) {
    return new AdviceWriter(evidence, answer).advice();
  }
}
