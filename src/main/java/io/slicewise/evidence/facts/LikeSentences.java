package io.slicewise.evidence.facts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sentence about several trials or cells that differ only in numbers: {@code late by 20.0 to 50.2
 * ms}.
 *
 * @param sentence with the range of each number that differs
 * @param subjects that it is about, in the order given
 * @param members the sentence of each subject with its own numbers
 */
public record LikeSentences(String sentence, List<String> subjects, List<String> members) {
  private static final Pattern NUMBER =
      Pattern.compile("(?<![\\w.+-])[+-]?\\d+(?:\\.\\d+)?(?![\\w.-]*\\w)");

  public LikeSentences {
    subjects = List.copyOf(subjects);
    members = List.copyOf(members);
  }

  /** Merges sentences that differ only in numbers, in order of first appearance. */
  public static List<LikeSentences> of(Map<String, List<String>> bySubject) {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    bySubject.forEach(
        (subject, sentences) ->
            sentences.forEach(
                sentence ->
                    kinds
                        .computeIfAbsent(NUMBER.matcher(sentence).replaceAll("#"), k -> new Kind())
                        .add(subject, sentence)));
    return kinds.values().stream().map(Kind::sentence).toList();
  }

  private static final class Kind {
    private final List<String> subjects = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final List<String> least = new ArrayList<>();
    private final List<String> greatest = new ArrayList<>();
    private String example = "";

    void add(String subject, String sentence) {
      List<String> numbers =
          NUMBER.matcher(sentence).results().map(found -> found.group()).toList();
      if (subjects.isEmpty()) {
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
      if (!subjects.contains(subject)) {
        subjects.add(subject);
      }
      members.add(subject + ": " + sentence);
    }

    LikeSentences sentence() {
      StringBuilder sentence = new StringBuilder();
      Matcher numbers = NUMBER.matcher(example);
      for (int i = 0; numbers.find(); i++) {
        String low = least.get(i);
        String high = greatest.get(i);
        numbers.appendReplacement(sentence, low.equals(high) ? low : low + " to " + high);
      }
      return new LikeSentences(numbers.appendTail(sentence).toString(), subjects, members);
    }
  }
}
