package io.slicewise.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.OptionalInt;

/**
 * What a cell is loaded with: the users, and how many neighbours interfere beside them. Ordered by
 * users, then neighbours.
 *
 * @param users concurrent users; 0 when nothing is loaded
 * @param neighbours guests that interfere; empty where the experiment has one number of them for
 *     all its trials, which then says nothing about a cell
 */
public record Load(int users, @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalInt neighbours)
    implements Comparable<Load> {
  private static final Comparator<Load> ORDER =
      Comparator.comparingInt(Load::users).thenComparingInt(load -> load.neighbours.orElse(-1));

  /** Users in an experiment that does not sweep neighbours. */
  public static Load of(int users) {
    return new Load(users, OptionalInt.empty());
  }

  /** Users beside so many neighbours that interfere. */
  public static Load beside(int neighbours, int users) {
    return new Load(users, OptionalInt.of(neighbours));
  }

  /** {@code 25 users}, {@code 1 user beside 2 neighbours}. */
  public String text() {
    return counted(users, "user") + neighboursText(neighbours);
  }

  /** {@code " beside 2 neighbours"}; nothing where they are not swept. */
  public static String neighboursText(OptionalInt neighbours) {
    return neighbours.isPresent() ? " beside " + counted(neighbours.getAsInt(), "neighbour") : "";
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** As short as a file name wants it: {@code u25}, {@code u25-i2}. */
  public String mark() {
    return "u" + users + (neighbours.isPresent() ? "-i" + neighbours.getAsInt() : "");
  }

  /** As in lists and columns: {@code 25}, {@code 25 beside 2}. */
  @Override
  public String toString() {
    return users + (neighbours.isPresent() ? " beside " + neighbours.getAsInt() : "");
  }

  @Override
  public int compareTo(Load other) {
    return ORDER.compare(this, other);
  }
}
