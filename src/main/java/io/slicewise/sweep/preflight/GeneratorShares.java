package io.slicewise.sweep.preflight;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Generators.GeneratorSpec;
import io.slicewise.experiment.load.Load;
import io.slicewise.load.spread.LoadCapacity;
import io.slicewise.load.spread.SplitPlan.Shares;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * How an experiment's users are split over its generators, and whether each carries its part.
 *
 * @param machines in the order in which they get the users
 * @param loads the parts of each load, in the order of the machines
 */
public record GeneratorShares(List<Machine> machines, List<Split> loads) {
  /** A machine is full at 80 % and carries 60 % with room. */
  private static final double ROOM = 0.6 / 0.8;

  /** A machine with its weight. */
  public record Machine(String name, int share) {}

  /**
   * A load and its parts.
   *
   * @param load as text, if it is not its number of users
   * @param perSecond requests that all machines are to generate at most; {@code NaN} if that
   *     follows from the response times
   */
  public record Split(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String load,
      int users,
      List<Integer> parts,
      double perSecond) {
    String text() {
      String most = Plural.of(users, "user");
      return load.isEmpty() ? most : "%s, at most %s".formatted(load, most);
    }
  }

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
    return of(experiment, machines);
  }

  /** Returns what is known of the machine that generates the load alone. */
  static Optional<CheckResult> here(Experiment experiment) {
    return LoadCapacity.remembered(GeneratorSpec.LOCAL)
        .map(
            known ->
                of(experiment, List.of(new Machine(GeneratorSpec.LOCAL, 1))).capacity(0, known));
  }

  private static GeneratorShares of(Experiment experiment, List<Machine> machines) {
    List<Integer> weights = machines.stream().map(Machine::share).toList();
    return new GeneratorShares(
        machines,
        machines.isEmpty()
            ? List.of()
            : experiment.askedLoads().stream()
                .map(Load::driven)
                .distinct()
                .map(load -> split(experiment, load, weights))
                .toList());
  }

  private static Split split(Experiment experiment, Load load, List<Integer> weights) {
    int users = experiment.users(load);
    return new Split(
        load.isOpen() ? load.text() : "",
        users,
        Shares.split(users, weights),
        load.isOpen() ? load.size() : rate(experiment, users));
  }

  private static double rate(Experiment experiment, int users) {
    Map<String, String> properties = experiment.workload().properties();
    if (experiment.workload().isOpen()) {
      return number(properties.get("rate"));
    }
    double think = number(properties.get("think-time"));
    return think > 0 ? users * 1_000 / think : Double.NaN;
  }

  private static double number(String text) {
    try {
      return text == null ? Double.NaN : Double.parseDouble(text.strip());
    } catch (NumberFormatException notANumber) {
      return Double.NaN;
    }
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
    return "%s: %s%s"
        .formatted(
            load.text(),
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
      String name = machines.get(place).name();
      Optional<LoadCapacity> capacity = LoadCapacity.remembered(name);
      findings.add(
          capacity.isPresent()
              ? capacity(place, capacity.get())
              : CheckResult.warning(
                  "generators",
                  "%s: how much load it carries was never measured".formatted(name),
                  "slicewise generator check " + name));
    }
    return List.copyOf(findings);
  }

  /** The part of the expected rate that a machine gets, against what it was measured to carry. */
  private CheckResult capacity(int place, LoadCapacity capacity) {
    String name = machines.get(place).name();
    double expected = most(load -> load.perSecond() * load.parts().get(place) / load.users());
    String sentence =
        Phrase.of(
            "%s carries %s%s, measured on %s%s",
            name,
            capacity.reached() ? "" : "at least ",
            GeneratorsCheck.rate(capacity),
            capacity.measured().atZone(ZoneOffset.UTC).toLocalDate(),
            Double.isNaN(expected) ? "" : Phrase.of("; its part is at most %,.0f/s", expected));
    return capacity.reached() && expected > capacity.perSecond()
        ? CheckResult.warning(
            "generators",
            sentence,
            Phrase.of(
                "its trials would be excluded for lateness: use fewer users there, or"
                    + " add machines (about %.0f like it carry everything with room)",
                Math.ceil(most(Split::perSecond) / (capacity.perSecond() * ROOM))))
        : CheckResult.ok("generators", sentence);
  }

  private double most(ToDoubleFunction<Split> rate) {
    return loads.stream()
        .filter(load -> load.users() > 0)
        .mapToDouble(rate)
        .max()
        .orElse(Double.NaN);
  }
}
