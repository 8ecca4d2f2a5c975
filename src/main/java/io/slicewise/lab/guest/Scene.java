package io.slicewise.lab.guest;

import io.slicewise.lab.disk.SharedDisk.DiskSpec;
import io.slicewise.lab.sim.Demands;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workload's servers in the lab: the guests and their services. */
public interface Scene {
  /** The name of its workload. */
  String name();

  /** The default guests: vCPUs by name, in order. */
  Map<String, Integer> guests();

  /**
   * Starts the servers, which accept requests when this returns. Their data are in the directory of
   * the stage.
   */
  Servers open(Stage stage);

  /**
   * The environment of a scene.
   *
   * @param directory a directory for data, used only by the scene
   * @param port of the first server; 0 for any free port
   * @param guests names of the guests, in order
   * @param demands means of a page view, to which others may be scaled
   * @param times random service times, from the lab's seed
   * @param visits the arrivals at a site with visitors of its own, again and again; empty for those
   *     of the scene
   * @param disk that databases of short transactions use; empty if they are all in memory
   */
  record Stage(
      Path directory,
      int port,
      GuestHost host,
      List<String> guests,
      Demands demands,
      ServiceTimes times,
      List<Visits> visits,
      Optional<DiskSpec> disk) {
    /** Returns the environment of one of several scenes. */
    Stage part(String name, List<String> its, int itsPort) {
      return new Stage(directory.resolve(name), itsPort, host, its, demands, times, visits, disk);
    }

    /** The factor on all demands: the experiment's demand-factor. */
    double scale() {
      return demands.factor();
    }

    /** The guest with an index, or the last. */
    String guest(int place) {
      return guests.get(Math.min(place, guests.size() - 1));
    }
  }

  /** Arrivals of visitors at random times, for a time. */
  record Visits(double perSecond, Duration time) {}

  /** Running servers. */
  interface Servers extends AutoCloseable {
    /** The URL of the first request, if the workload has a target. */
    default Optional<URI> target() {
      return Optional.empty();
    }

    /** The options for the experiment's workload: plain values by name. */
    Map<String, Object> options();

    /** Whether a guest has a server that can be stopped under that name. */
    default boolean hasUnit(String guest, String unit) {
      return false;
    }

    /** Stops the server of a guest. */
    default void stop(String guest) {}

    /** Starts the server of a guest again, if it was stopped. */
    default void start(String guest) {}

    /** Empties the caches of a guest's kernel. */
    default void dropCaches(String guest) {}

    @Override
    void close();
  }
}
