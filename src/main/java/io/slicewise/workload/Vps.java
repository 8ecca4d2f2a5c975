package io.slicewise.workload;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.TearDown;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.workload.target.WebApplication.WebAppSchema;
import io.slicewise.workload.tiles.Tile;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Virtual private servers: the web application on several guests, each with its own database, all
 * loaded simultaneously and equally by one thread group each. Samples are named after the guest.
 */
record Vps(Optional<Path> plan, Map<String, String> properties, Map<String, WebServer> servers)
    implements Workload {
  private static final String GUESTS = "guests";
  private static final String TARGET = "target";
  private static final String GOAL = "goal";

  /** The number of thread groups in the plan. */
  private static final int MOST_GUESTS = 8;

  static final class Type extends WorkloadType {
    Type() {
      super(
          "vps",
          "Several private servers, each with its own web application and database, loaded"
              + " simultaneously.",
          "the private servers");
    }

    @Override
    public List<Option> options() {
      List<Option> guest =
          Option.join(
              List.of(
                  Option.needed("name", new OptionKind.Text(), "the guest's domain"),
                  Option.needed(TARGET, new OptionKind.Url(), "the URL of its page").asPlace(),
                  Option.optional(
                      GOAL,
                      new OptionKind.Text(),
                      "its own limit, such as p95 < 200ms; default: the goal of the"
                          + " experiment")),
              DatabaseOptions.options(
                  false, "its database, created anew for every trial; default: used as it is"));
      return List.of(
          Option.needed(
              GUESTS,
              new OptionKind.Many(new OptionKind.Group(guest), 1, MOST_GUESTS),
              "the private servers, each with its own users"));
    }

    @Override
    public boolean loadsEach() {
      return true;
    }

    @Override
    public List<Tile> tiles(Options options) {
      return options.groups(GUESTS).stream()
          .filter(guest -> guest.has("name")) // one without is refused as it is read
          .map(guest -> new Tile(guest.text("name").orElseThrow(), guest.text(GOAL)))
          .toList();
    }

    @Override
    public Workload make(WorkloadRequest request) {
      List<Options> guests = request.options().groups(GUESTS);
      if (guests.isEmpty()) {
        throw WorkloadRequest.missing(name(), GUESTS + ": the private servers");
      }
      Map<String, String> properties = new LinkedHashMap<>();
      Map<String, WebServer> servers = new LinkedHashMap<>();
      for (Options guest : guests) {
        String number = Integer.toString(servers.size() + 1);
        URI target = URI.create(guest.text(TARGET).orElseThrow());
        String name = guest.text("name").orElseThrow();
        properties.put("guest" + number, name);
        properties.putAll(WorkloadRequest.propertiesOf(target, number));
        servers.put(name, server(guest, target, request));
      }
      properties.putAll(request.properties());
      return new Vps(Optional.of(request.planOr(name())), properties, servers);
    }

    private static WebServer server(Options guest, URI target, WorkloadRequest request) {
      return WebServer.of(
          target,
          request.properties(),
          DatabaseOptions.database(guest, request.environment()).map(WebAppSchema::of));
    }
  }

  Vps {
    properties = Map.copyOf(properties);
    servers = Collections.unmodifiableMap(new LinkedHashMap<>(servers));
  }

  /** The plan leaves out a guest without a host. */
  @Override
  public Workload on(int guests) {
    Map<String, WebServer> first = new LinkedHashMap<>();
    servers.entrySet().stream()
        .limit(guests)
        .forEach(server -> first.put(server.getKey(), server.getValue()));
    Map<String, String> its = new HashMap<>(properties);
    for (int number = guests + 1; number <= MOST_GUESTS; number++) {
      its.remove("guest" + number);
      for (String part : WorkloadRequest.propertiesOf(URI.create("http://none/"), "").keySet()) {
        its.remove(part + number);
      }
    }
    return new Vps(plan, its, first);
  }

  @Override
  public void setUp() {
    servers.values().forEach(WebServer::setUp);
  }

  @Override
  public Optional<String> complaint() {
    return servers.entrySet().stream()
        .flatMap(
            server ->
                server.getValue().complaint().map(why -> server.getKey() + ": " + why).stream())
        .findFirst();
  }

  /** Tears down every server, even if others fail. */
  @Override
  public void tearDown() {
    TearDown.inTurn(servers.values().stream().<Runnable>map(server -> server::tearDown).toList());
  }

  @Override
  public List<Measure> measures(Reduction reduction, List<GeneratorSamples> samples) {
    return List.of(Fairness.of(reduction, servers.keySet()));
  }
}
