package io.slicewise.run;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.Seal;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.run.journal.SweepJson;
import io.slicewise.run.recording.HostRecording;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
 * The directory of one run: self-describing, append-only, consistent after a crash at any point.
 *
 * <p>A trial's directory counts only if the journal records it as finished. Anything else under its
 * name is moved to {@code set-aside/} before the trial runs again, so that incomplete data never
 * counts and nothing is lost.
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
   * Creates {@code NAME-2026-11-20T21-00-00Z} below the parent, with the experiment, a journal with
   * the run's id, and space reserved for the journal's last lines. If that fails, nothing is left
   * behind.
   *
   * @throws SlicewiseException of the kind {@code INPUT} also if the written experiment cannot be
   *     read back, because such a run could never be reported
   */
  public static RunDirectory begin(Path parent, String name, Experiment experiment, Instant now) {
    RunDirectory run = create(parent, name, now);
    try {
      run.writeExperiment(experiment);
      run.readBack();
      run.place(now);
      return run;
    } catch (RuntimeException | Error fault) {
      run.discardAfter(fault);
      throw fault;
    }
  }

  /** Creates an empty run directory below the parent. */
  public static RunDirectory create(Path parent, String name, Instant now) {
    String stamp = now.truncatedTo(ChronoUnit.SECONDS).toString().replace(':', '-');
    try {
      Files.createDirectories(parent);
      RunDirectory run = new RunDirectory(firstFree(parent, name + "-" + stamp));
      run.makeTrials();
      WholeFile.forceDirectory(parent.toAbsolutePath());
      return run;
    } catch (IOException e) {
      throw StorageFault.creating(parent, e);
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

  /** Assigns the run's id in the first line of its journal. */
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

  /** Opens an existing run directory; throws if something is missing in it. */
  public static RunDirectory open(Path root) {
    StorageFault.refuseUnreadable(root, root.resolve(JOURNAL), root.resolve(TRIALS));
    for (String needed : List.of(EXPERIMENT, TRIALS)) {
      if (!Files.exists(root.resolve(needed))) {
        throw SlicewiseException.input(
            Files.isDirectory(root)
                ? root + " is not a run directory: it contains no " + needed
                : root + " does not exist",
            "'slicewise run' creates run directories, by default below results/");
      }
    }
    return new RunDirectory(root);
  }

  /** Returns a run directory that need not be complete. */
  static RunDirectory at(Path root) {
    return new RunDirectory(root);
  }

  /** Whether a path is a run directory, possibly an incomplete one. */
  public static boolean isOne(Path root) {
    return Files.exists(root.resolve(EXPERIMENT));
  }

  /** Returns the run directories below the parent, by name; empty if the parent is missing. */
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
      throw SlicewiseException.input(parent + " cannot be listed: " + FileFault.reason(e), "", e);
    }
  }

  /** Whether it is a run directory with trials but without a journal. */
  private static boolean lacksJournal(Path root) {
    String[] trials = root.resolve(TRIALS).toFile().list();
    return isOne(root) && trials != null && trials.length > 0;
  }

  /** Returns the newest run directory below the parent, by the time of its last journal entry. */
  public static Optional<RunDirectory> newest(Path parent) {
    return below(parent).stream()
        .max(Comparator.comparing(child -> child.resolve(JOURNAL).toFile().lastModified()))
        .map(RunDirectory::new);
  }

  public Path root() {
    return root;
  }

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

  /** The environment file of the first process; missing before the run began. */
  public Path environmentFile() {
    return root.resolve("environment.json");
  }

  /** The origin of this run's numbers. */
  public Origin origin() {
    return new RunEnvironments(root).origin();
  }

  /**
   * The environments of all processes of this run, first one first; empty if none worked on a host.
   */
  public List<Environment> environments() {
    return new RunEnvironments(root).all();
  }

  /** The environment at the start of the run; empty if it never reached a host. */
  public Optional<Environment> environment() {
    return environments().stream().findFirst();
  }

  /**
   * The environment file of the next process: {@code environment.json} for the first, {@code
   * environment-2.json} for the next, so that a resume keeps the original environment.
   */
  public Path nextEnvironmentFile() {
    return new RunEnvironments(root).next();
  }

  private void readBack() {
    try {
      ExperimentFiles.read(experimentFile());
    } catch (SlicewiseException fault) {
      throw SlicewiseException.input(
          "the run would be unreadable, so it did not start: %s".formatted(fault.getMessage()),
          "change the named key in the experiment; if it is not in your file, report this as a"
              + " defect of Slicewise",
          fault);
    }
  }

  /** Writes the resolved experiment atomically. */
  public void writeExperiment(Experiment experiment) {
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
      for (String name :
          List.of(EXPERIMENT, JOURNAL, "journal.head", ".reserve", ".lock", HostRecording.NAME)) {
        Files.deleteIfExists(root.resolve(name));
      }
      Files.delete(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether there is still disk space for a trial's record; called after a failed trial. */
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

  /** Whether a process is working on this run. */
  public boolean isWorkedOn() {
    return RunLock.isHeld(root);
  }

  /** Reads and verifies the whole run: what is valid, and what is damaged. */
  public LoadedRun load() {
    return RunLoader.load(this);
  }

  /** The current state of the run, from its journal. */
  public RunRecord record() {
    return RunRecord.of(events());
  }

  /** The valid events of the journal, oldest first, with each trial finishing once. */
  public List<JournalEvent> events() {
    return RunLoader.counted(Journal.read(journalFile()));
  }

  /** The place of the run from its journal; empty in a run without an id. */
  public Optional<RunPlace> place() {
    return JournalEvent.of(events(), JournalEvent.Placed.class)
        .map(event -> event.place())
        .reduce((earlier, later) -> later);
  }

  /** Whether the directory is a copy of the run, which never changes a host. */
  public boolean isCopy() {
    try {
      Optional<RunPlace> own = place();
      return own.isPresent() && !own.get().isAt(journalFile());
    } catch (IOException e) {
      throw StorageFault.of("cannot read " + journalFile(), e);
    }
  }

  /** The ids of the run, including those from before it was adopted. */
  public static Set<String> ids(List<JournalEvent> events) {
    return JournalEvent.of(events, JournalEvent.Placed.class)
        .map(event -> event.place().run())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The design of the run from its journal; empty if not recorded. */
  public Optional<Design> design() {
    return JournalEvent.of(events(), JournalEvent.Designed.class)
        .map(event -> new Design(event.facts()))
        .reduce((earlier, later) -> later);
  }

  /** The start of the run; empty if it never started. */
  public Optional<Instant> began() {
    return events().stream()
        .filter(JournalEvent.RunStarted.class::isInstance)
        .map(JournalEvent::at)
        .findFirst();
  }

  /**
   * Creates an empty directory for the trial, after moving existing contents to {@code set-aside/}.
   */
  public Path freshTrialDirectory(Trial trial) {
    return fresh(trialDirectory(trial.slug()));
  }

  /** Moves what a killed process left of unfinished trials to {@code set-aside/}. */
  public void setUnfinishedAside() {
    Set<String> finished =
        JournalEvent.of(events(), JournalEvent.TrialFinished.class)
            .map(event -> event.slug())
            .collect(Collectors.toSet());
    try (Stream<Path> directories = Files.list(trials())) {
      for (Path directory : directories.toList()) {
        if (!finished.contains(directory.getFileName().toString())) {
          new Shelf(root).take(directory);
        }
      }
    } catch (IOException e) {
      throw StorageFault.of("cannot clear " + trials(), e);
    }
  }

  /** An empty directory for what the windows of a session share. */
  public Path freshSessionDirectory(SessionKey session) {
    return fresh(root.resolve("sessions").resolve(session.mark()));
  }

  private Path fresh(Path directory) {
    try {
      if (!Files.isDirectory(root)) {
        throw new NoSuchFileException(root.toString());
      }
      new Shelf(root).take(directory);
      OwnerOnly.createMissing(directory.getParent());
      OwnerOnly.createDirectory(directory);
      WholeFile.forceDirectory(directory.getParent());
      return directory;
    } catch (IOException e) {
      throw StorageFault.of("cannot create " + directory, e);
    }
  }

  /** Returns a new directory for a part of what a trial or a session writes. */
  public static Path within(Path directory, String part) {
    try {
      return OwnerOnly.createDirectory(directory.resolve(part));
    } catch (IOException e) {
      throw StorageFault.of("cannot create " + directory.resolve(part), e);
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

  /** Writes a finished trial's result, as {@link #writeResult(TrialResult, Optional)} does. */
  public String writeResult(TrialResult result) {
    return writeResult(result, place().map(RunPlace::run));
  }

  /**
   * Writes a finished trial's result atomically; returns its checksum.
   *
   * @param run the id of the run by its journal
   */
  public String writeResult(TrialResult result, Optional<String> run) {
    Path file = trialDirectory(result.trial().slug()).resolve(TrialRecords.NAME);
    try {
      String sum = TrialRecords.write(file, result, run);
      close(file.getParent());
      return sum;
    } catch (IOException e) {
      throw StorageFault.of("cannot write " + file, e);
    }
  }

  /** Writes any value atomically as JSON; objects include a checksum. */
  public void writeWhole(Path file, Object value) {
    try {
      String json = SweepJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
      WholeFile.write(file, json.endsWith("}") ? Seal.indented(json, "") : json);
    } catch (IOException e) {
      throw StorageFault.of("cannot write " + file, e);
    }
  }

  /**
   * Reads what {@link #writeWhole} wrote; empty where it is missing or damaged, which is the same
   * to whoever can work the value out again.
   */
  public static <T> Optional<T> readWhole(Path file, Class<T> type) {
    try {
      byte[] text = Files.readAllBytes(file);
      return Seal.verify(text).isPresent()
          ? Optional.of(SweepJson.MAPPER.readValue(text, type))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The results of all finished trials, in the order of their numbers. A trial that a rule excluded
   * and that ran again has several; at most one of them is valid.
   */
  public List<TrialResult> results() {
    return load().results();
  }

  /**
   * The directory {@code set-aside/} of a run: what killed processes left unfinished, and journals
   * before a repair. Nothing in it counts, and nothing in it is overwritten.
   */
  record Shelf(Path root) {
    /** Moves a trial's or session's directory here, if it exists. */
    void take(Path directory) throws IOException {
      if (Files.exists(directory)) {
        Files.move(directory, free(directory.getFileName().toString()));
        OwnerOnly.close(place());
        WholeFile.forceDirectory(place());
      }
    }

    /** An unused path here: the name with the next number. */
    Path free(String name) throws IOException {
      Path shelf = Files.createDirectories(place());
      int number = 1;
      while (Files.exists(shelf.resolve(name + "." + number))) {
        number++;
      }
      return shelf.resolve(name + "." + number);
    }

    private Path place() {
      return root.resolve("set-aside");
    }
  }
}
