package io.slicewise.experiment.factors;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Variants;
import io.slicewise.base.yaml.Variants.Choice;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.experiment.factors.Factors.Cell;
import io.slicewise.experiment.factors.Factors.Factor;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import io.slicewise.stats.factorial.Factorial;
import io.slicewise.stats.factorial.Fraction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads the entry {@code factors} of an experiment's profiles: a profile in which lists of values
 * stand for single ones, each list a factor. Makes the profiles of the combinations.
 */
public final class FactorsReader {
  /** The most profiles that factors may make. */
  public static final int MOST_CELLS = 100;

  static final int LEAST_RESOLUTION = 3;
  static final int MOST_RESOLUTION = 5;

  private static final String DESIGN = "design";
  private static final String FULL = "full";

  /** The word of each design; 0 is all combinations. */
  private static final Map<String, Integer> DESIGNS = Map.of(FULL, 0, "III", 3, "IV", 4, "V", 5);

  /** The key that a profile with factors has besides those of a profile. */
  public static final Option DESIGN_OPTION =
      Option.withDefault(
          DESIGN,
          new OptionKind.Word(List.of(FULL, "III", "IV", "V")),
          FULL,
          "full: all combinations; III, IV or V: the smallest fraction of this resolution, of"
              + " factors with two values each");

  private static final int ROLE_PATH = 2;
  private static final int NAMED_PATH = 3;

  /** Names of profiles name directories. */
  private static final int LONGEST_NAME = 64;

  private final YamlValue value;
  private final Variants variants;
  private final Map<Role, List<String>> domains;

  private FactorsReader(YamlValue value, Variants variants, Map<Role, List<String>> domains) {
    this.value = value;
    this.variants = variants;
    this.domains = domains;
  }

