package io.slicewise.workload;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A sample application on one server, loaded by a plan. */
record WebWorkload(Optional<Path> plan, Map<String, String> properties, WebServer server)
    implements Workload {
  WebWorkload {
    properties = Map.copyOf(properties);
  }

  @Override
  public void setUp() {
    server.setUp();
  }

  @Override
  public Optional<String> complaint() {
    return server.complaint();
  }

  @Override
  public void tearDown() {
    server.tearDown();
  }
}
