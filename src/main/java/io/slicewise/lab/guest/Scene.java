package io.slicewise.lab.guest;

import io.slicewise.lab.sim.Demands;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workload's servers in the lab: which guests there are, and what listens in them. */
public interface Scene {
  /** The name of the workload it is made for. */
  String name();

  /** The guests that there are unless somebody asks for others: vCPUs by name, in their order. */
  Map<String, Integer> guests();

  /** Starts the servers; they answer when this returns. What they keep goes into the directory. */
  Servers open(Stage stage);

  /**
   * What a scene plays on.
   *
   * @param directory a place for data, the scene's alone
   * @param port where the first server shall listen; 0 = any free one
   * @param guests names of the guests there are, in their order
   * @param demands means of a page view, from which others may take their scale
   * @param times the draws, from the lab's seed
   */
  record Stage(
      Path directory,
      int port,
      GuestHost host,
      List<String> guests,
      Demands demands,
      ServiceTimes times) {
    /** How much more than by default everything costs: the experiment's demand-factor. */
    double scale() {
      return (double) demands.web().toNanos() / Demands.LAB.web().toNanos();
    }

    /** The guest of that place in the order, or the last. */
    String guest(int place) {
      return guests.get(Math.min(place, guests.size() - 1));
    }
  }

  /** Running servers. */
  interface Servers extends AutoCloseable {
    /** Where the first request goes, if the workload has a target. */
    default Optional<URI> target() {
      return Optional.empty();
    }

    /** What the experiment's workload is given: options by name, plain values. */
    Map<String, Object> options();

    @Override
    void close();
  }
}
