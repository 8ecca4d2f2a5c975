package io.slicewise.cli.compare;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.run.LoadedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Stores named baselines, each in a small JSON file that can be kept under version control and
 * outlives its run directory.
 */
record Baselines(Path directory, Clock clock) {
  private static final int FORMAT = 1;
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  /** The contents of a baseline file. */
  record Baseline(int format, Instant saved, MeasuredRun run) {}

  /**
   * Stores the run and returns a confirmation.
   *
   * @throws SlicewiseException if the run has no valid trial, or the name cannot be a file name
   */
  String save(String name, RunEvidence evidence) {
    LoadedRun run = evidence.run();
    if (run.trialsInDoubt()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged and cannot become a baseline: %s"
              .formatted(run.name(), String.join("; ", run.sentences())),
          "slicewise check --repair " + run.root());
    }
    MeasuredRun measured = evidence.measured();
    if (measured.cells().stream().allMatch(cell -> cell.values().isEmpty())) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          run.name() + " has no valid trial, so it cannot become a baseline",
          "");
    }
    Path file = file(name);
    boolean replaced = Files.exists(file);
    try {
      Files.createDirectories(directory);
      WholeFile.write(file, Json.text(new Baseline(FORMAT, clock.instant(), measured)));
    } catch (IOException e) {
      throw SlicewiseException.input(
          file + " cannot be written: " + FileFault.reason(e),
          "choose another directory with --baselines",
          e);
    }
    return "baseline " + name + (replaced ? " replaced" : " stored") + " in " + file;
  }

  /**
   * Reads the baseline of that name.
   *
   * @throws SlicewiseException if it is missing or cannot be read
   */
  Baseline read(String name) {
    Path file = file(name);
    if (!Files.exists(file)) {
      throw SlicewiseException.input(
          "there is no baseline " + name + " in " + directory,
          "available: %s; create it with slicewise compare DIR --save-baseline %s"
              .formatted(names(), name));
    }
    try {
      Baseline baseline = Json.mapper().readValue(file.toFile(), Baseline.class);
      if (baseline.format() == FORMAT) {
        return baseline;
      }
      throw new IOException("its format is " + baseline.format() + ", expected " + FORMAT);
    } catch (IOException e) {
      throw SlicewiseException.input(
          file + " cannot be read: " + FileFault.reason(e),
          "store it again with --save-baseline " + name,
          e);
    }
  }

  /** Returns whether there is a baseline of that name. */
  boolean has(String name) {
    return Files.exists(file(name));
  }

  /**
   * Returns the names of the runs that are baselines.
   *
   * @throws SlicewiseException if a baseline cannot be read
   */
  Set<String> runs() {
    return stored().stream().map(name -> read(name).run().name()).collect(Collectors.toSet());
  }

  private Path file(String name) {
    if (!name.matches(NAME)) {
      throw SlicewiseException.input(
          Phrase.of("baseline name '%s' is not a valid file name", name),
          "use at most 64 letters, digits, dots, dashes and underscores");
    }
    return directory.resolve(name + ".json");
  }

  private String names() {
    try {
      return stored().isEmpty() ? "none" : String.join(", ", stored());
    } catch (SlicewiseException unknown) {
      return "unknown (the directory cannot be listed)";
    }
  }

  private List<String> stored() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".json"))
          .map(file -> file.substring(0, file.length() - ".json".length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw SlicewiseException.input(
          directory + " cannot be listed: " + FileFault.reason(e),
          "choose another directory with --baselines",
          e);
    }
  }
}
