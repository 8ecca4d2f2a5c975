package io.slicewise.evidence.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sentence about several trials that differ only in numbers: {@code late by 20.0 to 50.2 ms}.
 *
 * @param sentence with the range of each number that differs
 * @param trials their numbers, in the order given
 */
public record LikeSentences(String sentence, List<Integer> trials) {
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.-])\\d+(?:\\.\\d+)?(?![\\w.-]*\\w)");

  public LikeSentences {
    trials = List.copyOf(trials);
  }

  /** Merges sentences that differ only in numbers, in order of first appearance. */
  public static List<LikeSentences> of(Map<Integer, List<String>> byTrial) {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    byTrial.forEach(
        (trial, sentences) ->
            sentences.forEach(
                sentence ->
                    kinds
                        .computeIfAbsent(NUMBER.matcher(sentence).replaceAll("#"), k -> new Kind())
                        .add(trial, sentence)));
    return kinds.values().stream().map(Kind::sentence).toList();
  }

  private static final class Kind {
    private final List<Integer> trials = new ArrayList<>();
    private final List<String> least = new ArrayList<>();
    private final List<String> greatest = new ArrayList<>();
    private String example = "";

    void add(int trial, String sentence) {
      List<String> numbers =
          NUMBER.matcher(sentence).results().map(found -> found.group()).toList();
      if (trials.isEmpty()) {
        example = sentence;
        least.addAll(numbers);
        greatest.addAll(numbers);
      }
      for (int i = 0; i < numbers.size(); i++) {
        double value = Double.parseDouble(numbers.get(i));
        if (value < Double.parseDouble(least.get(i))) {
          least.set(i, numbers.get(i));
        }
        if (value > Double.parseDouble(greatest.get(i))) {
          greatest.set(i, numbers.get(i));
        }
      }
      if (!trials.contains(trial)) {
        trials.add(trial);
      }
    }

    LikeSentences sentence() {
      StringBuilder sentence = new StringBuilder();
      Matcher numbers = NUMBER.matcher(example);
      for (int i = 0; numbers.find(); i++) {
        String low = least.get(i);
        String high = greatest.get(i);
        numbers.appendReplacement(sentence, low.equals(high) ? low : low + " to " + high);
      }
      return new LikeSentences(numbers.appendTail(sentence).toString(), trials);
    }
  }
}