  /** Returns the shape of an entry's value, for editors. */
  public static Map<String, Object> schema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("scheduler", Map.of("enum", Schedulers.KNOWN.settable().keySet()));
    keys().stream()
        .filter(key -> !key.equals("scheduler"))
        .forEach(key -> properties.put(key, Map.of("type", "object")));
    Map<String, Object> design =
        OptionKind.ordered("description", DESIGN_OPTION.about(), "default", FULL);
    design.putAll(DESIGN_OPTION.kind().schema());
    properties.put(DESIGN, design);
    return OptionKind.ordered(
        "description",
        "A profile in which lists of values are factors: each combination is a profile.",
        "type",
        "object",
        "required",
        List.of("scheduler"),
        "additionalProperties",
        false,
        "properties",
        properties);
  }

  /** The factors and the profiles of their cells. */
  public record Read(Factors factors, List<SchedulerProfile> profiles) {
    public Read {
      profiles = List.copyOf(profiles);
    }
  }

  /** Returns what an entry's value says; empty after an error. */
  public static Optional<Read> read(YamlValue value, Map<Role, List<String>> domains) {
    return value
        .variants(" of factors")
        .flatMap(variants -> new FactorsReader(value, variants, domains).read());
  }

  private Optional<Read> read() {
    YamlMap map = value.anyMap(" of factors").orElseThrow();
    List<Choice> choices = variants.choices();
    boolean sound = true;
    for (Choice choice : choices) {
      sound &= isFactor(choice);
    }
    Optional<Integer> design =
        map.get(DESIGN).map(word -> word.oneOf(DESIGNS)).orElse(Optional.of(0));
    if (choices.isEmpty()) {
      map.fault("factors has no list of values: write one, as in 'main: {weight: [256, 512]}'");
    }
    if (choices.isEmpty() || !sound || design.isEmpty()) {
      return Optional.empty();
    }
    List<Factor> factors = factors(choices);
    return design.get() == 0 ? full(map, factors) : fraction(map, factors, design.get());
  }

  /** Returns whether a list is of values of a parameter, at least two and all different. */
  private boolean isFactor(Choice choice) {
    List<String> path = choice.path();
    YamlValue list = choice.list();
    boolean named = Arrays.stream(Role.values()).noneMatch(role -> role.key().equals(path.get(0)));
    if (path.size() != (named ? NAMED_PATH : ROLE_PATH)) {
      list.refuse("cannot be a list: factors are parameters, as in 'main: {weight: [256, 512]}'");
      return false;
    }
    List<String> levels = levels(choice);
    if (levels.size() < 2) {
      list.refuse(
          "has %d value: a factor needs two; write one without a list".formatted(levels.size()));
      return false;
    }
    Optional<String> twice =
        levels.stream().filter(level -> Collections.frequency(levels, level) > 1).findFirst();
    twice.ifPresent(level -> list.refuse("lists %s twice".formatted(level)));
    return isAlone(choice) && twice.isEmpty();
  }

  /**
   * Returns whether no domain of a role has settings of its own, which would replace the role's.
   */
  private boolean isAlone(Choice choice) {
    List<String> own =
        value.anyMap("").flatMap(map -> map.get("domains")).flatMap(map -> map.anyMap("")).stream()
            .flatMap(map -> map.keys().stream())
            .toList();
    Optional<String> other =
        Arrays.stream(Role.values())
            .filter(role -> role.key().equals(choice.path().get(0)))
            .flatMap(role -> domains.getOrDefault(role, List.of()).stream())
            .filter(own::contains)
            .findFirst();
    other.ifPresent(
        domain ->
            choice
                .list()
                .refuse(
                    "contradicts the settings of %s in 'domains', which replace those of %s"
                        .formatted(domain, choice.path().get(0))));
    return other.isEmpty();
  }

  private static List<String> levels(Choice choice) {
    return choice.list().items().stream().map(YamlValue::plain).map(FactorsReader::text).toList();
  }

  /** Returns a value as text: a list inside a list is one value, such as the pCPUs of each vCPU. */
  private static String text(Object plain) {
    return plain instanceof List<?> list
        ? list.stream().map(String::valueOf).collect(Collectors.joining("/"))
        : String.valueOf(plain);
  }

  private static List<Factor> factors(List<Choice> choices) {
    List<String> parameters = choices.stream().map(choice -> last(choice, 1)).toList();
    List<Factor> factors = new ArrayList<>();
    for (Choice choice : choices) {
      String parameter = last(choice, 1);
      boolean shared = parameters.stream().filter(parameter::equals).count() > 1;
      factors.add(
          new Factor(
              shared ? "%s-%s".formatted(last(choice, 2), parameter) : parameter, levels(choice)));
    }
    return factors;
  }

  /** Returns a key from the end of a path. */
  private static String last(Choice choice, int from) {
    return choice.path().get(choice.path().size() - from);
  }

  private Optional<Read> full(YamlMap map, List<Factor> factors) {
    List<Integer> sizes = factors.stream().map(factor -> factor.levels().size()).toList();
    double cells = sizes.stream().mapToDouble(size -> size).reduce(1, (a, b) -> a * b);
    if (cells > MOST_CELLS) {
      map.fault(
          "factors make %s = %.0f cells, and there may be %d: use fewer values, or 'design: V' with two of each"
              .formatted(
                  sizes.stream().map(String::valueOf).collect(Collectors.joining(" x ")),
                  cells,
                  MOST_CELLS));
      return Optional.empty();
    }
    return cells(map, factors, Optional.empty(), Factorial.combinations(sizes));
  }

  private Optional<Read> fraction(YamlMap map, List<Factor> factors, int resolution) {
    String word = Factors.roman(resolution);
    List<Factor> wide = factors.stream().filter(factor -> factor.levels().size() > 2).toList();
    wide.forEach(
        factor ->
            map.fault(
                DESIGN,
                "'design: %s' needs two values of each factor, and %s has %d"
                    .formatted(word, factor.name(), factor.levels().size())));
    if (factors.size() > Fraction.MOST_FACTORS) {
      map.fault(
          DESIGN,
          "'design: %s' takes %d factors at most, and there are %d"
              .formatted(word, Fraction.MOST_FACTORS, factors.size()));
      return Optional.empty();
    }
    if (!wide.isEmpty()) {
      return Optional.empty();
    }
    Optional<Fraction> fraction = Fraction.of(factors.size(), resolution);
    if (fraction.isEmpty()) {
      map.fault(
          DESIGN,
          "%d factors have no fraction of resolution %s; use 'design: full' with its %d cells"
              .formatted(factors.size(), word, 1 << factors.size()));
      return Optional.empty();
    }
    int cells = 1 << fraction.get().basics();
    if (cells > MOST_CELLS) {
      map.fault(
          DESIGN,
          "resolution %s of %d factors needs %d cells, and there may be %d"
              .formatted(word, factors.size(), cells, MOST_CELLS));
      return Optional.empty();
    }
    return cells(map, factors, fraction, fraction.get().combinations());
  }

  private Optional<Read> cells(
      YamlMap map, List<Factor> factors, Optional<Fraction> fraction, List<int[]> combinations) {
    boolean brief =
        combinations.stream().anyMatch(levels -> name(factors, levels).length() > LONGEST_NAME);
    List<Cell> cells = new ArrayList<>();
    List<SchedulerProfile> profiles = new ArrayList<>();
    for (int[] levels : combinations) {
      String name = brief ? brief(levels) : name(factors, levels);
      List<Integer> its = Arrays.stream(levels).boxed().toList();
      SchedulerProfile profile = ProfileFiles.inline(name, variants.with(its, keys(), DESIGN));
      alike(profiles, profile)
          .ifPresent(
              other ->
                  map.fault(
                      "the values make %s and %s the same settings"
                          .formatted(other.name(), profile.name())));
      cells.add(new Cell(name, its));
      profiles.add(profile);
    }
    return Optional.of(new Read(new Factors(factors, cells, fraction, map.plain()), profiles));
  }

  private static Optional<SchedulerProfile> alike(
      List<SchedulerProfile> profiles, SchedulerProfile profile) {
    return profile.scheduler().isEmpty()
        ? Optional.empty()
        : profiles.stream().filter(profile::setsTheSameAs).findFirst();
  }

  private static List<String> keys() {
    return ProfileFiles.inlineKeys().stream().filter(key -> !key.equals("name")).toList();
  }

  private static String name(List<Factor> factors, int[] levels) {
    return IntStream.range(0, levels.length)
        .mapToObj(factor -> factors.get(factor).word(levels[factor]))
        .collect(Collectors.joining("+"));
  }

  /** Returns a name of the numbers of levels, where values would make it too long. */
  private static String brief(int[] levels) {
    return "levels-"
        + Arrays.stream(levels)
            .map(level -> level + 1)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining("-"));
  }
}
