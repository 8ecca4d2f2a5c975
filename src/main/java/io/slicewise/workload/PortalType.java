package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.workload.target.PortalSchema;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The portal: its main site is opened, a list is created, a document is stored in it and read back.
 */
final class PortalType implements WorkloadType {
  @Override
  public String name() {
    return "portal";
  }

  @Override
  public String summary() {
    return "A portal: its site is opened, a list made, a document stored in the database and read"
        + " back.";
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
        false, "the portal's database, made anew for every trial; left out: as it is");
  }

  @Override
  public Workload make(WorkloadRequest request) {
    URI site =
        request
            .target()
            .map(PortalType::endingWithSlash)
            .orElseThrow(() -> WorkloadRequest.missing(name(), "target: where the portal is"));
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

  /** The site's pages lie below its address. */
  private static URI endingWithSlash(URI site) {
    String path = site.getRawPath();
    return path.endsWith("/") ? site : site.resolve(path + "/");
  }
}
