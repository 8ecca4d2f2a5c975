package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.tiles.Tiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The {@code workload} part: a name, or a name with plan, target, properties and keys of the
 * workload.
 */
public record WorkloadSection(YamlMap top, Path file) {
  /** The keys of every workload; each workload can have further ones. */
  public static final List<String> KEYS = List.of("name", "plan", "target", "properties");

  /** Replaces a workload with a faulty name, so that only the name is reported. */
  private static final WorkloadSpec UNKNOWN =
      new WorkloadSpec("unknown", Optional.empty(), Optional.empty(), Map.of());

  static WorkloadSpec read(YamlMap top, Path file) {
    return top.required("workload").flatMap(new WorkloadSection(top, file)::read).orElse(UNKNOWN);
  }

  private Optional<WorkloadSpec> read(YamlValue value) {
    if (value.isText()) {
      return value
          .oneOf(Workloads.names())
          .flatMap(Workloads::type)
          .map(
              type -> {
                checkAlone(type);
                return new WorkloadSpec(
                    type.name(),
                    Optional.empty(),
                    Optional.empty(),
                    Map.of(),
                    Option.defaults(type.options()));
              });
    }
    return value.anyMap(" of workload").map(map -> read(value, map));
  }

  private WorkloadSpec read(YamlValue value, YamlMap map) {
    Optional<WorkloadType> type =
        map.required("name")
            .flatMap(name -> name.oneOf(Workloads.names()))
            .flatMap(Workloads::type);
    // The allowed keys depend on the name.
    type.ifPresent(known -> value.map(keys(known), " of workload"));
    WorkloadSpec spec =
        new WorkloadSpec(
            type.map(WorkloadType::name).orElse(UNKNOWN.name()),
            map.get("plan")
                .filter(plan -> plan.text().isPresent())
                .flatMap(plan -> plan.parsed(text -> Paths.absolute(file, text))),
            map.get("target").flatMap(target -> target.parsed(OptionKind.Url::parse)),
            map.get("properties").map(this::properties).orElse(Map.of()),
            type.map(known -> Option.readAll(known.options(), map, file, !onLab()))
                .orElse(Map.of()));
    type.ifPresent(known -> check(known, map, spec));
    return spec.isTiled() ? withTiles(spec, map) : spec;
  }

  /** Reads the workload of each tile like that of an experiment. */
  private WorkloadSpec withTiles(WorkloadSpec spec, YamlMap map) {
    if (onLab() && !map.has(Tiles.TILES)) {
      map.fault("workload tiles needs 'tiles': the workloads that run at once");
    }
    List<Options> tiles = new Options(spec.options()).groups(Tiles.TILES);
    List<Map<String, Object>> read = new ArrayList<>();
    for (YamlValue item : map.get(Tiles.TILES).map(YamlValue::items).orElse(List.of())) {
      Optional<YamlMap> tile = item.anyMap(" of a tile");
      Optional<YamlValue> written = tile.flatMap(its -> its.get(Tiles.WORKLOAD));
      if (written.isPresent() && read.size() < tiles.size()) {
        Options its = tiles.get(read.size());
        Map<String, Object> values = new LinkedHashMap<>(its.values());
        read(written.get())
            .ifPresent(
                workload -> {
                  checkTile(workload, its, tile.get());
                  values.put(Tiles.WORKLOAD, write(workload).map());
                });
        read.add(values);
      }
    }
    return read.size() < tiles.size() ? spec : spec.with(Map.of(Tiles.TILES, read));
  }

  /** Rejects workloads that are no load of one window. */
  private static void checkTile(WorkloadSpec workload, Options tile, YamlMap place) {
    String name = tile.text("name").orElse("");
    Optional<WorkloadType> type = Workloads.type(workload.name());
    Options options = new Options(workload.options());
    boolean whole =
        workload.neighbours().isEmpty()
            && workload.parts().isEmpty()
            && workload.work().isEmpty()
            && workload.lone().isEmpty();
    if (type.filter(its -> !its.loads() || its.loadsEach() || its.plan() == Need.MUST).isPresent()
        || !whole) {
      place.fault(
          Tiles.WORKLOAD,
          "workload %s of tile %s cannot be a tile: a tile is one load with the plan of its workload, such as web-app or portal"
              .formatted(workload.name(), name));
    }
    if (workload.plan().isPresent() || workload.isOpen()) {
      place.fault(
          Tiles.WORKLOAD,
          "workload of tile %s has %s: a tile has the plan of its workload, and 'rate' beside its name"
              .formatted(name, workload.isOpen() ? "a property 'rate'" : "a 'plan'"));
    }
    int needed = type.map(its -> its.fewestGuests(options)).orElse(1);
    int has = Math.max(1, tile.many("guests", String.class).size());
    if (has < needed) {
      place.fault(
          Tiles.WORKLOAD,
          "workload %s of tile %s needs %d guests, but the tile has %d: list more under its 'guests'"
              .formatted(workload.name(), name, needed, has));
    }
  }

