package io.slicewise.cli.draft;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.yaml.Option;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.load.generator.PlanNeeds;
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
 * @param place where it runs
 * @param plan written into it; empty for the workload's own
 * @param reads the plan that is loaded, for the properties it reads
 */
record ExperimentDraft(
    WorkloadType type, DraftPlace place, Optional<String> plan, Optional<PlanFile> reads) {
  /** Properties that Slicewise sets from users, ramp and target of the experiment. */
  private static final Pattern GIVEN =
      Pattern.compile("users|ramp|duration|(protocol|host|port|path|guest)[0-9]*");

  /** Properties that built-in workloads set from their options. */
  private static final Pattern FROM_OPTIONS =
      Pattern.compile("schema|after|label|query|count|q[0-9]+-rows");

  /** Further keys of an experiment, as comments. */
  private static final List<String> FURTHER =
      List.of(
          "# Further keys, described in docs/experiment.md:",
          commented("# baseline: as-found", "the profile that the others are compared with"),
          commented("# controls: [as-found-twice]", "an A/A control: measures the baseline twice"),
          commented("# goal: p95 < 200ms", "the metric that decides"),
          commented("# guard: {throughput: -5%}", "what a profile may cost"),
          "# stop: {precision: 3%, within: {trials: 12, time: 8h}} # adds blocks until cells are"
              + " that precise",
          commented(
              "# design: {kind: switchback}", "in the place of repetitions: docs/switchback.md"),
          commented("# order: blocks", "random within blocks; or as-written, loads-as-written"),
          commented("# seed: 1", "of the random order"),
          commented("# cool-down: 0s", "after each trial"));

  private static final Set<String> YAML_WORDS = Set.of("true", "false", "null", "yes", "no");

  /**
   * Returns a draft for a custom plan.
   *
   * @param besides the experiment's directory, to which the plan's path is relative; where it is
   *     unknown, the path is absolute
   */
  static ExperimentDraft ofPlan(Path file, Optional<Path> besides, DraftPlace place) {
    PlanFile plan = PlanFile.read(file);
    Path absolute = file.toAbsolutePath().normalize();
    Path seen = besides.map(near -> near.normalize().relativize(absolute)).orElse(absolute);
    return new ExperimentDraft(
        Workloads.type("plan").orElseThrow(),
        place,
        Optional.of(seen.toString()),
        Optional.of(plan));
  }

  /** Returns a draft for a built-in workload. */
  static ExperimentDraft ofWorkload(WorkloadType type, DraftPlace place) {
    return new ExperimentDraft(
        type, place, Optional.empty(), Workloads.shippedPlan(type.name()).map(PlanFile::read));
  }

  /** Returns the servers that a custom plan names itself. */
  Set<String> servers() {
    return plan.flatMap(any -> reads).map(PlanFile::servers).orElse(Set.of());
  }

  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("# " + type.summary());
    lines.add("# slicewise plan FILE shows what a run would do and changes nothing.");
    lines.add("name: " + name());
    lines.addAll(type.live() ? place.liveLines() : place.lines());
    lines.add("domains:");
    lines.add(commented("  main: [" + place.main(type) + "]", type.mainDomains()));
    lines.add(
        commented(
            place.other().map(names -> "  other: [" + names + "]").orElse("# other: [backup]"),
            "further guests whose settings may change"));
    lines.add("profiles:");
    lines.add(commented("  - as-found", "the host's current settings"));
    lines.add(place.profile());
    if (type.loads()) {
      lines.addAll(FURTHER);
    }
    lines.addAll(workload());
    place.goal(type).ifPresent(goal -> lines.add(commented(goal, "the metric that decides")));
    if (type.loads()) {
      lines.add(place.loads(type));
    }
    lines.addAll(place.times(type));
    return String.join("\n", lines) + "\n";
  }

  private String name() {
    return plan.map(path -> Path.of(path).getFileName().toString().replaceFirst("\\.jmx$", ""))
        .map(name -> name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[._-]+", ""))
        .filter(name -> !name.isEmpty())
        .map(name -> name.substring(0, Math.min(64, name.length())))
        .orElse(type.name());
  }

  static String commented(String line, String about) {
    return Phrase.of("%-30s # %s", line, about);
  }

  private List<String> workload() {
    List<String> lines = new ArrayList<>();
    lines.add("workload:");
    lines.add("  name: " + type.name());
    plan.ifPresent(path -> lines.add("  plan: " + quoted(path)));
    if (type.target() == Need.MUST) {
      lines.add(
          commented(
              (place.isLab() ? "# target" : "  target") + ": http://guest/",
              "where the first request goes"
                  + (place.isLab() ? "; the lab's own if missing" : "")));
    } else if (type.target() == Need.MAY) {
      lines.add(
          commented(
              "# target: http://guest/", "becomes the properties protocol, host, port, path"));
    }
    type.options().forEach(option -> option(lines, option));
    properties(lines);
    return lines;
  }

  /** Writes an optional key as a comment, with its default if it has one. */
  private void option(List<String> lines, Option option) {
    Optional<String> set = Optional.ofNullable(place.options(type).get(option.name()));
    boolean active = set.isPresent() || (option.needed() && !place.isLab());
    lines.add(
        "%s %s: %s   # %s"
            .formatted(
                active ? " " : "#",
                option.name(),
                set.orElseGet(() -> example(option)),
                option.about()));
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
    if (!type.loads() || (plan.isEmpty() && type.plan() == Need.NO)) {
      return;
    }
    if (plan.isPresent() && place.isLab() && reads.filter(read -> read.reads("host")).isEmpty()) {
      lines.add(
          "# The plan does not read the property host: it loads the servers it names, not the"
              + " lab's.");
    }
    Map<String, Optional<String>> mine = new TreeMap<>();
    reads
        .map(PlanFile::properties)
        .orElse(Map.of())
        .forEach(
            (name, value) -> {
              if (!isGiven(name)) {
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
    reads
        .filter(any -> plan.isPresent())
        .map(read -> PlanNeeds.of(read.path(), Map.of(), place.load()))
        .flatMap(PlanNeeds::endsByItself)
        .ifPresent(ends -> lines.add("# %s:\n# %s.".formatted(ends, PlanNeeds.WAY_OUT)));
  }

  private boolean isGiven(String property) {
    boolean option =
        type.options().stream()
            .map(Option::name)
            .anyMatch(name -> name.equals(property) || name.startsWith(property + "-"));
    return GIVEN.matcher(property).matches()
        || (plan.isEmpty() && (option || FROM_OPTIONS.matcher(property).matches()));
  }

  private static String quoted(String text) {
    boolean plain =
        text.matches("[A-Za-z0-9_./-]*[A-Za-z0-9_/]")
            && !YAML_WORDS.contains(text.toLowerCase(Locale.ROOT));
    return plain ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
