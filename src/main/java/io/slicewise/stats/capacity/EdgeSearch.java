package io.slicewise.stats.capacity;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The search for the edge: the largest number of guests that fits, where the next does not. The
 * smallest number is measured first, since the models need it; then what they predict, and its
 * neighbours. Where they were wrong twice, the rest is bisected.
 *
 * <p>A number between two that fit is taken to fit, and one above a number that does not fit, not
 * to: more guests on the same host never make the others faster.
 *
 * @param levels that can be measured
 * @param verdicts of those that were measured as often as allowed, or are decided
 */
public record EdgeSearch(NavigableSet<Integer> levels, NavigableMap<Integer, Verdict> verdicts) {
  private static final int TRUSTED = 4;

  public EdgeSearch(NavigableSet<Integer> levels, Map<Integer, Verdict> verdicts) {
    this(new TreeSet<>(levels), new TreeMap<>(verdicts));
  }

  /** Returns the largest number that fits; empty if none is known to. */
  public OptionalInt fits() {
    return verdicts.entrySet().stream()
        .filter(level -> level.getValue() == Verdict.FITS)
        .filter(level -> breaks().isEmpty() || level.getKey() < breaks().getAsInt())
        .mapToInt(Map.Entry::getKey)
        .max();
  }

  /** Returns the smallest number that does not fit; empty if none is known not to. */
  public OptionalInt breaks() {
    return verdicts.entrySet().stream()
        .filter(level -> level.getValue() == Verdict.BREAKS)
        .mapToInt(Map.Entry::getKey)
        .min();
  }

  private boolean isOutside(int level) {
    return (fits().isPresent() && level < fits().getAsInt())
        || (breaks().isPresent() && level > breaks().getAsInt());
  }

  /** Returns whether each number but one is decided: k fits, and the next does not. */
  public boolean found() {
    OptionalInt broken = breaks();
    OptionalInt fit = fits();
    if (broken.isEmpty()) {
      return fit.isPresent() && fit.getAsInt() == levels.last();
    }
    Integer below = levels.lower(broken.getAsInt());
    return below == null || (fit.isPresent() && fit.getAsInt() == below);
  }

  /**
   * Returns the number to measure next; empty if there is nothing left to find.
   *
   * @param predicted the largest number that fits by the models
   */
  public OptionalInt next(int predicted) {
    if (verdicts.isEmpty()) {
      return OptionalInt.of(levels.first());
    }
    TreeSet<Integer> open = new TreeSet<>(levels);
    fits().ifPresent(fit -> open.headSet(fit, true).clear());
    breaks().ifPresent(broken -> open.tailSet(broken, true).clear());
    open.removeAll(verdicts.keySet());
    if (open.isEmpty()) {
      return OptionalInt.empty();
    }
    TreeSet<Integer> close = new TreeSet<>(verdicts.keySet());
    close.removeIf(level -> verdicts.get(level) != Verdict.UNDECIDED || isOutside(level));
    if (!close.isEmpty()) {
      // An undecided number is near the edge: only its neighbours can narrow it.
      Integer below = open.lower(close.first());
      return OptionalInt.of(below == null ? open.higher(close.last()) : below);
    }
    if (verdicts.size() >= TRUSTED) {
      return OptionalInt.of(open.stream().skip(open.size() / 2).findFirst().orElseThrow());
    }
    // The prediction first; once it fits, the next one; once it does not, the one before.
    Integer wanted = open.floor(Math.max(predicted, levels.first()));
    return OptionalInt.of(wanted == null ? open.first() : wanted);
  }

  /** Whether a number of guests fits. */
  public enum Verdict {
    /** The whole interval of every tile is inside its limit. */
    FITS,
    /** The whole interval of a tile is beyond its limit. */
    BREAKS,
    /** Neither: an interval includes its limit, or a value is unknown. */
    UNDECIDED
  }
}
