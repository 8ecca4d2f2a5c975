package io.slicewise.stats.capacity;

/**
 * A resource at which requests queue.
 *
 * @param name of the resource, as a phrase
 * @param seconds of service that a request needs in total, over all copies
 * @param servers that each copy has; a request uses one at a time
 * @param copies that share the requests equally
 * @param nested whether the service is part of another station's, as a guest's vCPU runs on a pCPU:
 *     only the wait for it adds to the response time
 */
public record Station(String name, double seconds, int servers, int copies, boolean nested) {
  public Station {
    if (!(seconds >= 0 && Double.isFinite(seconds)) || servers < 1 || copies < 1) {
      throw new IllegalArgumentException(
          "a station needs a time of service and at least one server: %s, %s s, %d servers, %d copies"
              .formatted(name, seconds, servers, copies));
    }
  }

  /** A resource of its own with one server. */
  public static Station single(String name, double seconds) {
    return new Station(name, seconds, 1, 1, false);
  }

  /** Returns the time between two completions if it is never idle, in seconds per request. */
  public double secondsPerRequest() {
    return seconds / (servers * (double) copies);
  }
}
