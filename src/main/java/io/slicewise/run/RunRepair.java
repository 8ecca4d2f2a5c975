package io.slicewise.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.run.RunDirectory.Shelf;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.JournalHead;
import io.slicewise.run.journal.JournalLines;
import io.slicewise.run.journal.RunDamage;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.Seal;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rebuilds the journal of a damaged run from its valid lines and the trials' records. The damaged
 * journal is kept in {@code set-aside/}. The trials' records do not contain the host's settings: if
 * these may be lost, the run remains doubtful until the user restores the host.
 */
public final class RunRepair {
  private RunRepair() {}

  /**
   * The result of a repair.
   *
   * @param recovered trials that count again because of their records
   * @param lost trials without a valid record; they can run again
   * @param kept the new place of the damaged journal; empty if there was none
   */
  public record Repair(List<String> recovered, List<String> lost, Optional<Path> kept) {}

  /** Rebuilds the journal; empty if it is not damaged. */
  public static Optional<Repair> repair(RunDirectory run, Clock clock) {
    try (RunLock ours = RunLock.take(run.root())) {
      LoadedRun loaded = RunLoader.loadOwn(run);
      boolean needed =
          loaded.damages().stream()
              .map(RunDamage::kind)
              .anyMatch(
                  kind ->
                      kind != RunDamage.Kind.ENVIRONMENT_ALTERED
                          && kind != RunDamage.Kind.SETTINGS_IN_DOUBT);
      return needed ? Optional.of(rebuild(run, loaded, clock.instant())) : Optional.empty();
    } catch (IOException e) {
      throw StorageFault.of("cannot repair " + run.root(), e);
    }
  }

  /** Returns events for the finished trials whose records are damaged. */
  public static List<JournalEvent> lost(RunDirectory run, LoadedRun loaded, Clock clock) {
    Set<String> sound = new HashSet<>();
    loaded.results().forEach(result -> sound.add(result.trial().slug()));
    return JournalEvent.of(run.events(), JournalEvent.TrialFinished.class)
        .filter(finished -> !sound.contains(finished.slug()))
        .map(
            finished ->
                (JournalEvent)
                    new JournalEvent.TrialLost(
                        clock.instant(),
                        finished.trial(),
                        finished.slug(),
                        "its record is missing or damaged"))
        .toList();
  }

  private static Repair rebuild(RunDirectory run, LoadedRun loaded, Instant now)
      throws IOException {
    List<JournalEvent> events = new ArrayList<>(run.events());
    List<JournalEvent> lost = lost(run, loaded, Clock.fixed(now, ZoneOffset.UTC));
    events.addAll(lost);
    for (LoadedRun.Recoverable one : loaded.recoverable()) {
      TrialResult result = one.result();
      events.add(
          new JournalEvent.TrialFinished(
              now, result.trial().number(), result.trial().slug(), result.valid(), one.sum()));
    }
    events.add(new JournalEvent.Repaired(now, loaded.settingsInDoubt(), loaded.sentences()));
    Optional<Path> kept = setAside(run);
    boolean home = isHome(run);
    write(run, events);
    if (home) {
      place(run, events, now);
    }
    return new Repair(
        loaded.recoverable().stream().map(one -> one.result().trial().slug()).toList(),
        lost.stream().map(event -> ((JournalEvent.TrialLost) event).slug()).toList(),
        kept);
  }

  private static boolean isHome(RunDirectory run) throws IOException {
    Optional<RunPlace> place = run.place();
    return place.isEmpty() || place.get().isAt(run.journalFile());
  }

  private static Optional<Path> setAside(RunDirectory run) throws IOException {
    if (!Files.exists(run.journalFile())) {
      return Optional.empty();
    }
    Path kept = new Shelf(run.root()).free("journal.jsonl");
    WholeFile.write(kept, Files.readAllBytes(run.journalFile()));
    return Optional.of(kept);
  }

  private static void write(RunDirectory run, List<JournalEvent> events) throws IOException {
    StringBuilder text = new StringBuilder();
    String sum = Seal.NONE;
    int number = 0;
    for (JournalEvent event : events) {
      number++;
      String line = line(event, number, sum);
      sum = Seal.verify(line).orElseThrow();
      text.append(line).append('\n');
    }
    WholeFile.write(run.journalFile(), text.toString().getBytes(StandardCharsets.UTF_8));
    try (JournalHead head = new JournalHead(run.journalFile())) {
      head.write(number, sum);
    }
  }

  private static String line(JournalEvent event, int number, String after) {
    try {
      return JournalLines.text(event, number, after);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(event + " cannot be written as JSON", e);
    }
  }

  /** Writes the new journal; the run keeps the id in its trials' records. */
  private static void place(RunDirectory run, List<JournalEvent> events, Instant now)
      throws IOException {
    Optional<String> id = run.place().map(RunPlace::run).or(() -> TrialRecords.runOf(run, events));
    RunPlace place =
        id.isPresent()
            ? RunPlace.of(id.get(), run.journalFile())
            : RunPlace.fresh(run.journalFile());
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(new JournalEvent.Placed(now, place));
    }
  }
}
