package io.slicewise.workload;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Any plan of one's own. Nothing is known of what it needs, so nothing is set up, and its target
 * need only answer.
 */
record OwnPlan(Path file, Optional<URI> target, Map<String, String> properties)
    implements Workload {
  static final class Type implements WorkloadType {
    @Override
    public String name() {
      return "plan";
    }

    @Override
    public String summary() {
      return "A JMeter plan of your own.";
    }

    @Override
    public String mainDomains() {
      return "the guests that the plan loads";
    }

    @Override
    public Need plan() {
      return Need.MUST;
    }

    @Override
    public Need target() {
      return Need.MAY;
    }

    @Override
    public Workload make(WorkloadRequest request) {
      return new OwnPlan(
          WorkloadRequest.readable(
              request
                  .plan()
                  .orElseThrow(
                      () -> WorkloadRequest.missing(name(), "plan: the path of a .jmx file"))),
          request.target(),
          request.propertiesWithTarget());
    }
  }

  OwnPlan {
    properties = Map.copyOf(properties);
  }

  @Override
  public Optional<Path> plan() {
    return Optional.of(file);
  }

  @Override
  public void setUp() {
    // What a plan of one's own needs is its owner's.
  }

  @Override
  public Optional<String> complaint() {
    return target.flatMap(
        uri ->
            new Probe(uri)
                .complaint(
                    HttpRequest.newBuilder(uri),
                    answer ->
                        answer.statusCode() >= 500 || answer.statusCode() == 404
                            ? Optional.of("answers with status " + answer.statusCode())
                            : Optional.empty()));
  }

  @Override
  public void tearDown() {
    // Nothing was set up.
  }
}
