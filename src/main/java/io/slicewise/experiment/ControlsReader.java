package io.slicewise.experiment;

import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.profile.SchedulerProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * What an experiment file says under {@code controls}: the baseline once more under the name {@code
 * BASELINE-twice}, an arm of every block like any other. Whatever it shows against the baseline is
 * a false alarm.
 */
final class ControlsReader {
  static final String SUFFIX = "-twice";

  private ControlsReader() {}

  static List<SchedulerProfile> read(
      YamlMap top, List<SchedulerProfile> profiles, String baseline) {
    List<SchedulerProfile> controls = new ArrayList<>();
    for (YamlValue item : top.get("controls").map(YamlValue::items).orElse(List.of())) {
      item.oneOf(List.of(baseline + SUFFIX))
          .ifPresent(name -> add(item, name, profiles, baseline, controls));
    }
    return controls;
  }

  private static void add(
      YamlValue item,
      String name,
      List<SchedulerProfile> profiles,
      String baseline,
      List<SchedulerProfile> controls) {
    boolean taken =
        !controls.isEmpty() || profiles.stream().anyMatch(profile -> profile.name().equals(name));
    if (taken) {
      item.fault("control " + name + " is listed twice");
      return;
    }
    profiles.stream()
        .filter(profile -> profile.name().equals(baseline))
        .map(twin -> new SchedulerProfile(name, twin.scheduler(), twin.byRole(), twin.byDomain()))
        .forEach(controls::add);
  }
}
