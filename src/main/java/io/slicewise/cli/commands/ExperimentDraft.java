package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Option;
import io.slicewise.experiment.Defaults;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A commented experiment file to start from. Required keys are examples to edit; optional keys are
 * comments.
 *
 * @param plan written into it; empty for the workload's own
 * @param reads the plan that is loaded, for the properties it reads
 */
record ExperimentDraft(WorkloadType type, Optional<String> plan, Optional<PlanFile> reads) {
  /** Properties that Slicewise sets from users, ramp and target of the experiment. */
  private static final Pattern GIVEN =
      Pattern.compile("users|ramp|duration|(protocol|host|port|path|guest)[0-9]*");

  private static final Set<String> YAML_WORDS = Set.of("true", "false", "null", "yes", "no");

  /** Returns a draft for a custom plan; its path is relative to the experiment's directory. */
  static ExperimentDraft ofPlan(Path file, Path besides) {
    PlanFile plan = PlanFile.read(file);
    Path seen = besides.toAbsolutePath().normalize().relativize(file.toAbsolutePath().normalize());
    return new ExperimentDraft(
        Workloads.type("plan").orElseThrow(), Optional.of(seen.toString()), Optional.of(plan));
  }

  /** Returns a draft for a built-in workload. */
  static ExperimentDraft ofWorkload(WorkloadType type) {
    return new ExperimentDraft(
        type, Optional.empty(), Workloads.shippedPlan(type.name()).map(PlanFile::read));
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("# " + type.summary());
    lines.add("# slicewise plan FILE shows what a run would do and changes nothing.");
    lines.add("name: " + name());
    lines.add("host:");
    lines.add(commented("  address: dom0", "a host name, an address, or an SSH alias"));
    lines.add(commented("# lab: {}", "instead of host: the embedded lab"));
    lines.add("domains:");
    lines.add(commented("  main: [guest]", type.mainDomains()));
    lines.add(commented("# other: [backup]", "further guests whose settings may change"));
    lines.add("profiles:");
    lines.add(commented("  - as-found", "the host's current settings"));
    lines.add("  - {name: heavy, scheduler: credit, main: {weight: 512}}");
    lines.addAll(workload());
    if (type.loads()) {
      lines.add(commented("users: [25, 50, 100]", "one load or several"));
    }
    lines.add(commented("repetitions: " + Defaults.REPETITIONS, "an interval needs 2"));
    lines.add(
        commented(
            "warm-up: " + DurationText.of(Defaults.WARM_UP), "not measured; the users start here"));
    lines.add(commented("measure: " + DurationText.of(Defaults.MEASURE), "the measured window"));
    return String.join("\n", lines) + "\n";
  }

  private String name() {
    return plan.map(path -> Path.of(path).getFileName().toString().replaceFirst("\\.jmx$", ""))
        .map(name -> name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[._-]+", ""))
        .filter(name -> !name.isEmpty())
        .map(name -> name.substring(0, Math.min(64, name.length())))
        .orElse(type.name());
  }

  private static String commented(String line, String about) {
    return String.format(Locale.ROOT, "%-30s # %s", line, about);
  }

  private List<String> workload() {
    List<String> lines = new ArrayList<>();
    lines.add("workload:");
    lines.add("  name: " + type.name());
    plan.ifPresent(path -> lines.add("  plan: " + quoted(path)));
    if (type.target() == Need.MUST) {
      lines.add(commented("  target: http://guest/", "where the first request goes"));
    } else if (type.target() == Need.MAY) {
      lines.add(
          commented(
              "# target: http://guest/", "becomes the properties protocol, host, port, path"));
    }
    type.options().forEach(option -> option(lines, "  ", option));
    properties(lines);
    return lines;
  }

  /** Writes an optional key as a comment, with its default if it has one. */
  private static void option(List<String> lines, String indent, Option option) {
    String key = option.needed() ? indent : "#" + indent.substring(1);
    lines.add(key + option.name() + ": " + example(option) + "   # " + option.about());
  }

  private static String example(Option option) {
    return option.defaultValue().map(ExperimentDraft::flow).orElseGet(() -> unset(option));
  }

  private static String unset(Option option) {
    if (option.name().endsWith("user")) {
      return "somebody";
    }
    return option.name().endsWith("-env") ? "A_VARIABLE" : option.kind().example();
  }

  /** A plain value on one line. */
  private static String flow(Object value) {
    if (value instanceof List<?> list) {
      return "[" + String.join(", ", list.stream().map(ExperimentDraft::flow).toList()) + "]";
    } else if (value instanceof Map<?, ?> map) {
      List<String> entries = new ArrayList<>();
      map.forEach((key, each) -> entries.add(key + ": " + flow(each)));
      return "{" + String.join(", ", entries) + "}";
    }
    return value instanceof String text ? quoted(text) : String.valueOf(value);
  }

  private void properties(List<String> lines) {
    if (!type.loads()) {
      return;
    }
    Map<String, Optional<String>> mine = new TreeMap<>();
    reads
        .map(PlanFile::properties)
        .orElse(Map.of())
        .forEach(
            (name, value) -> {
              if (!GIVEN.matcher(name).matches()) {
                mine.put(name, value);
              }
            });
    lines.add(
        mine.isEmpty()
            ? commented("# properties: {}", "the plan reads no other properties")
            : commented("# properties:", "read by the plan, with its defaults"));
    mine.forEach((name, value) -> lines.add("#   " + name + ": " + quoted(value.orElse(""))));
    if (reads.isPresent() && !reads.get().reads("users")) {
      lines.add(
          "# The plan does not read the property users: set its thread count to ${__P(users)}.");
    }
  }

  private static String quoted(String text) {
    boolean plain =
        text.matches("[A-Za-z0-9_./-]*[A-Za-z0-9_/]")
            && !YAML_WORDS.contains(text.toLowerCase(Locale.ROOT));
    return plain ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
