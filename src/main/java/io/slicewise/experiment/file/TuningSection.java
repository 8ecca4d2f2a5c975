package io.slicewise.experiment.file;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.goal.SearchRange;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.goal.Tuning.TuneGoal;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The key {@code tune} of an experiment file. */
public record TuningSection(
    Path file,
    YamlMap top,
    WorkloadSpec workload,
    Map<Role, List<String>> domains,
    List<SchedulerProfile> profiles,
    int loads) {
  private static final OptionKind COUNT = new OptionKind.Whole(1, 1_000_000);

  public static final List<Option> OPTIONS =
      List.of(
          Option.needed(
              "goal",
              new OptionKind.Shaped(TuneGoal.PATTERN, TuneGoal.RULE),
              "the goal: 'lowest p95', 'highest throughput', 'p95 < 200ms', 'most users at p95 <"
                  + " 200ms', 'highest run share of DOMAIN', 'lowest wait share of DOMAIN'"),
          Option.optional(
              "guard",
              new AimSection.GuardKind(),
              "limits relative to the settings found, by metric, such as throughput or 'run share"
                  + " of DOMAIN'; a candidate that breaks one is dropped at once"),
          Option.withDefault(
              "within", new Quantity.Percentage(), "5%", "this close to the best is good enough"),
          Option.withDefault(
              "confidence", new Quantity.Percentage(), "95%", "of the claim that is printed"),
          Option.needed(
              "budget",
              new OptionKind.Group(
                  List.of(
                      Option.optional(
                          "time",
                          Quantity.Time.from(Duration.ofSeconds(1)),
                          "measuring time per night, including the confirmation"),
                      Option.optional("windows", COUNT, "windows of sessions, per night"),
                      Option.optional("trials", COUNT, "trials, per night"))),
              "the budget of a night; at least one limit"),
          Option.optional(
              "search",
              new OptionKind.Named(new OptionKind.Named(new Ranges())),
              "by domain (dom0 for the control domain) and parameter the values to search, in"
                  + " addition to the listed profiles: 64..4096, or a list such as [none,"
                  + " 100..200]"),
          Option.withDefault(
              "loads",
              OptionKind.Word.of(Tuning.Loads.values()),
              Tuning.Loads.TOGETHER.toString(),
              "one profile for all loads, or one for each"));

  public Optional<Tuning> read() {
    return top.get("tune")
        .flatMap(value -> value.map(Option.names(OPTIONS), " of tune"))
        .flatMap(this::read);
  }

  private Optional<Tuning> read(YamlMap map) {
    Options options = new Options(Option.readAll(OPTIONS, map, file, true));
    refuseWhatIsSaidTwice();
    Optional<TuneGoal> goal =
        options.text("goal").map(text -> AimSection.named(text, domains)).map(TuneGoal::parse);
    Map<String, Double> guard = AimSection.guard(options, domains);
    goal.ifPresent(one -> checkGoal(map, one));
    guard.keySet().forEach(one -> AimSection.check(map, "guard", one, workload, domains));
    Optional<Tuning.Budget> budget = budget(map, options);
    Map<String, Map<String, List<String>>> search = search(map, options);
    checkShare(map, options, "within");
    checkShare(map, options, "confidence");
    if (goal.isEmpty() || budget.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Tuning(
            goal.get(),
            guard,
            options.share("within"),
            options.share("confidence"),
            budget.get(),
            search,
            options.constant("loads", Tuning.Loads.class)));
  }

  private void refuseWhatIsSaidTwice() {
    for (String key : List.of("goal", "guard", "stop", "controls")) {
      if (top.has(key)) {
        top.fault(
            key,
            key.equals("goal") || key.equals("guard")
                ? key + " belongs in tune: write it only there"
                : key + " has no meaning with tune, which decides from the results what to run");
      }
    }
    if (top.has("baseline")
        && top.get("baseline")
            .flatMap(YamlValue::text)
            .filter(name -> !name.equals(SchedulerProfile.AS_FOUND.name()))
            .isPresent()) {
      top.fault("baseline", "a tune compares with the settings found: remove baseline");
    }
  }

  private void checkGoal(YamlMap map, TuneGoal goal) {
    AimSection.check(map, "goal", goal.metric(), workload, domains);
    if (workload.isTiled() && goal.kind().most().isPresent()) {
      map.fault(
          "goal",
          "goal %s has no meaning: each tile has its own users or rate; use 'worst goal'"
              .formatted(goal));
      return;
    }
    goal.kind()
        .most()
        .filter(axis -> loads < 2 || !top.has(axis.key()))
        .ifPresent(
            axis ->
                map.fault(
                    "goal",
                    "goal %s needs at least two loads in '%s', one on each side of the limit"
                        .formatted(goal, axis.key())));
  }

  /** Returns the domain of a name in the file; {@code dom0} is the control domain. */
  private String resolved(String name) {
    List<String> control = domains.getOrDefault(Role.DOM0, List.of());
    return name.equals(Role.DOM0.key()) && !control.isEmpty() ? control.get(0) : name;
  }

  private Optional<Tuning.Budget> budget(YamlMap map, Options options) {
    Optional<Options> written = options.group("budget");
    if (written.filter(bounds -> bounds.values().isEmpty()).isPresent()) {
      map.fault("budget", "budget of tune has no limit: write {time: 8h}, or a number of trials");
      return Optional.empty();
    }
    return written.map(
        bounds ->
            new Tuning.Budget(
                bounds.optionalTime("time"),
                bounds.optionalInteger("windows"),
                bounds.optionalInteger("trials")));
  }

  private static void checkShare(YamlMap map, Options options, String name) {
    double share = options.share(name);
    if (!(share > 0 && share < 1)) {
      map.get(name).ifPresent(value -> value.refuse("must be between 0% and 100%"));
    }
  }

  @SuppressWarnings("unchecked")
  private Map<String, Map<String, List<String>>> search(YamlMap map, Options options) {
    Map<String, Map<String, List<String>>> search = new LinkedHashMap<>();
    options
        .group("search")
        .ifPresent(
            written ->
                written
                    .values()
                    .forEach(
                        (domain, knobs) ->
                            search.put(resolved(domain), (Map<String, List<String>>) knobs)));
    checkSearch(map, search);
    return search;
  }

  private void checkSearch(YamlMap map, Map<String, Map<String, List<String>>> search) {
    Set<String> keys = new LinkedHashSet<>();
    search.forEach(
        (domain, knobs) -> {
          keys.addAll(knobs.keySet());
          knobs.forEach((key, texts) -> checkRanges(map, key, texts));
          if (!Tuning.isOfPool(knobs.keySet())) {
            AimSection.checkDomain(map, "search", domain, domains);
          } else {
            Scope.POOL
                .nameFault(domain)
                .ifPresent(rule -> map.fault("search", "cpupool '%s' %s".formatted(domain, rule)));
          }
        });
    if (map.has("search") && keys.isEmpty()) {
      map.fault(
          "search",
          "search of tune has no parameter: write a domain with a parameter and its values, as in"
              + " Apache_Server: {weight: 64..4096}, or remove search to race the listed profiles");
    }
    if (!map.has("search") && profiles.stream().allMatch(SchedulerProfile.AS_FOUND::equals)) {
      map.fault(
          "tune has nothing to choose from: list profiles besides as-found, or add a search, as in"
              + " search: {Apache_Server: {weight: 64..4096}}");
    }
    if (!keys.isEmpty() && schedulersWith(keys).isEmpty()) {
      map.fault(
          "search",
          "search of tune: no scheduler has %s; %s"
              .formatted(String.join(" and ", keys), parametersOfSchedulers()));
    }
  }

  /** Refuses a set of pCPUs where a parameter takes numbers. */
  private static void checkRanges(YamlMap map, String key, List<String> texts) {
    if (Tuning.isChosen(key)) {
      return;
    }
    for (String text : texts) {
      try {
        SearchRange.parse(text);
      } catch (IllegalArgumentException rule) {
        map.fault("search", "search of tune: %s '%s' %s".formatted(key, text, rule.getMessage()));
      }
    }
  }

  private static List<Scheduler> schedulersWith(Set<String> keys) {
    return Schedulers.KNOWN.settable().values().stream()
        .filter(one -> Tuning.searchable(one).containsAll(keys))
        .toList();
  }

  private static String parametersOfSchedulers() {
    List<String> each = new ArrayList<>();
    Schedulers.KNOWN
        .settable()
        .forEach(
            (name, scheduler) ->
                each.add(
                    "%s has %s".formatted(name, String.join(", ", Tuning.searchable(scheduler)))));
    return String.join("; ", each);
  }

  static YamlWriter write(Tuning tuning) {
    Tuning.Budget budget = tuning.budget();
    return new YamlWriter()
        .put("goal", tuning.goal())
        .put("guard", tuning.aim().guardTexts())
        .share("within", tuning.within())
        .share("confidence", tuning.confidence())
        .put(
            "budget",
            new YamlWriter()
                .put("time", budget.time())
                .put("windows", budget.windows())
                .put("trials", budget.trials()))
        .put("search", tuning.search())
        .put("loads", tuning.loads());
  }

  /** One range of values, or a list of them. */
  record Ranges() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      Map<String, Object> text =
          OptionKind.ordered("type", "string", "pattern", SearchRange.PATTERN);
      Map<String, Object> one =
          Map.of("anyOf", List.of(OptionKind.ordered("type", "integer", "minimum", 0), text));
      return Map.of(
          "anyOf", List.of(one, OptionKind.ordered("type", "array", "minItems", 1, "items", one)));
    }

    @Override
    public String example() {
      return "64..4096";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      List<YamlValue> items = value.isList() ? value.items() : List.of(value);
      if (items.isEmpty()) {
        value.refuse("contains no value");
      }
      List<Object> texts = new ArrayList<>();
      for (YamlValue item : items) {
        item.parsed(
                text -> {
                  if (!SearchRange.isSet(text)) {
                    SearchRange.parse(text);
                  }
                  return text;
                })
            .ifPresent(texts::add);
      }
      return texts.isEmpty() ? Optional.empty() : Optional.of(texts);
    }
  }
}
