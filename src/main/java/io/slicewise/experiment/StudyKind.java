package io.slicewise.experiment;

import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Load;
import io.slicewise.workload.tiles.Tile;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A kind of study whose results decide which trials come next: a package of its own, which nothing
 * else names. It is found as a service ({@link ServiceLoader}); {@code order} of an experiment asks
 * for it by its key. What it has to say in other rooms, it says by implementing their interfaces,
 * too ({@link Order#study(Class)}).
 */
public interface StudyKind {
  /** Returns all kinds, each the same object for the life of the process. */
  static List<StudyKind> all() {
    return Found.KINDS;
  }

  /** Returns the word of {@code order} that asks for it. */
  String key();

  /** Returns what its trials are, as a phrase of the documentation of {@code order}. */
  String description();

  /** Returns what an experiment lacks for it, each as a sentence about {@code order}. */
  List<String> lacks(List<Load> loads, List<Tile> tiles, Aim aim);

  /** Returns how its trials follow from each other, as a sentence of a plan. */
  String note();

  /** Returns when it ends, as a clause: {@code the edge is found}. */
  String end();

  /** Returns whether a trial counts only if the metric of the goal of each tile is known. */
  boolean needsGoals();

  /** The kinds of this program. */
  final class Found {
    private static final List<StudyKind> KINDS =
        ServiceLoader.load(StudyKind.class).stream().map(ServiceLoader.Provider::get).toList();

    private Found() {}
  }
}
