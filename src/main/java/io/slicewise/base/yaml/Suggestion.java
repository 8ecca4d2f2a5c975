package io.slicewise.base.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggests the known word closest to a misspelled one. */
public final class Suggestion {
  private Suggestion() {}

  /** {@code "; did you mean 'weight'?"}, or nothing if no known word is close. */
  public static String of(String word, Collection<String> known) {
    int limit = Math.min(3, Math.max(1, word.length() / 2));
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= limit)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .map(candidate -> "; did you mean '" + candidate + "'?")
        .orElse("");
  }

  /** Returns the number of typing errors between two words; two exchanged letters are one. */
  private static int distance(String word, String candidate) {
    String wrong = word.toLowerCase(Locale.ROOT);
    String right = candidate.toLowerCase(Locale.ROOT);
    LevenshteinDistance edits = LevenshteinDistance.getDefaultInstance();
    return IntStream.range(1, wrong.length())
        .map(i -> 1 + edits.apply(exchanged(wrong, i), right))
        .reduce(edits.apply(wrong, right), Math::min);
  }

  private static String exchanged(String word, int i) {
    return word.substring(0, i - 1) + word.charAt(i) + word.charAt(i - 1) + word.substring(i + 1);
  }
}
