package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.workload.WebServer.Probe;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Any plan of the user. Its requirements are unknown, so nothing is set up, and its target only has
 * to answer.
 */
record OwnPlan(
    Optional<Path> plan, Optional<URI> target, Map<String, String> properties, OwnCount count)
    implements Workload {
  /** The generator's property that enables the requests inside parent samples. */
  private static final String REQUESTS_OF_PARENTS = "slicewise.requests-of-parents";

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
    public List<Option> options() {
      return OwnCount.OPTIONS;
    }

    @Override
    public List<String> counts(Path plan, Options options) {
      return OwnCount.of(plan, options).describe(PlanElements.read(plan));
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Path plan =
          WorkloadRequest.readable(
              request
                  .plan()
                  .orElseThrow(
                      () -> WorkloadRequest.missing(name(), "plan: the path of a .jmx file")));
      Map<String, String> properties = new LinkedHashMap<>(request.propertiesWithTarget());
      properties.put(REQUESTS_OF_PARENTS, "true");
      return new OwnPlan(
          Optional.of(plan), request.target(), properties, OwnCount.of(plan, request.options()));
    }
  }

  OwnPlan {
    properties = Map.copyOf(properties);
  }

  @Override
  public void setUp() {
    // The user prepares what the plan needs.
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

  @Override
  public Counted counted() {
    return count.kind() == OwnCount.Kind.TRANSACTIONS ? Counted.TRANSACTIONS : Counted.REQUESTS;
  }

  @Override
  public boolean listsTransactions() {
    return count.kind() == OwnCount.Kind.BOTH;
  }

  @Override
  public Set<String> totalLabels() {
    return count.labels();
  }

  /** The pauses of a user's plan come from its own timers. */
  @Override
  public boolean pausesAreThinking() {
    return true;
  }
}
