package io.slicewise.load.jtl;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Errors by response code. A file's errors have few codes, and those are short: the first spellings
 * met are kept as words and known again without making a text of each.
 */
final class ErrorCodes {
  static final String OTHERS = "(other codes)";

  /** The longest spelling that fits in a word. */
  static final int LONGEST_WORD = 8;

  private static final int KEPT = 8;

  private final Map<String, Count> counts = new LinkedHashMap<>();
  private final long[] words = new long[KEPT];
  private final int[] lengths = new int[KEPT];
  private final Count[] kept = new Count[KEPT];
  private int spellings;

  /**
   * Counts an error whose code is in a spelling that was kept.
   *
   * @param word the spelling, zeros behind it
   * @return false if it was not
   */
  boolean addKept(long word, int length) {
    for (int i = 0; i < spellings; i++) {
      if (words[i] == word && lengths[i] == length) {
        kept[i].errors++;
        return true;
      }
    }
    return false;
  }

  /**
   * Counts an error.
   *
   * @return whether the code got, or has, a count of its own
   */
  boolean add(String code, int most) {
    boolean own = counts.containsKey(code) || counts.size() < most;
    count(own ? code : OTHERS).errors++;
    return own;
  }

  /** Keeps the spelling of a code that has been counted, if there is room. */
  void keep(long word, int length, String code) {
    if (spellings < KEPT) {
      words[spellings] = word;
      lengths[spellings] = length;
      kept[spellings++] = count(code);
    }
  }

  private Count count(String code) {
    return counts.computeIfAbsent(code, none -> new Count());
  }

  /** How many different codes there are. */
  int size() {
    return counts.size();
  }

  void add(ErrorCodes other) {
    other.counts.forEach((code, count) -> count(code).errors += count.errors);
  }

  /** How many errors there are of each code. */
  Map<String, Long> byCode() {
    Map<String, Long> byCode = new LinkedHashMap<>();
    counts.forEach((code, count) -> byCode.put(code, count.errors));
    return byCode;
  }

  private static final class Count {
    private long errors;
  }
}
