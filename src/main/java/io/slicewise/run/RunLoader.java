package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.load.generator.child.Generator;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.JournalLines;
import io.slicewise.run.journal.RunDamage;
import io.slicewise.run.journal.Seal;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Loads a run directory and verifies everything from which numbers and settings are taken. */
public final class RunLoader {
  private final RunDirectory directory;
  private final List<RunDamage> damages = new ArrayList<>();
  private final SampleCopies copies = new SampleCopies();

  private final boolean worked;

  private RunLoader(RunDirectory directory, boolean worked) {
    this.directory = directory;
    this.worked = worked;
  }

  /** Loads a run on which another process may be working. */
  static LoadedRun load(RunDirectory directory) {
    return load(directory, directory.isWorkedOn());
  }

  /** Loads a run whose lock this process holds. */
  public static LoadedRun loadOwn(RunDirectory directory) {
    return load(directory, false);
  }

  private static LoadedRun load(RunDirectory directory, boolean worked) {
    try {
      return new RunLoader(directory, worked).load();
    } catch (IOException e) {
      throw new SlicewiseException(
          ErrorKind.INTERNAL,
          "cannot read %s: %s".formatted(directory.root(), FileFault.reason(e)),
          "",
          e);
    }
  }

  /** Returns the events with only the last finish of each trial, and without lost trials. */
  static List<JournalEvent> counted(List<JournalEvent> events) {
    Map<String, Integer> last = new LinkedHashMap<>();
    Set<Integer> dropped = new HashSet<>();
    for (int i = 0; i < events.size(); i++) {
      Integer before = null;
      if (events.get(i) instanceof JournalEvent.TrialFinished finished) {
        before = last.put(finished.slug(), i);
      } else if (events.get(i) instanceof JournalEvent.TrialLost lost) {
        before = last.remove(lost.slug());
      }
      Optional.ofNullable(before).ifPresent(dropped::add);
    }
    List<JournalEvent> counted = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      if (!dropped.contains(i)) {
        counted.add(events.get(i));
      }
    }
    return counted;
  }

  private LoadedRun load() throws IOException {
    List<String> slugs = TrialRecords.slugs(directory.trials());
    JournalLines lines = Journal.lines(directory.journalFile());
    damages.addAll(lines.damages());
    noteMissingJournal(slugs);
    List<JournalEvent> counted = counted(lines.events());
    noteFinishedTwice(lines.events());
    Set<String> ids = RunDirectory.ids(lines.events());
    Set<String> known = new HashSet<>();
    List<TrialResult> results = new ArrayList<>();
    List<JournalEvent> events = new ArrayList<>();
    Map<JournalEvent, TrialRecords.Read> records = records(counted, ids);
    for (JournalEvent event : counted) {
      if (event instanceof JournalEvent.TrialFinished finished) {
        known.add(finished.slug());
        TrialRecords.Read read = measuredOnce(records.get(event));
        read.fault().ifPresent(damages::add);
        read.result().ifPresent(results::add);
        if (read.result().isEmpty()) {
          continue;
        }
      }
      events.add(event);
    }
    List<LoadedRun.Recoverable> recoverable =
        worked ? List.of() : recoverable(slugs, known, lines.events(), ids);
    noteFiles();
    noteSettings(lines.events());
    results.sort(
        Comparator.comparingInt((TrialResult result) -> result.trial().number())
            .thenComparingInt(result -> result.trial().attempt()));
    return new LoadedRun(directory, events, results, recoverable, damages);
  }

  private void noteMissingJournal(List<String> slugs) {
    boolean began = !slugs.isEmpty() || Files.exists(directory.environmentFile());
    if (began && !Files.exists(directory.journalFile())) {
      damages.add(
          new RunDamage(
              RunDamage.Kind.JOURNAL_MISSING,
              "journal.jsonl",
              "missing; %d trials have records, and the run's changes to its host are unknown"
                  .formatted(slugs.size())));
    }
  }

  private void noteFinishedTwice(List<JournalEvent> events) {
    Set<String> finished = new HashSet<>();
    for (JournalEvent event : events) {
      if (event instanceof JournalEvent.TrialLost lost) {
        finished.remove(lost.slug());
      } else if (event instanceof JournalEvent.TrialFinished one && !finished.add(one.slug())) {
        damages.add(
            new RunDamage(
                RunDamage.Kind.JOURNAL_REPEATED,
                "journal.jsonl",
                "trial %s finishes twice; counted once".formatted(one.slug())));
      }
    }
  }

  /** Reads the records of the finished trials, several at a time. */
  private Map<JournalEvent, TrialRecords.Read> records(List<JournalEvent> events, Set<String> ids) {
    return JournalEvent.of(events, JournalEvent.TrialFinished.class)
        .parallel()
        .collect(
            Collectors.toConcurrentMap(finished -> finished, finished -> verified(finished, ids)));
  }

  /** Reads the record of a finished trial, which must be the one in the journal. */
  private TrialRecords.Read verified(JournalEvent.TrialFinished finished, Set<String> ids) {
    String place = "trials/%s/%s".formatted(finished.slug(), TrialRecords.NAME);
    TrialRecords.Read read = TrialRecords.read(directory, finished.slug());
    if (read.result().isEmpty()) {
      return read;
    }
    if (!read.sum().equals(Optional.ofNullable(finished.record()))) {
      return TrialRecords.broken(
          RunDamage.Kind.TRIAL_ALTERED,
          place,
          "not the record named in the journal; the trial is not counted");
    }
    boolean other =
        read.result().get().trial().number() != finished.trial()
            || (read.run().isPresent() && !ids.isEmpty() && !ids.contains(read.run().get()));
    return other
        ? TrialRecords.broken(
            RunDamage.Kind.TRIAL_FOREIGN,
            place,
            "the record of another run or trial; the trial is not counted")
        : read;
  }

  /** Returns the record, unless its samples are those of another trial. */
  private TrialRecords.Read measuredOnce(TrialRecords.Read read) throws IOException {
    if (read.result().isEmpty()) {
      return read;
    }
    String slug = read.result().get().trial().slug();
    Path samples = directory.trialDirectory(slug).resolve(Generator.SAMPLES);
    return copies
        .original(read.result().get(), samples)
        .map(
            original ->
                TrialRecords.broken(
                    RunDamage.Kind.TRIAL_FOREIGN,
                    "trials/%s/%s".formatted(slug, samples.getFileName()),
                    "identical to that of %s: both are one measurement, which counts once"
                        .formatted(original.getParent().getFileName())))
        .orElse(read);
  }

  private List<LoadedRun.Recoverable> recoverable(
      List<String> slugs, Set<String> known, List<JournalEvent> events, Set<String> ids) {
    Set<String> cutShort = new HashSet<>(notEnded(events));
    List<LoadedRun.Recoverable> found = new ArrayList<>();
    for (String slug : slugs) {
      if (known.contains(slug) || cutShort.contains(slug)) {
        continue;
      }
      String place = "trials/%s/%s".formatted(slug, TrialRecords.NAME);
      TrialRecords.Read read = TrialRecords.read(directory, slug);
      boolean own = read.run().isEmpty() || ids.isEmpty() || ids.contains(read.run().get());
      if (read.result().isPresent() && own) {
        found.add(new LoadedRun.Recoverable(read.result().get(), read.sum().orElseThrow()));
        damages.add(
            new RunDamage(
                RunDamage.Kind.TRIAL_UNKNOWN,
                place,
                "not finished according to the journal; it is not counted"));
      } else {
        damages.add(
            read.fault()
                .orElseGet(
                    () ->
                        new RunDamage(
                            RunDamage.Kind.TRIAL_FOREIGN,
                            place,
                            "the record of another run; it is not counted")));
      }
    }
    return found;
  }

  /** Trials that were interrupted by a kill, or lost before: their records never count. */
  private static Set<String> notEnded(List<JournalEvent> events) {
    Set<String> open = new HashSet<>();
    for (JournalEvent event : events) {
      if (event instanceof JournalEvent.TrialStarted started) {
        open.add(started.slug());
      } else if (event instanceof JournalEvent.TrialLost lost) {
        open.add(lost.slug());
      } else if (event instanceof JournalEvent.TrialFinished finished) {
        open.remove(finished.slug());
      }
    }
    return open;
  }

  private void noteFiles() throws IOException {
    for (Path file : new RunEnvironments(directory.root()).sealed()) {
      if (Seal.verify(Files.readAllBytes(file)).isEmpty()) {
        damages.add(
            new RunDamage(
                RunDamage.Kind.ENVIRONMENT_ALTERED,
                file.getFileName().toString(),
                "altered since it was written; its host and origin may be wrong"));
      }
    }
  }

  /** Notes what a repaired journal may lack until the host is restored. */
  private void noteSettings(List<JournalEvent> events) {
    boolean restored = false;
    Optional<JournalEvent.Repaired> repaired = Optional.empty();
    for (JournalEvent event : events) {
      if (event instanceof JournalEvent.Repaired one && one.settingsInDoubt()) {
        repaired = Optional.of(one);
        restored = false;
      } else if (event instanceof JournalEvent.Restored && repaired.isPresent()) {
        restored = true;
      }
    }
    if (repaired.isPresent() && !restored && directory.origin().kind() != Origin.Kind.LAB) {
      damages.add(
          new RunDamage(
              RunDamage.Kind.SETTINGS_IN_DOUBT,
              "journal.jsonl",
              "rebuilt on %s; its information on the host's settings may be incomplete"
                  .formatted(repaired.get().at().truncatedTo(ChronoUnit.SECONDS))));
    }
  }

  /**
   * Detects copied samples. Every sample has its time, so two trials of a cell never have the same
   * samples: identical files are one measurement.
   */
  private static final class SampleCopies {
    /** The checksum and length of the uncompressed data. */
    private static final int GZIP_TRAILER = 8;

    private final Map<Fingerprint, List<Path>> seen = new HashMap<>();

    private record Fingerprint(Object cell, long length, long trailer) {}

    /** Returns an earlier identical file of the same cell, if any. */
    Optional<Path> original(TrialResult result, Path samples) throws IOException {
      boolean loaded = result.load().map(load -> load.samples() > 0).orElse(false);
      if (!loaded || !Files.isRegularFile(samples) || Files.size(samples) < GZIP_TRAILER) {
        return Optional.empty();
      }
      List<Path> alike =
          seen.computeIfAbsent(fingerprint(result, samples), none -> new ArrayList<>());
      for (Path earlier : alike) {
        if (Files.mismatch(earlier, samples) < 0) {
          return Optional.of(earlier);
        }
      }
      alike.add(samples);
      return Optional.empty();
    }

    /** Reads eight bytes of a possibly very large file. */
    private static Fingerprint fingerprint(TrialResult result, Path samples) throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(samples.toFile(), "r")) {
        file.seek(file.length() - GZIP_TRAILER);
        List<Object> cell = List.of(result.trial().profile(), result.trial().load());
        return new Fingerprint(cell, file.length(), file.readLong());
      }
    }
  }
}
