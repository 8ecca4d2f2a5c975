package io.slicewise.cli.commands;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What nightly found, in {@code nightly/result.json} of a run.
 *
 * @param verdict as in the environment of {@code --on-end}
 * @param baseline compared with
 */
record NightRecord(String experiment, String verdict, int exitCode, String baseline) {
  static final String DIRECTORY = "nightly";

  /** Writes the record, and what was found in other forms beside it. */
  void write(Path run, String junit, String markdown) throws IOException {
    Path directory = Files.createDirectories(run.resolve(DIRECTORY));
    OwnerOnly.close(directory);
    WholeFile.write(directory.resolve("junit.xml"), junit);
    WholeFile.write(directory.resolve("summary.md"), markdown);
    WholeFile.write(directory.resolve("result.json"), Json.text(this) + "\n");
  }

  /** Returns the record of a run; empty if nightly did not make it, or it is not over. */
  static Optional<NightRecord> of(Path run) {
    Path file = run.resolve(DIRECTORY).resolve("result.json");
    try {
      return Files.exists(file)
          ? Optional.of(Json.mapper().readValue(file.toFile(), NightRecord.class))
          : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }

  static boolean isIn(Path run, String experiment) {
    return of(run).filter(night -> night.experiment().equals(experiment)).isPresent();
  }
}
