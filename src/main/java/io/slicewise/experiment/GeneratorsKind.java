package io.slicewise.experiment;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the {@code generators} part: a list of machines, or a map with the list and its rules. */
final class GeneratorsKind implements OptionKind {
  private static final int MOST = 100;
  private static final int MOST_SHARE = 1_000;
  private static final String MACHINES = "machines";
  private static final String EACH = "each";
  private static final String DATA = "data";
  private static final String SAME = "same";
  private static final String SAMPLES = "samples";
  private static final String FETCH = "fetch";
  private static final String STAY = "stay";
  private static final String SPLIT = "split";
  static final Option GENERATORS =
      Option.optional(
          "generators",
          new GeneratorsKind(),
          "the machines that generate the load, reached over SSH; local is this one; default: this"
              + " machine alone");

  private static final List<Option> MACHINE =
      List.of(
          Option.needed(
              "address", new Argument(), "[user@]host[:port], an alias of ~/.ssh/config, or local"),
          Option.withDefault(
              "share", new Whole(1, MOST_SHARE), 1, "its weight when the users are split"),
          Option.optional("identity", new File(), "a private key file; default: SSH's choice"),
          Option.optional(
              "known-hosts", new File(), "the file of known host keys; default: SSH's own"),
          Option.withDefault(
              "java", new Text(), GeneratorSpec.JAVA, "the program that starts a JVM there"));

  private static final List<Option> RULES =
      List.of(
          Option.withDefault(
              EACH,
              new Flag(),
              false,
              "whether each generator may have its own of what cannot be split, such as a counter"),
          Option.withDefault(
              DATA,
              new Word(List.of(SPLIT, SAME)),
              SPLIT,
              "whether the rows of data files are split, or all generators use the same"),
          Option.withDefault(
              SAMPLES,
              new Word(List.of(FETCH, STAY)),
              FETCH,
              "whether samples are fetched, or stay on the generators, which count them; more than"
                  + " 20 million of a trial always stay"));

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> machine =
        Map.of("anyOf", List.of(new Argument().schema(), new Group(MACHINE).schema()));
    Map<String, Object> list =
        OptionKind.ordered("type", "array", "minItems", 1, "maxItems", MOST, "items", machine);
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put(MACHINES, list);
    keys.putAll(Option.schemas(RULES));
    return OptionKind.ordered(
        "anyOf",
        List.of(
            list,
            OptionKind.ordered(
                "type",
                "object",
                "required",
                List.of(MACHINES),
                "additionalProperties",
                false,
                "properties",
                keys)));
  }

  @Override
  public String example() {
    return "[gen1, gen2]";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    if (value.isList()) {
      return Optional.of(new Generators(machines(value, file), false, false, false));
    }
    List<String> keys = new ArrayList<>(List.of(MACHINES));
    keys.addAll(Option.names(RULES));
    return value.map(keys, " of generators").map(map -> generators(map, file));
  }

  private static Generators generators(YamlMap map, Path file) {
    Options rules = new Options(Option.readAll(RULES, map, file, true));
    return new Generators(
        map.required(MACHINES).map(list -> machines(list, file)).orElse(List.of()),
        rules.flag(EACH),
        rules.text(DATA).filter(SAME::equals).isPresent(),
        rules.text(SAMPLES).filter(STAY::equals).isPresent());
  }

  private static List<GeneratorSpec> machines(YamlValue list, Path file) {
    List<GeneratorSpec> machines = new ArrayList<>();
    Set<String> names = new HashSet<>();
    List<YamlValue> items = list.items();
    for (YamlValue item : items) {
      machine(item, file)
          .ifPresent(
              machine -> {
                if (!names.add(machine.name())) {
                  item.refuse("is listed twice; a 'share' gives a machine more users");
                }
                machines.add(machine);
              });
    }
    if (list.isList() && (items.isEmpty() || items.size() > MOST)) {
      list.refuse("must list 1 to %d machines".formatted(MOST));
    }
    return machines;
  }

  private static Optional<GeneratorSpec> machine(YamlValue item, Path file) {
    if (item.isText()) {
      return item.text()
          .flatMap(address -> spec(address, new Options(Option.defaults(MACHINE)), item));
    }
    return item.map(Option.names(MACHINE), " of a generator")
        .flatMap(
            map -> {
              Options machine = new Options(Option.readAll(MACHINE, map, file, true));
              return machine
                  .text("address")
                  .flatMap(address -> spec(address, machine, map.get("address").orElseThrow()));
            });
  }

  private static Optional<GeneratorSpec> spec(String text, Options machine, YamlValue where) {
    Optional<GeneratorSpec> spec =
        GeneratorSpec.at(
            text,
            machine.file("identity"),
            machine.file("known-hosts"),
            machine.integer("share"),
            machine.text("java").orElse(GeneratorSpec.JAVA));
    if (spec.isEmpty()) {
      where.refuse("must be [user@]host[:port], an alias of ~/.ssh/config, or local");
    }
    return spec;
  }

  /** Returns the part of the resolved experiment file. */
  static Map<String, Object> yaml(Generators generators) {
    return OptionKind.ordered(
        MACHINES,
        generators.machines().stream().map(GeneratorsKind::yaml).toList(),
        EACH,
        generators.each(),
        DATA,
        generators.sameData() ? SAME : SPLIT,
        SAMPLES,
        generators.samplesStay() ? STAY : FETCH);
  }

  private static Map<String, Object> yaml(GeneratorSpec machine) {
    Map<String, Object> map = OptionKind.ordered("address", machine.name());
    map.put("share", machine.share());
    machine.identity().ifPresent(path -> map.put("identity", path.toString()));
    machine.knownHosts().ifPresent(path -> map.put("known-hosts", path.toString()));
    map.put("java", machine.java());
    return map;
  }
}
