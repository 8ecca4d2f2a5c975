package io.slicewise.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a run directory that say what the run ran on and where its numbers come from. */
record RunEnvironments(Path root) {
  private static final Pattern SEALED =
      Pattern.compile("(environment(-\\d+)?|simulation|imported|tune)\\.json");

  private Path first() {
    return root.resolve("environment.json");
  }

  /**
   * Where the run's numbers come from: as its environment says, else, in a run made before
   * environments said it, by its experiment.
   */
  Origin origin() {
    if (Files.exists(first())) {
      try {
        JsonNode origin = SweepJson.MAPPER.readTree(first().toFile()).path("origin");
        if (origin.isObject()) {
          return SweepJson.MAPPER.treeToValue(origin, Origin.class);
        }
      } catch (IOException e) {
        throw unreadable(first(), e);
      }
    }
    return Origin.of(ExperimentFiles.read(root.resolve("experiment.yaml")));
  }

  /** What every process of the run found, the first one's first; empty if none worked on a host. */
  List<Environment> all() {
    if (!origin().workedOnHost()) {
      return List.of();
    }
    List<Environment> environments = new ArrayList<>();
    Path file = first();
    for (int number = 2; Files.exists(file); number++) {
      environments.add(read(file));
      file = root.resolve("environment-" + number + ".json");
    }
    return List.copyOf(environments);
  }

  /** The file for the next process; those of earlier ones stay. */
  Path next() {
    Path file = first();
    for (int number = 2; Files.exists(file); number++) {
      file = root.resolve("environment-" + number + ".json");
    }
    return file;
  }

  private static Environment read(Path file) {
    try {
      return SweepJson.MAPPER.readValue(file.toFile(), Environment.class);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static SlicewiseException unreadable(Path file, IOException cause) {
    return new SlicewiseException(
        ErrorKind.DAMAGED,
        "%s cannot be read: %s".formatted(file, cause.getMessage()),
        "restore the file from where the run directory was copied",
        cause);
  }

  /** The settings of all domains as the first process found them; empty where that is not known. */
  Map<String, SchedulerParameters> settings() {
    try {
      return all().stream().findFirst().map(Environment::settings).orElse(Map.of());
    } catch (SlicewiseException unreadable) {
      return Map.of();
    }
  }

  /** The files that carry a checksum. */
  List<Path> sealed() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .filter(file -> SEALED.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }
}
