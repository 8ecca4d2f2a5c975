package io.slicewise.workload;

import static org.awaitility.Awaitility.await;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.base.yaml.Option;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workload's plan against its servers in the lab, as a trial runs it. */
record LabLoad(Reduction reduction, List<Measure> measures, Path directory) {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  static Lab lab(String scene) {
    return Lab.start(LabOptions.defaults().withScene(Scenes.named(scene).orElseThrow()));
  }

  /** The workload that leads to the lab's servers. */
  static Workload workload(Lab lab, String name, Map<String, Object> options) {
    Map<String, Object> all =
        new LinkedHashMap<>(Option.defaults(Workloads.type(name).orElseThrow().options()));
    all.putAll(lab.workloadOptions());
    all.putAll(options);
    return Workloads.of(name, Optional.empty(), lab.target(), Map.of(), all);
  }

  /** Lets that many users work until there are so many samples; nothing is set up or torn down. */
  static LabLoad run(Workload workload, int users, int samples, Path parent) throws IOException {
    Path directory = Files.createDirectory(parent.resolve("load-" + users));
    LoadRequest request =
        new LoadRequest(
            workload.plan().orElseThrow(),
            users,
            users,
            Duration.ZERO,
            LIMIT.multipliedBy(2),
            workload.properties(),
            workload.secrets(),
            directory);
    try (LoadGenerator.PreparedLoad prepared = LoadGenerator.forked().prepare(request)) {
      RunningLoad load = prepared.begin();
      load.beginWindow();
      Instant start = Instant.now();
      await().atMost(LIMIT).until(() -> load.progress().samples() >= samples);
      Window window = new Window(start, Instant.now());
      List<GeneratorSamples> files =
          load.stop().generators().stream().map(GeneratorOutput::counted).toList();
      Reduction reduction = Reductions.reduce(files, window, ReductionOptions.standard());
      return new LabLoad(reduction, workload.measures(reduction, files), directory);
    }
  }

  double measure(String name) {
    return measures.stream()
        .filter(measure -> measure.name().equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }
}
