package io.slicewise.base.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
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

  private static int distance(String word, String candidate) {
    return LevenshteinDistance.getDefaultInstance()
        .apply(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
  }
}
