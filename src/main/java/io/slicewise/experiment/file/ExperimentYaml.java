package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.SimulationSpec;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.StudyHours;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.factors.Factors;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

/** Writes an experiment as YAML, with all defaults. */
final class ExperimentYaml {
  private ExperimentYaml() {}

  static String of(Experiment experiment) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setSplitLines(false);
    options.setDereferenceAliases(true);
    return new Yaml(options).dump(tree(experiment));
  }

  private static Map<String, Object> tree(Experiment experiment) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", experiment.name());
    experiment.host().ifPresent(host -> tree.put("host", host(host)));
    experiment.lab().ifPresent(lab -> tree.put("lab", lab));
    Map<String, Object> domains = new LinkedHashMap<>();
    for (Role role : List.of(Role.MAIN, Role.OTHER)) {
      domains.put(role.key(), experiment.domains().getOrDefault(role, List.of()));
    }
    tree.put("domains", domains);
    WatchingYaml.put(experiment.watching(), tree);
    tree.put(
        "profiles",
        experiment.profiles().stream()
            .filter(profile -> !experiment.controls().contains(profile.name()))
            .map(profile -> profile(profile, experiment.factors()))
            .distinct()
            .toList());
    tree.put("baseline", experiment.baseline());
    if (experiment.tuning().isEmpty()) {
      tree.put("controls", experiment.controls());
    }
    tree.put("workload", workload(experiment.workload()));
    if (experiment.workload().loads()) {
      Axis driver = Load.driver(experiment.loads());
      tree.put(
          driver.key(), driver.levels(experiment.askedLoads()).stream().map(Level::value).toList());
      List<Level> guests = experiment.levels(Axis.GUESTS);
      if (!guests.isEmpty()) {
        tree.put(Axis.GUESTS.key(), guests.stream().map(Level::value).toList());
      }
      experiment.course().parts().mostUsers().ifPresent(most -> tree.put("most-users", most));
    }
    if (!experiment.generators().isHere()) {
      tree.put("generators", GeneratorsKind.yaml(experiment.generators()));
    }
    experiment.design().ifPresent(design -> tree.put("design", design(design)));
    if (experiment.design().isEmpty()) {
      if (experiment.tuning().isPresent()) {
        tree.put("design", Map.of("kind", DesignReader.TRIALS));
      }
      tree.put("repetitions", experiment.repetitions());
    }
    experiment.stop().ifPresent(stop -> tree.put("stop", stop(stop)));
    tree.put("ramp", DurationText.of(experiment.ramp()));
    tree.put("warm-up", DurationText.of(experiment.warmUp()));
    if (experiment.design().isEmpty() && !experiment.measuresWork()) {
      tree.put("measure", DurationText.of(experiment.measure()));
    }
    tree.put("cool-down", DurationText.of(experiment.coolDown()));
    tree.put("order", experiment.order().toString());
    tree.put("seed", experiment.seed());
    tree.put("limits", limits(experiment.limits()));
    if (experiment.tuning().isEmpty()) {
      aim(experiment.aim(), tree);
    }
    experiment.simulation().ifPresent(spec -> tree.put("simulation", simulation(spec)));
    experiment.tuning().ifPresent(tuning -> tree.put("tune", tune(tuning)));
    return tree;
  }

  private static void aim(Aim aim, Map<String, Object> tree) {
    aim.goal().ifPresent(goal -> tree.put("goal", goal.toString()));
    if (!aim.guard().isEmpty()) {
      tree.put("guard", aim.guardTexts());
    }
  }

  private static Map<String, Object> tune(Tuning tuning) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("goal", tuning.goal().toString());
    if (!tuning.guard().isEmpty()) {
      map.put("guard", new Aim(Optional.empty(), tuning.guard()).guardTexts());
    }
    map.put("within", PercentText.of(tuning.within()));
    map.put("confidence", PercentText.of(tuning.confidence()));
    Map<String, Object> budget = new LinkedHashMap<>();
    tuning.budget().time().ifPresent(time -> budget.put("time", DurationText.of(time)));
    tuning.budget().windows().ifPresent(number -> budget.put("windows", number));
    tuning.budget().trials().ifPresent(number -> budget.put("trials", number));
    map.put("budget", budget);
    if (!tuning.search().isEmpty()) {
      map.put("search", tuning.search());
    }
    map.put("loads", tuning.loads().toString());
    return map;
  }

  /** Returns the entry of a profile; all cells of factors have one together. */
  private static Object profile(SchedulerProfile profile, Optional<Factors> factors) {
    Optional<Factors> its = factors.filter(all -> all.profiles().contains(profile.name()));
    if (its.isPresent()) {
      return Map.of(ProfilesReader.FACTORS, its.get().written());
    }
    return profile.equals(SchedulerProfile.AS_FOUND)
        ? profile.name()
        : ProfileFiles.toYaml(profile);
  }

  private static Map<String, Object> host(HostSpec host) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (host.local()) {
      map.put(HostReader.LOCAL, true);
    } else {
      map.put("address", host.address());
    }
    host.login().user().ifPresent(user -> map.put("user", user));
    host.login().port().ifPresent(port -> map.put("port", port));
    host.login().identity().ifPresent(path -> map.put("identity", path.toString()));
    host.login().knownHosts().ifPresent(path -> map.put("known-hosts", path.toString()));
    map.put("sudo", host.sudo());
    host.cpupool().ifPresent(pool -> map.put("cpupool", pool));
    host.hypervisor().ifPresent(hypervisor -> map.put("hypervisor", hypervisor));
    host.toolstack().ifPresent(toolstack -> map.put("toolstack", toolstack));
    if (!host.local()) {
      map.put("sign-in-limit", DurationText.of(host.limits().signIn()));
    }
    map.put("command-limit", DurationText.of(host.limits().command()));
    host.deadMan().ifPresent(time -> map.put(HostReader.DEAD_MAN, DurationText.of(time)));
    return map;
  }

  static Map<String, Object> workload(WorkloadSpec workload) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", workload.name());
    workload.plan().ifPresent(plan -> map.put("plan", plan.toString()));
    workload.target().ifPresent(target -> map.put("target", target.toString()));
    if (!workload.properties().isEmpty()) {
      map.put("properties", new TreeMap<>(workload.properties()));
    }
    map.putAll(workload.options());
    return map;
  }

  private static Map<String, Object> stop(Stop stop) {
    Map<String, Object> within = new LinkedHashMap<>();
    within.put("trials", stop.trials());
    within.put("time", DurationText.of(stop.time()));
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("precision", PercentText.of(stop.precision()));
    map.put("rule", stop.rule().toString());
    map.put("within", within);
    return map;
  }

  private static Map<String, Object> design(SwitchbackDesign design) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("kind", design.pairs().isPresent() ? DesignReader.PAIRS : DesignReader.SWITCHBACK);
    if (design.pairs().isEmpty()) {
      map.put("sessions", design.sessions());
      map.put("blocks", design.blocks());
    }
    map.put("window", DurationText.of(design.window()));
    map.put("wash-out", design.washOut().map(DurationText::of).orElse(DesignReader.AUTO));
    design.pairs().ifPresent(pairs -> pairs(pairs, map));
    return map;
  }

  private static void spans(List<StudyHours.Span> spans, String key, Map<String, Object> map) {
    if (!spans.isEmpty()) {
      map.put(key, spans.stream().map(StudyHours.Span::toString).toList());
    }
  }

  private static void pairs(PairsDesign pairs, Map<String, Object> map) {
    Map<String, Object> most = new LinkedHashMap<>();
    most.put("pairs", pairs.pairs());
    most.put("time", DurationText.of(pairs.time()));
    pairs.nights().ifPresent(nights -> most.put("nights", nights));
    map.put("at-most", most);
    map.put("observe", pairs.observe());
    Map<String, Object> harm = new LinkedHashMap<>();
    pairs.harm().requests().ifPresent(requests -> harm.put("requests", requests));
    pairs.harm().time().ifPresent(time -> harm.put("time", DurationText.of(time)));
    if (!harm.isEmpty()) {
      map.put("harm", harm);
    }
    spans(pairs.hours().only(), DesignReader.HOURS, map);
    spans(pairs.hours().except(), DesignReader.NOT_DURING, map);
  }

  private static Map<String, Object> simulation(SimulationSpec spec) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (!spec.demands().isEmpty()) {
      Map<String, Object> demands = new LinkedHashMap<>();
      spec.demands().forEach((place, demand) -> demands.put(place, DurationText.of(demand)));
      map.put("demands", demands);
    }
    spec.xen().ifPresent(xen -> map.put("xen", xen));
    spec.pcpus().ifPresent(pcpus -> map.put("pcpus", pcpus));
    if (!spec.vcpus().isEmpty()) {
      map.put("vcpus", new LinkedHashMap<>(spec.vcpus()));
    }
    return map;
  }

  private static Map<String, Object> limits(ValidityLimits limits) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("errors", PercentText.of(limits.errorShare()));
    map.put("generator-cpu", PercentText.of(limits.generator().cpuShare()));
    map.put("other-work", PercentText.of(limits.otherWorkShare()));
    map.put("generator-lateness", millis(limits.generator().latenessMillis()));
    map.put("generator-gc", PercentText.of(limits.generator().pauseShare()));
    map.put("arrival-lateness", millis(limits.generator().arrivalMillis()));
    map.put("dropped-arrivals", PercentText.of(limits.generator().droppedShare()));
    map.put("littles-law", PercentText.of(limits.littlesLawError()));
    map.put("lab-lateness", millis(limits.labLatenessMillis()));
    map.put("repeat-invalid", limits.moreAttempts());
    return map;
  }

  /** Returns a number of milliseconds as the text of a duration. */
  static String millis(double millis) {
    return DurationText.of(Duration.ofNanos(Math.round(millis * 1e6)));
  }

  /** Writes the {@code logins} and {@code watch} parts of an experiment. */
  private static final class WatchingYaml {
    private WatchingYaml() {}

    /** Adds both parts, where the experiment has them. */
    static void put(Watching watching, Map<String, Object> tree) {
      if (!watching.logins().isEmpty()) {
        Map<String, Object> logins = new LinkedHashMap<>();
        watching.logins().forEach((name, login) -> logins.put(name, login(login)));
        tree.put("logins", logins);
      }
      Map<String, Object> watch = new LinkedHashMap<>();
      watching.series().ifPresent(series -> watch.put("series", DurationText.of(series)));
      if (!watching.needed().isEmpty()) {
        watch.put("needed", watching.needed());
      }
      if (!watch.isEmpty()) {
        tree.put("watch", watch);
      }
    }

    private static Map<String, Object> login(Login login) {
      Map<String, Object> map = new LinkedHashMap<>();
      login.address().ifPresent(address -> map.put(LoginsKind.ADDRESS, address));
      login.user().ifPresent(user -> map.put("user", user));
      login.port().ifPresent(port -> map.put("port", port));
      login.identity().ifPresent(path -> map.put("identity", path.toString()));
      login.knownHosts().ifPresent(path -> map.put("known-hosts", path.toString()));
      login.service().ifPresent(service -> map.put("service", service));
      if (!login.disks().isEmpty()) {
        map.put("disks", login.disks());
      }
      map.put(LoginsKind.STORAGE, login.storage());
      return map;
    }
  }
}
