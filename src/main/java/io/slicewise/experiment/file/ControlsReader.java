package io.slicewise.experiment.file;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.SchedulerProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
