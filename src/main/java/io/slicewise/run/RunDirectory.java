package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

  private final Path root;

  private RunDirectory(Path root) {
    this.root = root;
  }

  /**
   * Makes {@code NAME-2026-11-20T21-00-00Z} below the parent, with the experiment, a journal that
   * names the run's id, and room kept for the journal's last lines. Where that fails, nothing is
   * left.
   */
  public static RunDirectory begin(Path parent, String name, Experiment experiment, Instant now) {
    RunDirectory run = create(parent, name, now);
    try {
      run.writeExperiment(experiment);
      run.place(now);
      return run;
    } catch (RuntimeException | Error fault) {
      run.discardAfter(fault);
      throw fault;
    }
  }

  /** Makes an empty run directory below the parent. */
  public static RunDirectory create(Path parent, String name, Instant now) {
    String stamp = now.truncatedTo(ChronoUnit.SECONDS).toString().replace(':', '-');
    try {
      Files.createDirectories(parent);
      RunDirectory run = new RunDirectory(firstFree(parent, name + "-" + stamp));
      run.makeTrials();
      WholeFile.forceDirectory(parent.toAbsolutePath());
      return run;
    } catch (IOException e) {
      throw new SlicewiseException(
          e.getMessage().contains("No space") ? ErrorKind.STORAGE : ErrorKind.INPUT,
          "cannot make a run directory below " + parent + ": " + e.getMessage(),
          "name another place with --results",
          e);
    }
  }

  private void makeTrials() throws IOException {
    try {
      OwnerOnly.createDirectory(trials());
      WholeFile.forceDirectory(root);
    } catch (IOException e) {
      Files.delete(root);
      throw e;
    }
  }

  /** Gives the run its id; the first line of its journal. */
  private void place(Instant now) {
    try (Journal journal = Journal.open(journalFile())) {
      journal.append(new JournalEvent.Placed(now, RunPlace.fresh(journalFile())));
    } catch (IOException e) {
      throw StorageFault.of("cannot write the journal " + journalFile(), e);
    }
  }

  private void discardAfter(Throwable fault) {
    try {
      discard();
    } catch (UncheckedIOException kept) {
      fault.addSuppressed(kept);
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
            ErrorKind.INPUT,
            root + " is not a run directory: it holds no " + needed,
            "run directories are made by 'slicewise run', below results/ by default");
      }
    }
    return new RunDirectory(root);
  }

  /** A run directory that need not be complete. */
  static RunDirectory at(Path root) {
    return new RunDirectory(root);
  }

  /** Whether that is a run directory, or at least begins like one. */
  public static boolean isOne(Path root) {
    return Files.exists(root.resolve(EXPERIMENT));
  }

  /** The run directories below the parent, by name; empty if it is not there. */
  public static List<Path> below(Path parent) {
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(parent)) {
      return children
          .filter(child -> Files.exists(child.resolve(JOURNAL)) || lacksJournal(child))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new SlicewiseException(
          ErrorKind.INPUT, parent + " cannot be listed: " + e.getMessage(), "", e);
    }
  }

  /** Whether it is a run directory that has trials, and no journal any more. */
  private static boolean lacksJournal(Path root) {
    String[] trials = root.resolve(TRIALS).toFile().list();
    return isOne(root) && trials != null && trials.length > 0;
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

  Path trials() {
    return root.resolve(TRIALS);
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

  /** Where this run's numbers come from. */
  public Origin origin() {
    return new RunEnvironments(root).origin();
  }

  /**
   * What every process of this run found, the first one's first; empty if none worked on a host.
   */
  public List<Environment> environments() {
    return new RunEnvironments(root).all();
  }

  /** What the run found when it first began; empty when it never reached a host. */
  public Optional<Environment> environment() {
    return environments().stream().findFirst();
  }

  /**
   * Where the next process writes what it runs on: {@code environment.json} for the first, {@code
   * environment-2.json} for the next, so that a resume keeps what was found to begin with.
   */
  public Path nextEnvironmentFile() {
    return new RunEnvironments(root).next();
  }

  /** Reads the experiment with every profile that a trial of this run was planned for. */
  public Experiment readExperiment() {
    return record().extended(ExperimentFiles.read(experimentFile()));
  }

  /** Writes the resolved experiment so that it is whole on disk, or not there at all. */
  void writeExperiment(Experiment experiment) {
    try {
      WholeFile.write(experimentFile(), ExperimentFiles.toYaml(experiment));
    } catch (IOException e) {
      throw StorageFault.of("cannot write " + experimentFile(), e);
    }
  }

  /** Removes a run that never began: its experiment and its empty directories. */
  public void discard() {
    try {
      Files.deleteIfExists(trials());
      for (String name : List.of(EXPERIMENT, JOURNAL, "journal.head", ".reserve", ".lock")) {
        Files.deleteIfExists(root.resolve(name));
      }
      Files.delete(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the disk still takes a trial's record; asked when a trial failed. */
  public boolean takesData() {
    Path probe = root.resolve(".probe");
    try {
      WholeFile.write(probe, new byte[64 * 1024]);
      Files.delete(probe);
      return true;
    } catch (IOException full) {
      return false;
    }
  }

  /** Whether a live process works on this run. */
  public boolean isWorkedOn() {
    return RunLock.isHeld(root);
  }

  /** Reads and verifies all of the run: what is sound, and what is damaged. */
  public LoadedRun load() {
    return RunLoader.load(this);
  }

  /** What the journal adds up to now. */
  public RunRecord record() {
    return RunRecord.of(events());
  }

  /** The sound events of the journal, oldest first, each trial finishing once. */
  public List<JournalEvent> events() {
    return RunLoader.counted(Journal.read(journalFile()));
  }

  /** Where the run lives by its journal; empty in a run from before it had an id. */
  public Optional<RunPlace> place() {
    return events().stream()
        .filter(JournalEvent.Placed.class::isInstance)
        .map(event -> ((JournalEvent.Placed) event).place())
        .reduce((earlier, later) -> later);
  }

  /** The ids that the run has, or had before it was adopted. */
  public static Set<String> ids(List<JournalEvent> events) {
    return events.stream()
        .filter(JournalEvent.Placed.class::isInstance)
        .map(event -> ((JournalEvent.Placed) event).place().run())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** What the run keeps to by its journal; empty where that does not say. */
  public Optional<Design> design() {
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
  public Path freshTrialDirectory(Trial trial) {
    return fresh(trialDirectory(trial.slug()));
  }

  /** An empty directory for what the windows of a session share. */
  public Path freshSessionDirectory(SessionKey session) {
    return fresh(root.resolve("sessions").resolve(session.mark()));
  }

  private Path fresh(Path directory) {
    try {
      setAside(directory);
      Files.createDirectories(directory.getParent());
      OwnerOnly.createDirectory(directory);
      WholeFile.forceDirectory(directory.getParent());
      return directory;
    } catch (IOException e) {
      throw StorageFault.of("cannot make " + directory, e);
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
        WholeFile.forceDirectory(shelf);
        return;
      }
    }
  }

  public Path trialDirectory(String slug) {
    return root.resolve(TRIALS).resolve(slug);
  }

  /** Closes what the generator and the monitors wrote into a directory to others. */
  public void close(Path directory) {
    try {
      if (Files.exists(directory)) {
        OwnerOnly.close(directory);
      }
    } catch (IOException e) {
      throw StorageFault.of("cannot close " + directory + " to others", e);
    }
  }

  /**
   * Writes a finished trial's result so that it is whole on disk, or not there at all; returns the
   * checksum that it carries.
   */
  public String writeResult(TrialResult result) {
    Path file = trialDirectory(result.trial().slug()).resolve(TrialRecords.NAME);
    try {
      String sum = TrialRecords.write(file, result, place().map(RunPlace::run));
      close(file.getParent());
      return sum;
    } catch (IOException e) {
      throw StorageFault.of("cannot write " + file, e);
    }
  }

  /**
   * Writes any value as JSON so that a reader sees the old file or the new one, never half; an
   * object carries a checksum.
   */
  public void writeWhole(Path file, Object value) {
    try {
      String json = SweepJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
      WholeFile.write(file, json.endsWith("}") ? Seal.indented(json, "") : json);
    } catch (IOException e) {
      throw StorageFault.of("cannot write " + file, e);
    }
  }

  /**
   * The results of all finished trials, in the order of their numbers. A trial that a rule excluded
   * and that was tried again has several; at most one of them is valid.
   */
  public List<TrialResult> results() {
    return load().results();
  }
}
