package io.slicewise.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.Trial;
import io.slicewise.units.ExitCode;
import io.slicewise.units.OwnerOnly;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directory of one run: self-describing, append-only, safe to be left at any byte.
 *
 * <p>A trial's directory counts only when the journal says it finished. Anything else found under
 * its name is moved to {@code set-aside/} before the trial runs again, so nothing half-written is
 * ever averaged in and nothing is lost.
 */
public final class RunDirectory {
  private static final String EXPERIMENT = "experiment.yaml";
  private static final String JOURNAL = "journal.jsonl";
  private static final String TRIALS = "trials";
  private static final String RESULT = "trial.json";

  private final Path root;

  private RunDirectory(Path root) {
    this.root = root;
  }

  /** Makes {@code NAME-2026-11-20T21-00-00Z} below the parent. */
  public static RunDirectory create(Path parent, String name, Instant now) {
    String stamp = now.truncatedTo(ChronoUnit.SECONDS).toString().replace(':', '-');
    try {
      Files.createDirectories(parent);
      Path root = firstFree(parent, name + "-" + stamp);
      OwnerOnly.createDirectory(root.resolve(TRIALS));
      Journal.forceDirectory(root);
      Journal.forceDirectory(parent.toAbsolutePath());
      return new RunDirectory(root);
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.USAGE,
          "cannot make a run directory below " + parent + ": " + e.getMessage(),
          "name another place with --results",
          e);
    }
  }

  private static Path firstFree(Path parent, String name) throws IOException {
    int attempt = 1;
    while (true) {
      try {
        return OwnerOnly.createDirectory(
            parent.resolve(attempt == 1 ? name : name + "-" + attempt));
      } catch (FileAlreadyExistsException taken) {
        attempt++;
      }
    }
  }

  /** An existing run directory, or a fault that says what is missing in it. */
  public static RunDirectory open(Path root) {
    for (String needed : List.of(EXPERIMENT, TRIALS)) {
      if (!Files.exists(root.resolve(needed))) {
        throw new SlicewiseException(
            ExitCode.USAGE,
            root + " is not a run directory: it holds no " + needed,
            "run directories are made by 'slicewise run', below results/ by default");
      }
    }
    return new RunDirectory(root);
  }

  /** Whether that is a run directory, or at least begins like one. */
  public static boolean isOne(Path root) {
    return Files.exists(root.resolve(EXPERIMENT));
  }

  /**
   * The run directories below the parent that have a journal, by name; empty if it is not there.
   */
  public static List<Path> below(Path parent) {
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(parent)) {
      return children.filter(child -> Files.exists(child.resolve(JOURNAL))).sorted().toList();
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.USAGE, parent + " cannot be listed: " + e.getMessage(), "", e);
    }
  }

  /** The newest run directory below the parent, by the time of its last journal entry. */
  public static Optional<RunDirectory> newest(Path parent) {
    return below(parent).stream()
        .max(Comparator.comparing(child -> child.resolve(JOURNAL).toFile().lastModified()))
        .map(RunDirectory::new);
  }

  public Path root() {
    return root;
  }

  /** The name of the run: its directory's. */
  public String name() {
    return root.toAbsolutePath().normalize().getFileName().toString();
  }

  public Path experimentFile() {
    return root.resolve(EXPERIMENT);
  }

  public Path journalFile() {
    return root.resolve(JOURNAL);
  }

  /** What the first process ran on; not there before the run began. */
  public Path environmentFile() {
    return root.resolve("environment.json");
  }

  /**
   * Where this run's numbers come from: as its environment says, else, in a run made before
   * environments said it, as its experiment tells.
   */
  public Origin origin() {
    if (Files.exists(environmentFile())) {
      try {
        JsonNode origin = SweepJson.MAPPER.readTree(environmentFile().toFile()).path("origin");
        if (origin.isObject()) {
          return SweepJson.MAPPER.treeToValue(origin, Origin.class);
        }
      } catch (IOException e) {
        throw new SlicewiseException(
            ExitCode.INTERNAL, environmentFile() + " cannot be read: " + e.getMessage(), "", e);
      }
    }
    return Origin.of(ExperimentFiles.read(experimentFile()));
  }

  /**
   * What every process of this run found, the first one's first; empty if none worked on a host.
   */
  public List<Environment> environments() {
    if (!origin().workedOnHost()) {
      return List.of();
    }
    List<Environment> environments = new ArrayList<>();
    Path file = environmentFile();
    for (int number = 2; Files.exists(file); number++) {
      environments.add(environment(file));
      file = root.resolve("environment-" + number + ".json");
    }
    return List.copyOf(environments);
  }

  /**
   * Where the next process writes what it runs on: {@code environment.json} for the first, {@code
   * environment-2.json} for the next, so that a resume keeps what was found to begin with.
   */
  Path nextEnvironmentFile() {
    Path file = environmentFile();
    for (int number = 2; Files.exists(file); number++) {
      file = root.resolve("environment-" + number + ".json");
    }
    return file;
  }

  /** What the run found when it first began; empty when it never reached a host. */
  public Optional<Environment> environment() {
    return environments().stream().findFirst();
  }

  private static Environment environment(Path file) {
    try {
      return SweepJson.MAPPER.readValue(file.toFile(), Environment.class);
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.INTERNAL,
          file + " cannot be read: " + e.getMessage(),
          "restore the file from where the run directory was copied",
          e);
    }
  }

  /** Writes the resolved experiment so that it is whole on disk, or not there at all. */
  void writeExperiment(Experiment experiment) {
    byte[] text = ExperimentFiles.toYaml(experiment).getBytes(StandardCharsets.UTF_8);
    writeWhole(experimentFile(), () -> text);
  }

  /** Removes a run that never began: its experiment and its empty directories. */
  void discard() {
    try {
      Files.deleteIfExists(root.resolve(TRIALS));
      for (String name : List.of(EXPERIMENT, JOURNAL, ".lock")) {
        Files.deleteIfExists(root.resolve(name));
      }
      Files.delete(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a live process works on this run. */
  public boolean isWorkedOn() {
    return RunLock.isHeld(root);
  }

  /** What the journal adds up to now. */
  public RunRecord record() {
    return RunRecord.of(Journal.read(journalFile()));
  }

  /** The events of the journal, oldest first. */
  public List<JournalEvent> events() {
    return Journal.read(journalFile());
  }

  /** What the run keeps to by its journal; empty where that does not say. */
  Optional<Design> design() {
    return events().stream()
        .filter(JournalEvent.Designed.class::isInstance)
        .map(event -> new Design(((JournalEvent.Designed) event).facts()))
        .reduce((earlier, later) -> later);
  }

  /** When the run first began; empty if it never did. */
  public Optional<Instant> began() {
    return events().stream()
        .filter(JournalEvent.RunStarted.class::isInstance)
        .map(JournalEvent::at)
        .findFirst();
  }

  /** An empty directory for the trial; whatever stood there is set aside first. */
  Path freshTrialDirectory(Trial trial) {
    Path directory = trialDirectory(trial.slug());
    try {
      setAside(directory);
      OwnerOnly.createDirectory(directory);
      Journal.forceDirectory(root.resolve(TRIALS));
      return directory;
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.INTERNAL, "cannot make " + directory + ": " + e.getMessage(), "", e);
    }
  }

  private void setAside(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Path shelf = Files.createDirectories(root.resolve("set-aside"));
    for (int number = 1; ; number++) {
      Path place = shelf.resolve(directory.getFileName() + "." + number);
      if (!Files.exists(place)) {
        Files.move(directory, place);
        OwnerOnly.close(shelf);
        Journal.forceDirectory(shelf);
        return;
      }
    }
  }

  public Path trialDirectory(String slug) {
    return root.resolve(TRIALS).resolve(slug);
  }

  /** Writes a finished trial's result so that it is whole on disk, or not there at all. */
  void writeResult(TrialResult result) {
    writeWhole(trialDirectory(result.trial().slug()).resolve(RESULT), result);
    closeTrial(result.trial());
  }

  /** Closes what the generator and the monitors wrote into a trial's directory to others. */
  void closeTrial(Trial trial) {
    Path directory = trialDirectory(trial.slug());
    try {
      if (Files.exists(directory)) {
        OwnerOnly.close(directory);
      }
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.INTERNAL, "cannot close " + directory + " to others: " + e.getMessage(), "", e);
    }
  }

  /** Writes any value as JSON so that a reader sees the old file or the new one, never half. */
  public void writeWhole(Path file, Object value) {
    writeWhole(
        file, () -> SweepJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(value));
  }

  private interface Content {
    byte[] bytes() throws IOException;
  }

  private static void writeWhole(Path file, Content content) {
    Path draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      Files.write(draft, content.bytes());
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      OwnerOnly.close(draft);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      Journal.forceDirectory(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.INTERNAL, "cannot write " + file + ": " + e.getMessage(), "", e);
    }
  }

  /**
   * The results of all finished trials, in the order of their numbers. A trial that a rule excluded
   * and that was tried again has several; at most one of them is valid.
   */
  public List<TrialResult> results() {
    List<TrialResult> results = new ArrayList<>();
    for (JournalEvent event : events()) {
      if (event instanceof JournalEvent.TrialFinished finished) {
        results.add(result(finished));
      }
    }
    results.sort(
        Comparator.comparingInt((TrialResult result) -> result.trial().number())
            .thenComparingInt(result -> result.trial().attempt()));
    return List.copyOf(results);
  }

  private TrialResult result(JournalEvent.TrialFinished finished) {
    Path file = trialDirectory(finished.slug()).resolve(RESULT);
    try {
      return SweepJson.MAPPER.readValue(file.toFile(), TrialResult.class);
    } catch (IOException e) {
      throw new SlicewiseException(
          ExitCode.INTERNAL,
          file + " cannot be read, although the journal says the trial finished",
          "restore the file, or remove that line from journal.jsonl and resume",
          e);
    }
  }
}
