package io.slicewise.workload.tiles;

import io.slicewise.base.units.TearDown;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Several workloads at once, each on guests of its own with users or a rate of its own. Each has a
 * generator of its own, so that its samples, its lateness and its arrivals are its own, too.
 */
public record Tiles(List<Tile.Loaded> tiles) implements Workload {
  /** The key of the workload, with the tiles. */
  public static final String TILES = "tiles";

  /** The key of a tile, with its workload. */
  public static final String WORKLOAD = "workload";

  /** The number that says how near to its limit the tile is that is the nearest to it. */
  public static final String WORST = "worst-goal";

  private static final String NAME = "name";
  private static final String GUESTS = "guests";
  private static final String USERS = "users";
  private static final String RATE = "rate";
  private static final String GOAL = "goal";
  private static final String PROPERTIES = "properties";
  private static final int MOST_TILES = 16;
  private static final int MOST_GUESTS = 8;
  private static final int MOST_USERS = 100_000;

  public Tiles {
    tiles = List.copyOf(tiles);
  }

  /** Several workloads. */
  public static final class Type extends WorkloadType {
    private static final List<Option> KEYS =
        List.of(
            Option.needed(
                NAME,
                new OptionKind.Shaped(
                    "[A-Za-z0-9][A-Za-z0-9_.-]*", "must consist of letters, digits, '.', '_', '-'"),
                "its name, the label of its results"),
            Option.optional(
                GUESTS,
                new OptionKind.Many(new OptionKind.Text(), 1, MOST_GUESTS),
                "the domains that serve it; default: the one of its name"),
            Option.optional(
                USERS, new OptionKind.Whole(1, MOST_USERS), "its concurrent users, or a rate"),
            Option.optional(
                RATE, new OptionKind.Positive(), "its arrivals per second, at random, or users"),
            Option.needed(GOAL, new OptionKind.Text(), "its own limit, such as p95 < 200ms"),
            Option.needed(
                WORKLOAD, new Nested(), "what loads it, as the workload of an experiment"));

    public Type() {
      super(
          TILES,
          "Several workloads at once, each with its own guests, users or rate, and goal.",
          "the guests of all tiles");
    }

    @Override
    public Need plan() {
      return Need.NO;
    }

    @Override
    public List<Option> options() {
      return List.of(
          Option.needed(
              TILES,
              new OptionKind.Many(new OptionKind.Group(KEYS), 1, MOST_TILES),
              "the workloads that run at once"));
    }

    @Override
    public boolean loadsEach() {
      return true;
    }

    @Override
    public List<Tile> tiles(Options options) {
      return options.groups(TILES).stream().map(Type::tile).toList();
    }

    private static Tile tile(Options its) {
      String name = its.text(NAME).orElse("");
      List<String> guests = its.many(GUESTS, String.class);
      return new Tile(
          name,
          guests.isEmpty() ? List.of(name) : guests,
          its.optionalInteger(USERS),
          its.has(RATE) ? OptionalDouble.of(its.number(RATE)) : OptionalDouble.empty(),
          its.text(GOAL),
          its.group(WORKLOAD).map(Type::properties).orElse(Map.of()));
    }

    /** One number: how near to its limit the tile is that is the nearest to it. */
    @Override
    public List<String> outcomes(Options options) {
      return List.of(WORST);
    }

    @Override
    public Workload make(WorkloadRequest request) {
      return new Tiles(
          request.options().groups(TILES).stream()
              .map(its -> new Tile.Loaded(tile(its), workload(its.group(WORKLOAD).orElseThrow())))
              .toList());
    }

    private static Workload workload(Options its) {
      Map<String, String> properties = properties(its);
      SecretProperties.refuseValues(properties);
      return Workloads.of(
          its.text(NAME).orElseThrow(),
          Optional.empty(),
          its.text("target").map(URI::create),
          properties,
          its.values());
    }

    private static Map<String, String> properties(Options workload) {
      Map<String, String> properties = new LinkedHashMap<>();
      workload
          .group(PROPERTIES)
          .ifPresent(
              all -> all.values().forEach((key, text) -> properties.put(key, text.toString())));
      return properties;
    }
  }

  /** A workload as experiments have one, whose own reader checks it. */
  private record Nested() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      return Map.of(
          "anyOf",
          List.of(
              Map.of("$ref", "#/definitions/workload-name"),
              Map.of("$ref", "#/definitions/workload")));
    }

    @Override
    public String example() {
      return "{name: web-app}";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return Optional.of(value.isText() ? Map.of(NAME, value.plain()) : value.plain());
    }

    /** Places do not affect what is measured. */
    @Override
    public String describe(Object value) {
      Options its = new Options(asMap(value));
      String name = its.text(NAME).orElse("");
      Map<String, String> words = new LinkedHashMap<>();
      Workloads.type(name).ifPresent(type -> words.putAll(type.conditions(its)));
      words.putAll(new TreeMap<>(Type.properties(its)));
      return words.isEmpty() ? name : name + " " + words;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object value) {
      return (Map<String, Object>) value;
    }
  }

  @Override
  public Workload on(int guests) {
    return new Tiles(tiles.subList(0, Math.min(guests, tiles.size())));
  }

  @Override
  public void setUp() {
    tiles.forEach(one -> one.workload().setUp());
  }

  @Override
  public Optional<String> complaint() {
    return tiles.stream()
        .flatMap(
            one -> one.workload().complaint().map(why -> one.tile().name() + ": " + why).stream())
        .findFirst();
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    for (Tile.Loaded one : tiles) {
      one.workload().facts().forEach((key, fact) -> facts.put(one.tile().name() + " " + key, fact));
    }
    return facts;
  }

  @Override
  public List<String> remarks() {
    return tiles.stream()
        .flatMap(
            one ->
                one.workload().remarks().stream().map(remark -> one.tile().name() + ": " + remark))
        .toList();
  }

  /** Tears down every tile, even if others fail. */
  @Override
  public void tearDown() {
    TearDown.inTurn(tiles.stream().<Runnable>map(one -> one.workload()::tearDown).toList());
  }
}
