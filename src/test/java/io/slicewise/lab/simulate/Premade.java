package io.slicewise.lab.simulate;

import io.slicewise.base.json.Json;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Small experiments and what to simulate them by. */
final class Premade {
  private static final String TEXT =
      """
      name: shop
      host: {address: dom0.example}
      domains: {main: [web, files, db]}
      profiles:
        - {name: even, scheduler: credit, main: {weight: 256}}
        - {name: capped, scheduler: credit, domains: {web: {weight: 256, cap: 40}}}
      baseline: even
      workload: {name: web-app, target: "http://web.example/"}
      users: [20]
      repetitions: 2
      ramp: 1s
      warm-up: 2s
      measure: 8s
      order: blocks
      seed: 5
      """;

  private Premade() {}

  static String text() {
    return TEXT;
  }

  static Experiment experiment(Path directory) throws IOException {
    return experiment(directory, "", "");
  }

  /** The small experiment with one piece of its text replaced. */
  static Experiment experiment(Path directory, String old, String fresh) throws IOException {
    Path file = directory.resolve("shop.yaml");
    return ExperimentFiles.read(Files.writeString(file, TEXT.replace(old, fresh)));
  }

  static HostModel host() {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    vcpus.put(HostModel.DOM0, 4);
    vcpus.put("web", 1);
    vcpus.put("files", 2);
    vcpus.put("db", 2);
    return new HostModel(
        HypervisorVersion.of(4, 17), 4, Optional.empty(), vcpus, Set.of(), Map.of(), "of a test");
  }

  /** A host with libvirt, on whose one pCPU a guest computes beside the web server. */
  static HostModel linux() {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    vcpus.put("web", 1);
    vcpus.put("files", 1);
    vcpus.put("db", 1);
    vcpus.put("batch", 1);
    return new HostModel(
        new HypervisorVersion(9, 0, ".0 (QEMU 7.2.22, cgroup v2)"),
        1,
        Optional.of(Scheduler.CFS),
        vcpus,
        Set.of("batch"),
        Map.of("batch", Cfs.of(100)),
        "of a test");
  }

  static Premises lab() {
    return new Premises(host(), Demands.LAB, Route.PAGE_VIEW, "of the lab");
  }

  static RunDirectory run(Experiment experiment, Premises premises, Path results, int jobs) {
    Clock clock = Clock.systemUTC();
    return Simulation.of(experiment, premises, clock)
        .run(results, jobs, new StopRequest(clock), result -> {})
        .run();
  }

  /** Makes a simulated run pass for a measured one: what a host that behaves as the model gives. */
  static RunDirectory asIfMeasured(RunDirectory run) {
    try {
      Path file = run.environmentFile();
      @SuppressWarnings("unchecked")
      Map<String, Object> environment = Json.mapper().readValue(file.toFile(), Map.class);
      environment.put("origin", new Origin(Origin.Kind.HOST, "measured on a host"));
      run.writeWhole(file, environment);
      return run;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
