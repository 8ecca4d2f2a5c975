package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.workload.target.WebAppSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The web application of the 2010 study on one server. */
final class WebAppType implements WorkloadType {
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
        false, "the application's database, created anew for every trial; default: used as it is");
  }

  @Override
  public Workload make(WorkloadRequest request) {
    Map<String, String> properties = request.propertiesWithTarget();
    return new WebWorkload(
        Optional.of(request.planOr(name())),
        properties,
        WebServer.of(
            request
                .target()
                .orElseThrow(() -> WorkloadRequest.missing(name(), "target: the URL of the page")),
            properties,
            DatabaseOptions.database(request.options(), request.environment())
                .map(WebAppSchema::of)));
  }
}
