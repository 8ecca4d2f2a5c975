package io.slicewise.experiment.file;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.profile.Role;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The keys {@code goal} and {@code guard} of an experiment file. */
public final class AimSection {
  private static final String SHARE = "[0-9]{1,2}(\\.[0-9]+)?%$";

  /** Throughput may fall, response times may rise; the sign is optional. */
  static final String FALL = "^-?" + SHARE;

  public static final String RISE = "^\\+?" + SHARE;
  private static final Pattern FALLS = Pattern.compile(FALL);
  private static final Pattern RISES = Pattern.compile(RISE);

  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              "goal",
              new OptionKind.Shaped(Aim.Goal.PATTERN, Aim.Goal.RULE),
              "the deciding metric, optionally with a limit; the default of report, compare and"
                  + " recommend"),
          Option.optional(
              "guard",
              new GuardKind(),
              "what the goal may cost: the maximum deterioration of a metric, and the maximum share"
                  + " of failed requests"));

  private AimSection() {}

  public static Aim read(
      YamlMap top, WorkloadSpec workload, Map<Role, List<String>> domains, Path file) {
    Options options = new Options(Option.readAll(OPTIONS, top, file, true));
    Aim aim =
        new Aim(
            options.text("goal").map(text -> named(text, domains)).map(Aim.Goal::parse),
            guard(options, domains));
    aim.goal().ifPresent(goal -> check(top, "goal", goal.metric(), workload, domains));
    aim.guard().keySet().forEach(metric -> check(top, "guard", metric, workload, domains));
    return aim;
  }

  /** Returns a goal or metric with the control domain's own name in the place of dom0. */
  public static String named(String text, Map<Role, List<String>> domains) {
    return domains.get(Role.DOM0).stream()
        .findFirst()
        .map(control -> text.replaceFirst("(?<= (of|at) )" + Role.DOM0.key() + "$", control))
        .orElse(text);
  }

  /** Reports a metric that the workload does not have, and a domain that is not in the file. */
  public static void check(
      YamlMap map,
      String key,
      String metric,
      WorkloadSpec workload,
      Map<Role, List<String>> domains) {
    Optional<OutcomeMetric> outcome = OutcomeMetric.of(metric);
    if (outcome.isPresent()) {
      if (metric.startsWith(OutcomeMetric.WORST)) {
        checkWorst(map, key, metric, workload);
      } else {
        checkOutcome(map, key, outcome.get(), workload.outcomes());
      }
      return;
    }
    Optional<DomainMetric> part = DomainMetric.of(metric);
    boolean perRequest =
        part.filter(one -> one.kind() != DomainMetric.Kind.WAIT_PER_REQUEST).isEmpty();
    if (perRequest && !workload.hasRequests()) {
      map.fault(
          key,
          "%s %s has no meaning: workload %s makes no requests; use %s'run share of DOMAIN' or 'wait"
                  .formatted(
                      key,
                      metric,
                      workload.name(),
                      workload.outcomes().stream()
                          .map(name -> "'" + new OutcomeMetric(name) + "', ")
                          .collect(Collectors.joining()))
              + " share of DOMAIN'");
    }
    part.ifPresent(one -> checkDomain(map, key, one.domain(), domains));
  }

  /** Reports a metric of tiles where there are none, or where some have goals of others. */
  private static void checkWorst(YamlMap map, String key, String metric, WorkloadSpec workload) {
    if (!workload.isTiled()) {
      map.fault(
          key,
          "%s %s has no meaning: workload %s has no tiles".formatted(key, metric, workload.name()));
      return;
    }
    String asked = metric.substring(OutcomeMetric.WORST.length());
    workload.tiles().stream()
        .filter(tile -> !asked.equals("goal"))
        .filter(tile -> tile.goal().filter(goal -> !goal.strip().startsWith(asked)).isPresent())
        .forEach(
            tile ->
                map.fault(
                    key,
                    "%s %s has no meaning for tile %s, whose goal is '%s'; 'worst goal' takes each tile by its own"
                        .formatted(key, metric, tile.name(), tile.goal().orElseThrow())));
  }

  private static void checkOutcome(
      YamlMap map, String key, OutcomeMetric outcome, List<String> known) {
    if (!known.contains(outcome.name())) {
      map.fault(
          key,
          "%s names %s, which the workload does not report; it reports %s"
              .formatted(key, outcome, known.isEmpty() ? "none" : String.join(", ", known)));
    }
  }

  /** Reports a domain that is not in the file. */
  static void checkDomain(YamlMap map, String key, String domain, Map<Role, List<String>> domains) {
    List<String> names = domains.values().stream().flatMap(List::stream).sorted().toList();
    if (!names.contains(domain)) {
      map.fault(
          key,
          "%s names %s, which is not in 'domains'; it lists %s"
              .formatted(key, domain, String.join(", ", names)));
    }
  }

  /** Returns the largest allowed changes for the worse, as shares by metric. */
  static Map<String, Double> guard(Options options, Map<Role, List<String>> domains) {
    Map<String, Double> guard = new TreeMap<>();
    options
        .group("guard")
        .map(Options::values)
        .orElse(Map.of())
        .forEach((metric, text) -> guard.put(named(metric, domains), share((String) text)));
    return guard;
  }

  private static double share(String change) {
    return PercentText.parse(change.replaceAll("^[-+]", ""));
  }

  static Optional<Double> allowed(String metric, YamlValue value) {
    if (metric.equals(Aim.ERRORS)) {
      return value.parsed(PercentText::parse);
    }
    return value.parsed(
        text ->
            DomainMetric.lowerIsBetter(metric)
                ? change(text, RISES, "+5%, the maximum increase")
                : change(text, FALLS, "-5%, the maximum decrease"));
  }

  private static double change(String text, Pattern rule, String example) {
    if (!rule.matcher(text).matches()) {
      throw new IllegalArgumentException("must be a change below 100 % such as " + example);
    }
    return share(text);
  }

  static void write(Aim aim, YamlWriter into) {
    into.put("goal", aim.goal()).put("guard", aim.guardTexts());
  }

  /** Allowed changes by metric, of the load or of a domain. */
  record GuardKind() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      Map<String, Object> schema =
          OptionKind.ordered("type", "object", "additionalProperties", false);
      Map<String, Object> properties = new LinkedHashMap<>();
      Aim.METRICS.forEach(metric -> properties.put(metric, change(metric)));
      schema.put("properties", properties);
      schema.put(
          "patternProperties",
          OptionKind.ordered(
              ofDomains(false), change(Aim.THROUGHPUT), ofDomains(true), change("mean")));
      return schema;
    }

    private static String ofDomains(boolean lowerIsBetter) {
      return "^%s$"
          .formatted(
              DomainMetric.pattern(
                  Arrays.stream(DomainMetric.Kind.values())
                      .filter(kind -> kind.lowerIsBetter() == lowerIsBetter)
                      .toList()));
    }

    private static Map<String, Object> change(String metric) {
      return switch (metric) {
        case Aim.ERRORS -> Map.of("$ref", "#/definitions/percent");
        case Aim.THROUGHPUT -> OptionKind.ordered("type", "string", "pattern", FALL);
        default -> Map.of("$ref", "#/definitions/rise");
      };
    }

    @Override
    public String example() {
      return "{throughput: -5%}";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      return value.anyMap(" of guard").map(this::read);
    }

    private Object read(YamlMap map) {
      Map<String, Object> guard = new LinkedHashMap<>();
      for (String metric : map.keys()) {
        if (Aim.METRICS.contains(metric) || metric.matches(DomainMetric.PATTERN)) {
          map.get(metric)
              .flatMap(value -> allowed(metric, value))
              .ifPresent(allowed -> guard.put(metric, Aim.text(metric, allowed)));
        } else {
          map.fault(
              metric,
              "guard %s is not one of %s, 'run share of DOMAIN' or 'wait share of DOMAIN'"
                  .formatted(metric, String.join(", ", Aim.METRICS)));
        }
      }
      return guard;
    }
  }
}
