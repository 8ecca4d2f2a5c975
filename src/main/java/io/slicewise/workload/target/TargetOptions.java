package io.slicewise.workload.target;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a sample application is started.
 *
 * @param host the address to listen on: {@code 127.0.0.1} for this machine only, {@code 0.0.0.0}
 *     for all
 * @param port 0 for any free port
 * @param files contains {@code header.html} and {@code footer.html}
 * @param connections to the database, 1..1000, which is also the number of worker threads
 * @param accessLog where each request is logged; empty = nowhere
 */
public record TargetOptions(
    String host,
    int port,
    Database database,
    Path files,
    int connections,
    Optional<Path> accessLog) {
  /**
   * Enough to keep one or two cores busy; more would only queue in the database. Waiting users need
   * no thread, so their number does not matter.
   */
  public static final int DEFAULT_CONNECTIONS = 8;

  public TargetOptions {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port " + port + " is out of range 0..65535");
    }
    if (connections < 1 || connections > 1000) {
      throw new IllegalArgumentException("connections " + connections + " is out of range 1..1000");
    }
  }

  /** Returns options without an access log. */
  public TargetOptions(String host, int port, Database database, Path files, int connections) {
    this(host, port, database, files, connections, Optional.empty());
  }

  /** Returns options for this machine only, on a free port. */
  public static TargetOptions local(Database database, Path files) {
    return new TargetOptions("127.0.0.1", 0, database, files, DEFAULT_CONNECTIONS);
  }

  public TargetOptions onPort(int other) {
    return new TargetOptions(host, other, database, files, connections, accessLog);
  }

  public TargetOptions loggingTo(Path file) {
    return new TargetOptions(host, port, database, files, connections, Optional.of(file));
  }
}
