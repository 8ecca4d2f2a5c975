package io.slicewise.workload;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.counters.Prometheus;
import io.slicewise.workload.counters.Sql;
import io.slicewise.workload.target.PortalApplication.PortalSchema;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import io.slicewise.workload.tiles.Tiles;
import io.slicewise.workload.tpc.StrideType;
import io.slicewise.workload.tpc.TpcbType;
import io.slicewise.workload.tpc.TpchType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All workloads, by name. */
public final class Workloads {
  private static final List<WorkloadType> TYPES =
      List.of(
          new WebAppType(),
          new Vps.Type(),
          new Tiles.Type(),
          new PortalType(),
          new MailLoad.Type(),
          new CpuSort.Type(),
          new TpchType(),
          new TpcbType(),
          new StrideType(),
          new Observe.Type(),
          new Benchmark.Type(),
          new Traffic.Type(),
          new Prometheus.Type(),
          new Sql.Type(),
          new OwnPlan.Type());

  private Workloads() {}

  /** All workloads, in the order in which they are listed. */
  public static List<WorkloadType> types() {
    return TYPES;
  }

  /** Their names. */
  public static List<String> names() {
    return TYPES.stream().map(WorkloadType::name).toList();
  }

  public static Optional<WorkloadType> type(String name) {
    return TYPES.stream().filter(type -> type.name().equals(name)).findFirst();
  }

  /** The included plan of a workload, if any. */
  public static Optional<Path> shippedPlan(String name) {
    return Optional.of(WorkloadRequest.shipped(name)).filter(Files::isReadable);
  }

  /**
   * Returns the workload with a name; passwords come from this process's environment.
   *
   * @param plan a JMeter plan instead of the workload's own; required for {@code plan}
   * @param target the URL of the first request; becomes the JMeter properties {@code protocol},
   *     {@code host}, {@code port} and {@code path}
   * @param properties further JMeter properties
   * @param options the workload's own, as {@link WorkloadType#options} describes them
   * @throws SlicewiseException if the name is unknown, something required is missing, or a file
   *     cannot be read
   */
  public static Workload of(
      String name,
      Optional<Path> plan,
      Optional<URI> target,
      Map<String, String> properties,
      Map<String, Object> options) {
    return of(
        name, new WorkloadRequest(plan, target, properties, new Options(options), System.getenv()));
  }

  static Workload of(String name, WorkloadRequest request) {
    return type(name)
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "workload '" + name + "' is unknown",
                    "use one of " + String.join(", ", names())))
        .make(request);
  }

  /** Observes the guests' own load without adding any. Suitable for a production host. */
  record Observe() implements Workload {
    static final class Type extends WorkloadType {
      Type() {
        super(
            "observe",
            "Observes the guests' own load without adding any.",
            "the guests that are observed");
      }

      @Override
      public boolean loads() {
        return false;
      }

      @Override
      public Workload make(WorkloadRequest request) {
        return new Observe();
      }
    }
  }

  /**
   * The portal workload: opens the main site, creates a list, stores a document in it and reads it
   * back.
   */
  static final class PortalType extends WorkloadType {
    PortalType() {
      super(
          "portal",
          "A portal: opens its site, creates a list, stores a document in the database and reads"
              + " it back.",
          "the portal and its database");
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
      return site.resolve(path.endsWith("/") ? path : path + "/");
    }
  }

  /** The web application of the 2010 study on one server. */
  static final class WebAppType extends WorkloadType {
    WebAppType() {
      super(
          "web-app",
          "The dynamic page of the 2010 study: a sign-in, a logged row, a text and two files.",
          "the web server, the file server and the database");
    }

    @Override
    public Need target() {
      return Need.MUST;
    }

    @Override
    public List<Option> options() {
      return DatabaseOptions.options(
          false,
          "the application's database, created anew for every trial; default: used as it is");
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
                  .orElseThrow(
                      () -> WorkloadRequest.missing(name(), "target: the URL of the page")),
              properties,
              DatabaseOptions.database(request.options(), request.environment())
                  .map(WebAppSchema::of)));
    }
  }

  /** A sample application on one server, loaded by a plan. */
  private record WebWorkload(Optional<Path> plan, Map<String, String> properties, WebServer server)
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
}
