package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Distinct;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.experiment.factors.Factors;
import io.slicewise.experiment.factors.FactorsReader;
import io.slicewise.experiment.file.WorkloadSection.Paths;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@code profiles} part: {@code as-found}, files, some profiles of a file, inline profiles, or
 * factors, which make profiles.
 */
public final class ProfilesSection implements OptionKind {
  /** The keys of an entry that takes profiles from a file. */
  public static final List<Option> FROM_FILE =
      List.of(
          Option.needed("file", new OptionKind.Text(), "a profile file, relative to this one"),
          Option.optional(
              "only",
              new Distinct(new OptionKind.Text(), "profile of the file"),
              "the profiles to use; default: all"));

  /** The key of an entry that makes profiles of factors. */
  static final String FACTORS = "factors";

  private final Map<Role, List<String>> roles;
  private final List<String> domains;
  private final Faults faults;
  private final List<SchedulerProfile> profiles = new ArrayList<>();
  private final Map<String, String> directories = new HashMap<>();
  private Optional<Factors> factors = Optional.empty();

  ProfilesSection(Map<Role, List<String>> domains, Faults faults) {
    this.roles = domains;
    this.domains = domains.values().stream().flatMap(List::stream).toList();
    this.faults = faults;
  }

  @Override
  public Map<String, Object> schema() {
    return OptionKind.ordered(
        "type",
        "array",
        "minItems",
        1,
        "items",
        Map.of(
            "anyOf",
            List.of(
                Map.of("const", SchedulerProfile.AS_FOUND.name()),
                OptionKind.ordered("type", "string", "pattern", "\\.ya?ml$"),
                Map.of("$ref", "#/definitions/profile-file"),
                Map.of("$ref", "#/definitions/inline-profile"),
                OptionKind.ordered(
                    "type",
                    "object",
                    "required",
                    List.of(FACTORS),
                    "additionalProperties",
                    false,
                    "properties",
                    Map.of(FACTORS, FactorsReader.schema())))));
  }

  /** Returns the factors that made profiles; empty without such an entry. */
  Optional<Factors> factors() {
    return factors;
  }

