package io.slicewise.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slicewise.base.units.Plural;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The load of a cell: users, the number of interfering neighbours, and the part of the workload.
 * Ordered by users, then neighbours, then part.
 *
 * @param users concurrent users; 0 if nothing is loaded
 * @param neighbours interfering guests; empty if their number is the same in all trials of the
 *     experiment
 * @param part the only part of the workload in this trial, such as a query; empty if all trials
 *     have the whole workload
 */
public record Load(
    int users,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalInt neighbours,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> part)
    implements Comparable<Load> {
  private static final Comparator<Load> ORDER =
      Comparator.comparingInt(Load::users)
          .thenComparingInt(load -> load.neighbours.orElse(-1))
          .thenComparing(load -> load.part.orElse(""));

  public Load {
    // Missing in the records of runs from before parts existed.
    part = part == null ? Optional.empty() : part;
  }

  /** Returns a load without neighbours. */
  public static Load of(int users) {
    return new Load(users, OptionalInt.empty(), Optional.empty());
  }

  /** Returns a load of users and interfering neighbours. */
  public static Load beside(int neighbours, int users) {
    return new Load(users, OptionalInt.of(neighbours), Optional.empty());
  }

  /** Returns this load with one part of the workload alone. */
  public Load only(String which) {
    return new Load(users, neighbours, Optional.of(which));
  }

  /**
   * Returns the load as text: {@code 25 users}, {@code 1 user with 2 neighbours}, {@code 1 user
   * with q06}, {@code no load}.
   */
  public String text() {
    return (users == 0 ? "no load" : Plural.of(users, "user"))
        + neighboursText(neighbours)
        + partText();
  }

  /** Returns {@code " with 2 neighbours"}; empty if neighbours are not swept. */
  public static String neighboursText(OptionalInt neighbours) {
    return neighbours.isPresent() ? " with " + Plural.of(neighbours.getAsInt(), "neighbour") : "";
  }

  private String partText() {
    return part.map(name -> " with " + name).orElse("");
  }

  /** Returns the short form for file names: {@code u25}, {@code u25-i2}, {@code u1-q06}. */
  public String mark() {
    return "u"
        + users
        + (neighbours.isPresent() ? "-i" + neighbours.getAsInt() : "")
        + part.map(name -> "-" + name).orElse("");
  }

  /** Returns the form for lists and columns: {@code 25}, {@code 25 + 2}, {@code 1 with q06}. */
  @Override
  public String toString() {
    return users + (neighbours.isPresent() ? " + " + neighbours.getAsInt() : "") + partText();
  }

  @Override
  public int compareTo(Load other) {
    return ORDER.compare(this, other);
  }
}
