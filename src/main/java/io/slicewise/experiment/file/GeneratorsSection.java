package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Distinct;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.Generators.GeneratorSpec;
import io.slicewise.experiment.Generators.JMeterServersSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The {@code generators} part: a list of machines, or a map with the list, or with JMeter's own
 * servers, and with rules.
 */
final class GeneratorsSection implements OptionKind {
  private static final int MOST = 100;
  private static final int MOST_SHARE = 1_000;
  private static final String MACHINES = "machines";
  private static final String JMETER_SERVERS = "jmeter-servers";
  private static final String KEYSTORE = "keystore";
  private static final String PASSWORD = "keystore-password-file";
  private static final String ALIAS = "keystore-alias";
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
          new GeneratorsSection(),
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

  private static final List<Option> SERVERS =
      List.of(
          Option.needed(
              JMETER_SERVERS,
              new Distinct(
                  new Shaped("[^\\s:,-][^\\s:,]*(:[0-9]{1,5})?", "must be host:port"), "server"),
              "JMeter's own servers (host:port) instead of machines, in its distributed mode"),
          Option.needed(KEYSTORE, new File(), "the keystore of the servers and this machine"),
          Option.optional(
              PASSWORD, new File(), "a file with the keystore's password; default: JMeter's own"),
          Option.withDefault(ALIAS, new Text(), "rmi", "the name of the key in the keystore"));

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
    Map<String, Object> serverKeys = new LinkedHashMap<>(Option.schemas(SERVERS));
    serverKeys.putAll(Option.schemas(RULES));
    return OptionKind.ordered(
        "anyOf",
        List.of(
            list,
            map(List.of(MACHINES), keys),
            map(List.of(JMETER_SERVERS, KEYSTORE), serverKeys)));
  }

  private static Map<String, Object> map(List<String> required, Map<String, Object> keys) {
    return OptionKind.ordered(
        "type", "object", "required", required, "additionalProperties", false, "properties", keys);
  }

  @Override
  public String example() {
    return "[gen1, gen2]";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    if (value.isList()) {
      return Optional.of(
          new Generators(machines(value, file), false, false, false, Optional.empty()));
    }
    List<String> keys = new ArrayList<>(List.of(MACHINES));
    keys.addAll(Option.names(SERVERS));
    keys.addAll(Option.names(RULES));
    return value.map(keys, " of generators").map(map -> generators(map, file));
  }

  private static Generators generators(YamlMap map, Path file) {
    Options rules = new Options(Option.readAll(RULES, map, file, true));
    boolean ofJMeter = map.get(JMETER_SERVERS).isPresent();
    if (ofJMeter && map.get(MACHINES).isPresent()) {
      map.get(JMETER_SERVERS).orElseThrow().refuse("cannot be used together with 'machines'");
    }
    map.get(KEYSTORE)
        .filter(unused -> !ofJMeter)
        .ifPresent(unused -> unused.refuse("is only used together with 'jmeter-servers'"));
    map.get(SAMPLES)
        .filter(unused -> ofJMeter)
        .ifPresent(unused -> unused.refuse("is not possible with 'jmeter-servers'"));
    return new Generators(
        ofJMeter
            ? List.of()
            : map.required(MACHINES).map(list -> machines(list, file)).orElse(List.of()),
        rules.flag(EACH),
        rules.text(DATA).filter(SAME::equals).isPresent(),
        rules.text(SAMPLES).filter(STAY::equals).isPresent(),
        ofJMeter ? servers(map, file) : Optional.empty());
  }

  private static Optional<JMeterServersSpec> servers(YamlMap map, Path file) {
    Options options = new Options(Option.readAll(SERVERS, map, file, true));
    List<String> addresses = options.many(JMETER_SERVERS, String.class);
    return options
        .file(KEYSTORE)
        .map(
            keystore ->
                new JMeterServersSpec(
                    addresses,
                    keystore,
                    options.file(PASSWORD),
                    options.text(ALIAS).orElseThrow()));
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

  static YamlWriter write(Generators generators) {
    YamlWriter written = new YamlWriter();
    generators
        .servers()
        .ifPresentOrElse(
            servers ->
                written
                    .put(JMETER_SERVERS, servers.addresses())
                    .put(KEYSTORE, servers.keystore())
                    .put(PASSWORD, servers.passwordFile())
                    .put(ALIAS, servers.alias()),
            () ->
                written.put(
                    MACHINES,
                    generators.machines().stream().map(GeneratorsSection::write).toList()));
    String samples = generators.samplesStay() ? STAY : FETCH;
    return written
        .put(EACH, generators.each())
        .put(DATA, generators.sameData() ? SAME : SPLIT)
        .put(SAMPLES, Optional.of(samples).filter(any -> generators.servers().isEmpty()));
  }

  private static YamlWriter write(GeneratorSpec machine) {
    return new YamlWriter()
        .put("address", machine.name())
        .put("share", machine.share())
        .put("identity", machine.login().identity())
        .put("known-hosts", machine.login().knownHosts())
        .put("java", machine.java());
  }
}
