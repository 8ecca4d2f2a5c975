package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.SimulationSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@code simulation} part of an experiment file. */
public final class SimulationSection {
  private static final OptionKind CPUS = new OptionKind.Whole(1, 64);
  private static final OptionKind DEMANDS =
      new OptionKind.Group(
          List.of(
              demand("web", "CPU time of the first main guest"),
              demand("database", "CPU time of the third main guest"),
              demand("file", "CPU time of the second main guest"),
              demand("dom0", "CPU time of Domain-0"),
              demand("disk", "time off the CPUs, at one server")));

  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              "demands",
              DEMANDS,
              "the mean demand of a request at each place; default: the lab's with 'lab', otherwise"
                  + " the 2010 study's"),
          Option.optional(
              "xen",
              new OptionKind.Shaped("^[0-9]\\.[0-9]{1,2}$", "must be a version such as \"4.17\""),
              "the hypervisor's version, in quotes"),
          Option.optional("pcpus", CPUS, "pCPUs of the host"),
          Option.optional("vcpus", new OptionKind.Named(CPUS), "vCPUs by domain"));

  private SimulationSection() {}

  private static Option demand(String place, String about) {
    return Option.optional(place, Quantity.Time.ANY, about);
  }

  static Optional<SimulationSpec> read(YamlMap top, Path file) {
    Optional<YamlValue> value = top.get("simulation");
    return value
        .flatMap(written -> written.map(Option.names(OPTIONS), " of simulation"))
        .map(map -> spec(map, new Options(Option.readAll(OPTIONS, map, file, true))));
  }

  private static SimulationSpec spec(YamlMap map, Options options) {
    Map<String, Duration> demands = new LinkedHashMap<>();
    Map<String, Object> written = options.group("demands").map(Options::values).orElse(Map.of());
    map.get("demands")
        .filter(value -> !value.isText() && !value.isList() && written.isEmpty())
        .ifPresent(value -> value.refuse("must list at least one place and its time"));
    // In the order written, so that reading and writing again gives the same text.
    map
        .get("demands")
        .filter(value -> !written.isEmpty())
        .flatMap(value -> value.anyMap(""))
        .stream()
        .flatMap(group -> group.keys().stream())
        .filter(written::containsKey)
        .forEach(place -> demands.put(place, DurationText.parse((String) written.get(place))));
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    options
        .group("vcpus")
        .ifPresent(
            group -> group.values().keySet().forEach(key -> vcpus.put(key, group.integer(key))));
    return new SimulationSpec(
        demands, options.text("xen"), options.optionalInteger("pcpus"), vcpus);
  }

  static YamlWriter write(SimulationSpec spec) {
    return new YamlWriter()
        .put("demands", spec.demands())
        .put("xen", spec.xen())
        .put("pcpus", spec.pcpus())
        .put("vcpus", spec.vcpus());
  }
}
