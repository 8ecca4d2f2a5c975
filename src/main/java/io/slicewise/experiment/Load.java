package io.slicewise.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Comparator;
import java.util.OptionalInt;

/**
 * The load of a cell: users, and the number of interfering neighbours. Ordered by users, then
 * neighbours.
 *
 * @param users concurrent users; 0 if nothing is loaded
 * @param neighbours interfering guests; empty if their number is the same in all trials of the
 *     experiment
 */
public record Load(int users, @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalInt neighbours)
    implements Comparable<Load> {
  private static final Comparator<Load> ORDER =
      Comparator.comparingInt(Load::users).thenComparingInt(load -> load.neighbours.orElse(-1));

  /** Returns a load without neighbours. */
  public static Load of(int users) {
    return new Load(users, OptionalInt.empty());
  }

  /** Returns a load of users and interfering neighbours. */
  public static Load beside(int neighbours, int users) {
    return new Load(users, OptionalInt.of(neighbours));
  }

  /** Returns the load as text: {@code 25 users}, {@code 1 user beside 2 neighbours}. */
  public String text() {
    return counted(users, "user") + neighboursText(neighbours);
  }

  /** Returns {@code " beside 2 neighbours"}; empty if neighbours are not swept. */
  public static String neighboursText(OptionalInt neighbours) {
    return neighbours.isPresent() ? " beside " + counted(neighbours.getAsInt(), "neighbour") : "";
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** Returns the short form for file names: {@code u25}, {@code u25-i2}. */
  public String mark() {
    return "u" + users + (neighbours.isPresent() ? "-i" + neighbours.getAsInt() : "");
  }

  /** Returns the form for lists and columns: {@code 25}, {@code 25 beside 2}. */
  @Override
  public String toString() {
    return users + (neighbours.isPresent() ? " beside " + neighbours.getAsInt() : "");
  }

  @Override
  public int compareTo(Load other) {
    return ORDER.compare(this, other);
  }
}
