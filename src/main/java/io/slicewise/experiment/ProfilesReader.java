package io.slicewise.experiment;

import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The {@code profiles} part: {@code as-found}, files, some profiles of a file, or profiles inline.
 */
final class ProfilesReader {
  private final Path file;
  private final YamlMap top;
  private final List<String> domains;
  private final Faults faults;
  private final List<SchedulerProfile> profiles = new ArrayList<>();
  private final Map<String, String> directories = new HashMap<>();

  ProfilesReader(Path file, YamlMap top, Map<Role, List<String>> domains, Faults faults) {
    this.file = file;
    this.top = top;
    this.domains = domains.values().stream().flatMap(List::stream).toList();
    this.faults = faults;
  }

  List<SchedulerProfile> read() {
    Optional<YamlValue> value = top.required("profiles");
    List<YamlValue> items = value.map(YamlValue::items).orElse(List.of());
    items.forEach(this::read);
    if (value.filter(YamlValue::isList).isPresent() && items.isEmpty()) {
      value.get().refuse("must name at least one profile, or as-found");
    }
    return profiles;
  }

  private void read(YamlValue item) {
    if (item.isText()) {
      item.text().ifPresent(text -> readWord(item, text));
      return;
    }
    boolean reference = item.anyMap(" of profiles").filter(map -> map.has("file")).isPresent();
    item.map(reference ? ExperimentKeys.PROFILE_FILE : ProfileFiles.inlineKeys(), " of profiles")
        .ifPresent(
            map -> {
              if (reference) {
                readReference(map);
              } else {
                map.required("name")
                    .flatMap(YamlValue::text)
                    .ifPresent(name -> add(item, ProfileFiles.inline(name, map)));
              }
            });
  }

  private void readWord(YamlValue item, String word) {
    if (word.equals(SchedulerProfile.AS_FOUND.name())) {
      add(item, SchedulerProfile.AS_FOUND);
    } else if (word.endsWith(".yaml") || word.endsWith(".yml")) {
      readFile(item, word).forEach(profile -> add(item, profile));
    } else {
      item.fault("profile " + word + " is neither as-found nor a .yaml file of profiles");
    }
  }

  private void readReference(YamlMap map) {
    YamlValue place = map.get("file").orElseThrow();
    List<SchedulerProfile> all = place.text().map(path -> readFile(place, path)).orElse(List.of());
    if (!map.has("only")) {
      all.forEach(profile -> add(place, profile));
      return;
    }
    List<String> names = all.stream().map(SchedulerProfile::name).toList();
    YamlValue only = map.get("only").orElseThrow();
    if (only.isList() && only.items().isEmpty()) {
      only.refuse("must name at least one profile of the file");
    }
    for (YamlValue wanted : only.items()) {
      // A file that could not be read has said so already.
      if (!names.isEmpty()) {
        wanted.oneOf(names).ifPresent(name -> add(wanted, all.get(names.indexOf(name))));
      }
    }
  }

  private List<SchedulerProfile> readFile(YamlValue place, String path) {
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
          "profiles "
              + earlier
              + " and "
              + profile.name()
              + " would share a directory where file names ignore case; rename one");
    }
    for (String domain : profile.byDomain().keySet()) {
      if (!domains.contains(domain)) {
        place.fault(
            "profile "
                + profile.name()
                + " sets "
                + domain
                + ", which 'domains' does not name; it names "
                + String.join(", ", domains));
      }
    }
    profiles.add(profile);
  }
}
