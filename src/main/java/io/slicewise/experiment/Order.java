package io.slicewise.experiment;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The order of trials.
 *
 * @param key in files and options
 * @param hasBlocks whether cells are compared inside blocks, so that a drift of the host cancels
 * @param study the kind of study that decides which trials come next; empty if the order is known
 *     beforehand
 */
public record Order(String key, boolean hasBlocks, Optional<StudyKind> study) {
  /** Complete blocks (one repetition of every cell), random inside a block, seeded. */
  public static final Order BLOCKS = new Order("blocks", true, Optional.empty());

  /** Profile by profile, load by load, repetition by repetition, as the 2010 study did. */
  public static final Order AS_WRITTEN = new Order("as-written", false, Optional.empty());

  /** Load by load, profile by profile, repetition by repetition, as its scripts did. */
  public static final Order LOADS_AS_WRITTEN =
      new Order("loads-as-written", false, Optional.empty());

  /** Returns all orders: the known ones, then those of kinds of study, which have blocks. */
  public static List<Order> all() {
    return Stream.concat(
            Stream.of(BLOCKS, AS_WRITTEN, LOADS_AS_WRITTEN),
            StudyKind.all().stream().map(kind -> new Order(kind.key(), true, Optional.of(kind))))
        .toList();
  }

  /** Returns the order with that key; empty if there is none. */
  public static Optional<Order> named(String key) {
    return all().stream().filter(order -> order.key().equals(key)).findFirst();
  }

  /** Returns what its kind of study has to say as that interface; empty if it says nothing. */
  public <T> Optional<T> study(Class<T> face) {
    return study.filter(face::isInstance).map(face::cast);
  }

  /** Returns whether results decide which trials come next. */
  public boolean searches() {
    return study.isPresent();
  }

  /** Returns the name in files and options. */
  @Override
  public String toString() {
    return key;
  }
}