  /** Returns the profiles themselves. */
  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    List<YamlValue> items = value.items();
    items.forEach(item -> readEntry(item, file));
    if (value.isList() && items.isEmpty()) {
      value.refuse("must list at least one profile, or as-found");
    }
    return Optional.of(profiles);
  }

  private void readEntry(YamlValue item, Path file) {
    if (item.isText()) {
      item.text().ifPresent(text -> readWord(item, file, text));
      return;
    }
    if (item.anyMap(" of profiles").filter(map -> map.has(FACTORS)).isPresent()) {
      item.map(List.of(FACTORS), " of profiles").ifPresent(map -> readFactors(item, map));
      return;
    }
    boolean reference = item.anyMap(" of profiles").filter(map -> map.has("file")).isPresent();
    item.map(reference ? Option.names(FROM_FILE) : ProfileFiles.inlineKeys(), " of profiles")
        .ifPresent(
            map -> {
              if (reference) {
                readReference(map, file);
              } else {
                map.required("name")
                    .flatMap(YamlValue::text)
                    .ifPresent(name -> add(item, ProfileFiles.inline(name, map)));
              }
            });
  }

  private void readFactors(YamlValue item, YamlMap map) {
    if (factors.isPresent()) {
      item.fault("profiles have one entry of factors; write all factors in it");
      return;
    }
    map.get(FACTORS)
        .flatMap(value -> FactorsReader.read(value, roles))
        .ifPresent(
            read -> {
              factors = Optional.of(read.factors());
              read.profiles().forEach(profile -> add(item, profile));
            });
  }

  private void readWord(YamlValue item, Path file, String word) {
    if (word.equals(SchedulerProfile.AS_FOUND.name())) {
      add(item, SchedulerProfile.AS_FOUND);
    } else if (word.endsWith(".yaml") || word.endsWith(".yml")) {
      readFile(item, file, word).forEach(profile -> add(item, profile));
    } else {
      item.fault("profile " + word + " is neither as-found nor a .yaml profile file");
    }
  }

  private void readReference(YamlMap map, Path file) {
    YamlValue place = map.get("file").orElseThrow();
    List<SchedulerProfile> all =
        place.text().map(path -> readFile(place, file, path)).orElse(List.of());
    if (!map.has("only")) {
      all.forEach(profile -> add(place, profile));
      return;
    }
    List<String> names = all.stream().map(SchedulerProfile::name).toList();
    YamlValue only = map.get("only").orElseThrow();
    if (only.isList() && only.items().isEmpty()) {
      only.refuse("must list at least one profile of the file");
    }
    for (YamlValue wanted : only.items()) {
      // An unreadable file was already reported.
      if (!names.isEmpty()) {
        wanted.oneOf(names).ifPresent(name -> add(wanted, all.get(names.indexOf(name))));
      }
    }
  }

  private List<SchedulerProfile> readFile(YamlValue place, Path file, String path) {
    try {
      return ProfileFiles.read(Paths.resolve(file, path), faults);
    } catch (InvalidPathException e) {
      place.refuse("is not a path");
      return List.of();
    }
  }

  private void add(YamlValue place, SchedulerProfile profile) {
    String directory = profile.name().toLowerCase(Locale.ROOT);
    String earlier = directories.putIfAbsent(directory, profile.name());
    if (profile.name().equals(earlier)) {
      place.fault("profile " + profile.name() + " is listed twice");
      return;
    }
    if (earlier != null) {
      place.fault(
          "profiles %s and %s would share a directory if file names ignore case; rename one"
              .formatted(earlier, profile.name()));
    }
    Set<String> named = new TreeSet<>(profile.byDomain().keySet());
    profile.of(Scope.PLACE).keySet().stream().map(Scope::name).forEach(named::add);
    named.addAll(profile.moved());
    for (String domain : named) {
      if (!domains.contains(domain)) {
        place.fault(
            "profile %s sets %s, which is not in 'domains'; it lists %s"
                .formatted(profile.name(), domain, String.join(", ", domains)));
      }
    }
    profiles.add(profile);
  }

  /** Returns the entry of a profile; all cells of factors have one together. */
  static Object write(SchedulerProfile profile, Optional<Factors> factors) {
    Optional<Factors> its = factors.filter(all -> all.profiles().contains(profile.name()));
    if (its.isPresent()) {
      return Map.of(FACTORS, its.get().written());
    }
    return profile.equals(SchedulerProfile.AS_FOUND)
        ? profile.name()
        : ProfileFiles.toYaml(profile);
  }

  /**
   * Reads {@code controls} of an experiment file: the baseline again under the name {@code
   * BASELINE-twice}, an arm of every block like any other. Any difference from the baseline is a
   * false alarm.
   */
  record ControlsReader(List<SchedulerProfile> profiles, String baseline) implements OptionKind {
    static final String SUFFIX = "-twice";

    @Override
    public Map<String, Object> schema() {
      Map<String, Object> name = OptionKind.ordered("type", "string", "pattern", SUFFIX + "$");
      return OptionKind.ordered("type", "array", "items", name, "maxItems", 1);
    }

    /** Returns the controls as profiles. */
    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      List<SchedulerProfile> controls = new ArrayList<>();
      for (YamlValue item : value.items()) {
        item.oneOf(List.of(baseline + SUFFIX)).ifPresent(name -> add(item, name, controls));
      }
      return Optional.of(controls);
    }

    private void add(YamlValue item, String name, List<SchedulerProfile> controls) {
      boolean taken =
          !controls.isEmpty() || profiles.stream().anyMatch(profile -> profile.name().equals(name));
      if (taken) {
        item.fault("control " + name + " is listed twice");
        return;
      }
      twin().ifPresent(controls::add);
    }

    /** Returns the baseline under its second name; empty if there is no such profile. */
    Optional<SchedulerProfile> twin() {
      return profiles.stream()
          .filter(profile -> profile.name().equals(baseline))
          .map(profile -> profile.named(baseline + SUFFIX))
          .findFirst();
    }
  }
}
