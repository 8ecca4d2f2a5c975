package io.slicewise.report.page;

import java.util.List;

/**
 * What the page advises, in sentences that screens say as well.
 *
 * @param parts evidence, price and what else belongs to it, in the order they are read
 * @param apply commands that set the profile
 * @param undo commands that put back what the run found
 */
public record PageAdvice(List<Part> parts, List<String> apply, List<String> undo) {
  public PageAdvice {
    parts = List.copyOf(parts);
    apply = List.copyOf(apply);
    undo = List.copyOf(undo);
  }

  /** The sentences under one label. */
  public record Part(String label, List<String> sentences) {
    public Part {
      sentences = List.copyOf(sentences);
    }
  }
}