  /** Accepts keys that do not apply, because a later check reports them more clearly. */
  private static List<String> keys(WorkloadType type) {
    List<String> keys = new ArrayList<>(KEYS);
    type.options().forEach(option -> keys.add(option.name()));
    return keys;
  }

  private void check(WorkloadType type, YamlMap map, WorkloadSpec spec) {
    refuseMeaningless(type, map);
    if (onLab() && !top.has("host")) {
      refusePlaces(type, map);
    }
    if (type.plan() == Need.MUST && spec.plan().isEmpty()) {
      needsPlan(type, map);
    }
    if (type.target() == Need.MUST && !map.has("target") && !onLab()) {
      needsTarget(type, map);
    }
  }

  /**
   * Rejects places, except in a run's own file with a host, where they are those of the lab that
   * served the run.
   */
  private static void refusePlaces(WorkloadType type, YamlMap map) {
    Stream.concat(
            Stream.of("target"), type.options().stream().filter(Option::place).map(Option::name))
        .filter(map::has)
        .forEach(
            key ->
                map.fault(
                    key,
                    "'%s' cannot be used with 'lab', which has its own servers: remove '%s', or set a 'host' instead of 'lab'"
                        .formatted(key, key)));
  }

  private boolean onLab() {
    return top.has("lab");
  }

  /** A workload given by its name alone. */
  private void checkAlone(WorkloadType type) {
    if (type.plan() == Need.MUST) {
      needsPlan(type, top);
    }
    if (type.target() == Need.MUST && !onLab()) {
      needsTarget(type, top);
    }
    type.options().stream()
        .filter(option -> option.needed() && (!onLab() || type.name().equals(Tiles.TILES)))
        .forEach(
            option ->
                top.fault(
                    "workload",
                    "workload %s needs '%s': %s"
                        .formatted(type.name(), option.name(), option.about())));
  }

  private static void needsPlan(WorkloadType type, YamlMap place) {
    place.fault("workload", "workload " + type.name() + " needs a 'plan': the path of a .jmx file");
  }

  private static void needsTarget(WorkloadType type, YamlMap place) {
    place.fault(
        "workload", "workload " + type.name() + " needs a 'target': the URL of the first request");
  }

  private static void refuseMeaningless(WorkloadType type, YamlMap map) {
    List<String> meaningless = new ArrayList<>();
    if (type.plan() == Need.NO) {
      meaningless.add("plan");
    }
    if (type.target() == Need.NO) {
      meaningless.add("target");
    }
    if (!type.loads()) {
      meaningless.add("properties");
    }
    String why = type.loads() ? "workload " + type.name() + " has none" : "observe loads nothing";
    meaningless.stream()
        .filter(map::has)
        .forEach(key -> map.fault(key, key + " has no meaning: " + why));
  }

  private Map<String, String> properties(YamlValue value) {
    Map<String, String> properties = new LinkedHashMap<>();
    value
        .anyMap(" of properties")
        .ifPresent(
            map ->
                map.keys()
                    .forEach(
                        key ->
                            map.get(key)
                                .flatMap(v -> v.parsed(text -> property(key, text)))
                                .ifPresent(text -> properties.put(key, text))));
    return properties;
  }

  private String property(String key, String text) {
    return SecretProperties.isFile(key) ? Paths.absolute(file, text).toString() : text;
  }

  static YamlWriter write(WorkloadSpec workload) {
    YamlWriter written =
        new YamlWriter()
            .put("name", workload.name())
            .put("plan", workload.plan())
            .put("target", workload.target())
            .put("properties", new TreeMap<>(workload.properties()));
    workload.options().forEach((option, value) -> written.put(option, Optional.of(value)));
    return written;
  }

  /** Paths in a file are relative to the file; {@code ~/} is the user's home. */
  static final class Paths {
    private Paths() {}

    static Path absolute(Path file, String path) {
      return resolve(file, path).toAbsolutePath().normalize();
    }

    /**
     * Returns the path relative to the working directory, for messages.
     *
     * @throws InvalidPathException if it cannot be a path
     */
    static Path resolve(Path file, String path) {
      if (path.startsWith("~/")) {
        return Path.of(System.getProperty("user.home")).resolve(path.substring(2));
      }
      return file.resolveSibling(path).normalize();
    }
  }
}
