package io.slicewise.report;

import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of a run where the run is one of several, or is compared with another: the value that
 * every other screen of the run prints.
 *
 * @param run its name
 */
public record RunAnswer(String run, Answer answer) {
  /** Answers a run from its evidence. */
  public static RunAnswer of(RunEvidence evidence) {
    return new RunAnswer(evidence.run().name(), Answers.of(evidence));
  }

  /** Returns the answer and what limits it. */
  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    sentences.add("answer of %s: %s".formatted(run, answer.headline()));
    answer.caveats().forEach(caveat -> sentences.add("but " + caveat));
    return sentences;
  }

  /** Returns a headline about the run's numbers, with the reason not to rely on them. */
  String limited(String headline) {
    return answer.grade().isVoid()
        ? "NOT RELIABLE, %s: %s".formatted(answer.grade().words(), headline)
        : headline;
  }
}
