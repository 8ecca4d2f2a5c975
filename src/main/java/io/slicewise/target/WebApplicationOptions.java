package io.slicewise.target;

import java.nio.file.Path;

/**
 * How a web application is started.
 *
 * @param host the address to listen on: {@code 127.0.0.1} for this machine alone, {@code 0.0.0.0}
 *     for all
 * @param port 0 = any free one
 * @param files holds {@code header.html} and {@code footer.html}
 * @param connections to the database, 1..1000, and as many worker threads
 */
public record WebApplicationOptions(
    String host, int port, Database database, Path files, int connections, Pace pace) {
  /** Enough to keep one or two cores busy; more only queue in the database. */
  public static final int DEFAULT_CONNECTIONS = 8;

  public WebApplicationOptions {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port " + port + " is out of range 0..65535");
    }
    if (connections < 1 || connections > 1000) {
      throw new IllegalArgumentException("connections " + connections + " is out of range 1..1000");
    }
  }

  /** On this machine alone, on a free port, as fast as the machine. */
  public static WebApplicationOptions local(Database database, Path files) {
    return new WebApplicationOptions(
        "127.0.0.1", 0, database, files, DEFAULT_CONNECTIONS, Pace.FREE);
  }

  public WebApplicationOptions at(Pace other) {
    return new WebApplicationOptions(host, port, database, files, connections, other);
  }

  public WebApplicationOptions withConnections(int number) {
    return new WebApplicationOptions(host, port, database, files, number, pace);
  }
}
