package io.slicewise.workload;

import io.slicewise.target.WebAppSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The web application of the 2010 study on one server. */
record WebApp(Path file, Map<String, String> properties, WebServer server) implements Workload {
  static final class Type implements WorkloadType {
    @Override
    public String name() {
      return "web-app";
    }

    @Override
    public String summary() {
      return "The dynamic page of the 2010 study: a sign-in, a logged row, a text and two files.";
    }

    @Override
    public String mainDomains() {
      return "the web server, the file server and the database";
    }

    @Override
    public Need target() {
      return Need.MUST;
    }

    @Override
    public List<Option> options() {
      return DatabaseOptions.options(
          false, "the application's database, made anew for every trial; left out: as it is");
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Map<String, String> properties = request.propertiesWithTarget();
      return new WebApp(
          request.planOr(name()),
          properties,
          new WebServer(
              request
                  .target()
                  .orElseThrow(() -> WorkloadRequest.missing(name(), "target: where the page is")),
              properties.getOrDefault("user1", "user1"),
              properties.getOrDefault("password1", "password1"),
              DatabaseOptions.database(request.options(), request.environment())
                  .map(WebAppSchema::new)));
    }
  }

  WebApp {
    properties = Map.copyOf(properties);
  }

  @Override
  public String name() {
    return "web-app";
  }

  @Override
  public Optional<Path> plan() {
    return Optional.of(file);
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
