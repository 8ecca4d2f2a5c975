package io.slicewise.report.page;

import io.slicewise.evidence.answer.Answer;
import java.util.List;

/**
 * The page's advice, in the same sentences as on screens.
 *
 * @param answer that it explains
 * @param parts evidence, costs and further details, in reading order
 * @param apply commands that set the profile
 * @param undo commands that restore the settings found
 */
public record PageAdvice(Answer answer, List<Part> parts, List<String> apply, List<String> undo) {
  public PageAdvice {
    parts = List.copyOf(parts);
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
  }

  /** Returns the sentences of a label; empty if the advice has none. */
  public List<String> sentences(String label) {
    return parts.stream()
        .filter(part -> part.label().equals(label))
        .flatMap(part -> part.sentences().stream())
        .toList();
  }

  public record Part(String label, List<String> sentences) {
    public Part {
      sentences = List.copyOf(sentences);
    }
  }
}
