package io.slicewise.profile;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Scheduler parameters as text and as files contain them. */
public final class ParametersText {
  private ParametersText() {}

  /** The parameters for people: {@code weight 512 cap 0}, {@code slice 20 ms of 100 ms}. */
  public static String of(SchedulerParameters parameters) {
    return parameters.each().stream().map(ParametersText::one).collect(Collectors.joining(", "));
  }

  private static String one(SchedulerParameters parameters) {
    TimeShare share = parameters.scheduler().share().orElse(null);
    List<String> parts = new ArrayList<>();
    if (share != null) {
      parts.add(share.text(parameters));
    }
    List<TimeLimit> limits = parameters.scheduler().limits();
    for (Parameter<?> parameter : parameters.scheduler().parameters()) {
      if (parameters.uses(parameter)
          && (share == null || !share.concerns(parameter))
          && limits.stream().noneMatch(limit -> limit.concerns(parameter))) {
        part(parameters, parameter, parts);
      }
    }
    limits.stream()
        .filter(limit -> limit.limits(parameters))
        .forEach(limit -> parts.add(limit.text(parameters)));
    return String.join(" ", parts);
  }

  private static <T> void part(
      SchedulerParameters parameters, Parameter<T> parameter, List<String> parts) {
    T value = parameters.get(parameter);
    if (Boolean.TRUE.equals(value)) {
      parts.add(parameter.key());
    } else if (!Boolean.FALSE.equals(value)) {
      parts.add(parameter.key() + " " + parameter.kind().text(value));
    }
  }

  /**
   * Returns the parameters as a file contains them. Time and period are omitted if a weight
   * replaces them, since a file may not give both.
   */
  static Map<String, Object> toYaml(SchedulerParameters parameters) {
    Map<String, Object> map = new LinkedHashMap<>();
    boolean replaced =
        parameters.scheduler().share().filter(time -> time.isReplaced(parameters)).isPresent();
    for (Parameter<?> parameter : parameters.scheduler().parameters()) {
      if (!(replaced && parameters.scheduler().share().get().concerns(parameter))) {
        map.put(parameter.key(), written(parameters, parameter));
      }
    }
    return map;
  }

  private static <T> Object written(SchedulerParameters parameters, Parameter<T> parameter) {
    return parameter.kind().toYaml(parameters.get(parameter));
  }

  /** Returns the values that have an effect, as a file contains them, by parameter name. */
  public static Map<String, String> values(SchedulerParameters parameters) {
    Map<String, String> values = new LinkedHashMap<>();
    List<SchedulerParameters> each = parameters.each();
    for (int vcpu = 0; vcpu < each.size(); vcpu++) {
      String whose = parameters.isByVcpu() ? " of vCPU " + vcpu : "";
      for (Parameter<?> parameter : parameters.scheduler().parameters()) {
        if (!parameter.inert()) {
          values.put(parameter.key() + whose, String.valueOf(written(each.get(vcpu), parameter)));
        }
      }
    }
    return values;
  }
}
