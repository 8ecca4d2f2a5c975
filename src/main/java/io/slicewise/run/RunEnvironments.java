package io.slicewise.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.journal.SweepJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a run directory with its environments and the origin of its numbers. */
record RunEnvironments(Path root) {
  private static final Pattern SEALED =
      Pattern.compile("(environment(-\\d+)?|simulation|imported|tune)\\.json");

  private Path first() {
    return root.resolve("environment.json");
  }

  /**
   * The origin of the run's numbers, from its environment or, if the run never reached a host, from
   * its experiment.
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

  /**
   * The environments of all processes of the run, first one first; empty if none worked on a host.
   */
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

  /** The environment at the start of the run, also of a host that was only simulated. */
  Optional<Environment> described() {
    return Files.exists(first()) ? Optional.of(read(first())) : Optional.empty();
  }

  /** The file for the next process; those of earlier processes are kept. */
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
        "%s cannot be read: %s".formatted(file, FileFault.reason(cause)),
        "restore the file from the source of the run directory",
        cause);
  }

  /** The files that contain a checksum. */
  List<Path> sealed() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .filter(file -> SEALED.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }
}
