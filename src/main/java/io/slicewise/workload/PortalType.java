package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.workload.target.PortalSchema;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The portal workload: opens the main site, creates a list, stores a document in it and reads it
 * back.
 */
final class PortalType implements WorkloadType {
  @Override
  public String name() {
    return "portal";
  }

  @Override
  public String summary() {
    return "A portal: opens its site, creates a list, stores a document in the database and reads"
        + " it back.";
  }

  @Override
  public String mainDomains() {
    return "the portal and its database";
  }

  @Override
  public Need target() {
    return Need.MUST;
  }

  @Override
  public List<Option> options() {
    return DatabaseOptions.options(
        false, "the portal's database, created anew for every trial; default: used as it is");
  }

  @Override
  public Workload make(WorkloadRequest request) {
    URI site =
        request
            .target()
            .map(PortalType::endingWithSlash)
            .orElseThrow(() -> WorkloadRequest.missing(name(), "target: the URL of the portal"));
    Map<String, String> properties = new LinkedHashMap<>(WorkloadRequest.propertiesOf(site, ""));
    properties.putAll(request.properties());
    return new WebWorkload(
        Optional.of(request.planOr(name())),
        properties,
        WebServer.of(
            site.resolve("sign-in"),
            properties,
            DatabaseOptions.database(request.options(), request.environment())
                .map(PortalSchema::of)));
  }

  /** Returns the address with a slash at the end: the site's pages are below it. */
  private static URI endingWithSlash(URI site) {
    String path = site.getRawPath();
    return path.endsWith("/") ? site : site.resolve(path + "/");
  }
}
