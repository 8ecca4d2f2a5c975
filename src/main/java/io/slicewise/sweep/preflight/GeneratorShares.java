package io.slicewise.sweep.preflight;

import io.slicewise.experiment.Experiment;
import io.slicewise.load.spread.LoadCapacity;
import io.slicewise.load.spread.Shares;
import io.slicewise.load.spread.SpreadGenerator;
import io.slicewise.sweep.LoadGenerators;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How an experiment's users are split over its generators, and whether each carries its part.
 *
 * @param machines in the order in which they get the users
 * @param loads the parts of each load, in the order of the machines
 * @param perSecond requests that all of them are to generate at the highest load; {@code NaN} if it
 *     follows from the response times
 */
public record GeneratorShares(List<Machine> machines, List<Split> loads, double perSecond) {
  static final String WAY_OUT =
      "change the plan, or allow each generator its own with 'each: true' or 'data: same' below"
          + " 'generators'";

  /** A machine with its weight. */
  public record Machine(String name, int share) {}

  /** A load and its parts. */
  public record Split(int users, List<Integer> parts) {}

  /** Returns the shares; without machines for an experiment that names none. */
  public static GeneratorShares of(Experiment experiment) {
    List<Machine> machines =
        experiment
            .generators()
            .servers()
            .map(
                servers ->
                    servers.addresses().stream().map(server -> new Machine(server, 1)).toList())
            .orElseGet(
                () ->
                    experiment.generators().machines().stream()
                        .map(spec -> new Machine(spec.name(), spec.share()))
                        .toList());
    List<Integer> weights = machines.stream().map(Machine::share).toList();
    return new GeneratorShares(
        machines,
        machines.isEmpty()
            ? List.of()
            : experiment.users().stream()
                .map(users -> new Split(users, Shares.split(users, weights)))
                .toList(),
        rate(experiment));
  }

  private static double rate(Experiment experiment) {
    Map<String, String> properties = experiment.workload().properties();
    int users = experiment.users().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (experiment.workload().isOpen()) {
      return number(properties.get("rate"));
    }
    double think = number(properties.get("think-time"));
    return think > 0 ? users * 1000 / think : Double.NaN;
  }

  private static double number(String text) {
    try {
      return text == null ? Double.NaN : Double.parseDouble(text.strip());
    } catch (NumberFormatException notANumber) {
      return Double.NaN;
    }
  }

  /** Returns why the plan cannot run on the experiment's generators, one sentence each. */
  public static List<String> complaints(
      Experiment experiment, Path plan, Map<String, String> properties) {
    List<String> complaints = new ArrayList<>();
    if (experiment.generators().machines().size() > 1) {
      complaints.addAll(
          SpreadGenerator.complaints(plan, properties, LoadGenerators.rules(experiment)));
    }
    LoadGenerators.servers(experiment)
        .ifPresent(
            servers -> {
              complaints.addAll(servers.complaints(plan, properties));
              experiment
                  .users()
                  .forEach(users -> servers.unequal(users).ifPresent(complaints::add));
            });
    return complaints.stream().map(complaint -> "several generators: " + complaint).toList();
  }

  /** Returns a line for each load, such as {@code 25 users: gen1 9, gen2 8, gen3 8}. */
  public List<String> lines() {
    return loads.stream().map(this::line).toList();
  }

  private String line(Split load) {
    List<String> parts = new ArrayList<>();
    List<String> idle = new ArrayList<>();
    for (int place = 0; place < machines.size(); place++) {
      String name = machines.get(place).name();
      if (load.parts().get(place) == 0) {
        idle.add(name);
      } else {
        parts.add("%s %d".formatted(name, load.parts().get(place)));
      }
    }
    return "%d %s: %s%s"
        .formatted(
            load.users(),
            load.users() == 1 ? "user" : "users",
            String.join(", ", parts),
            idle.isEmpty() ? "" : "; idle: " + String.join(", ", idle));
  }

  CheckResult split() {
    return CheckResult.ok("generators", String.join("; ", lines()));
  }

  List<CheckResult> findings() {
    List<CheckResult> findings = new ArrayList<>();
    findings.add(split());
    for (int place = 0; place < machines.size(); place++) {
      findings.add(capacity(place));
    }
    return List.copyOf(findings);
  }

  /** The part of the expected rate that a machine gets, against what it was measured to carry. */
  private CheckResult capacity(int place) {
    String name = machines.get(place).name();
    LoadCapacity capacity = LoadCapacity.remembered(name).orElse(null);
    if (capacity == null) {
      return CheckResult.warning(
          "generators",
          "%s: how much load it carries was never measured".formatted(name),
          "slicewise generator check " + name);
    }
    double expected = expected(place);
    String sentence =
        String.format(
            Locale.ROOT,
            "%s carries %s%s, measured on %s%s",
            name,
            capacity.reached() ? "" : "at least ",
            GeneratorsCheck.rate(capacity),
            capacity.measured().atZone(ZoneOffset.UTC).toLocalDate(),
            Double.isNaN(expected)
                ? ""
                : String.format(Locale.ROOT, "; its part is at most %,.0f/s", expected));
    return capacity.reached() && expected > capacity.perSecond()
        ? CheckResult.warning(
            "generators",
            sentence,
            "its trials would be excluded for lateness: add machines, or lower its share")
        : CheckResult.ok("generators", sentence);
  }

  private double expected(int place) {
    return loads.stream()
        .filter(load -> load.users() > 0)
        .mapToDouble(load -> perSecond * load.parts().get(place) / load.users())
        .max()
        .orElse(Double.NaN);
  }
}
