package io.slicewise.run;

import io.slicewise.base.units.WholeFile;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunDamage;
import io.slicewise.run.journal.Seal;
import io.slicewise.run.journal.SweepJson;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes and verifies the records of trials. A record contains its trial, the id of its run and a
 * checksum, so it can be trusted without the journal.
 */
final class TrialRecords {
  static final String NAME = "trial.json";
  private static final Pattern RUN =
      Pattern.compile("\"run\" : \"([0-9a-f]{16})\",\\s*\"sum\" : \"[0-9a-f]{16}\"\\s*}\\s*$");

  private TrialRecords() {}

  /** Writes a record atomically; returns its checksum. */
  static String write(Path file, TrialResult result, Optional<String> run) throws IOException {
    String json = SweepJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(result);
    String text = Seal.indented(json, run.map("\"run\" : \"%s\""::formatted).orElse(""));
    WholeFile.write(file, text);
    return Seal.verify(text).orElseThrow();
  }

  /**
   * The result of reading a record.
   *
   * @param result empty if the record is unusable; {@code fault} explains why
   * @param sum its checksum; empty if it is unusable
   * @param run the id of its run; empty in a run without one
   */
  record Read(
      Optional<TrialResult> result,
      Optional<String> sum,
      Optional<String> run,
      Optional<RunDamage> fault) {}

  /** Reads the record in a trial's directory. */
  static Read read(RunDirectory directory, String slug) {
    String place = "trials/%s/%s".formatted(slug, NAME);
    Path file = directory.trialDirectory(slug).resolve(NAME);
    try {
      return verified(Files.readAllBytes(file), slug, place);
    } catch (IOException e) {
      return Files.exists(file)
          ? broken(RunDamage.Kind.TRIAL_ALTERED, place, "cannot be read; the trial is not counted")
          : broken(
              RunDamage.Kind.TRIAL_MISSING,
              place,
              "missing although the trial finished; the trial is not counted");
    }
  }

  private static Read verified(byte[] text, String slug, String place) {
    Optional<String> sum = Seal.verify(text);
    if (sum.isEmpty()) {
      return broken(
          RunDamage.Kind.TRIAL_ALTERED,
          place,
          "altered since it was written; the trial is not counted");
    }
    try {
      TrialResult result = SweepJson.MAPPER.readValue(text, TrialResult.class);
      String own = result.trial().slug();
      if (!own.equals(slug)) {
        return broken(
            RunDamage.Kind.TRIAL_FOREIGN,
            place,
            "contains the record of trial %s; the trial is not counted".formatted(own));
      }
      Matcher run = RUN.matcher(Seal.end(text));
      return new Read(
          Optional.of(result),
          sum,
          run.find() ? Optional.of(run.group(1)) : Optional.empty(),
          Optional.empty());
    } catch (IOException | RuntimeException e) {
      return broken(
          RunDamage.Kind.TRIAL_ALTERED, place, "is not a trial's record; the trial is not counted");
    }
  }

  static Read broken(RunDamage.Kind kind, String place, String what) {
    return new Read(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new RunDamage(kind, place, what)));
  }

  /** Returns the run id in the records of those finished trials; empty if none has one. */
  static Optional<String> runOf(RunDirectory directory, List<JournalEvent> events) {
    return JournalEvent.of(events, JournalEvent.TrialFinished.class)
        .map(event -> read(directory, event.slug()))
        .flatMap(read -> read.run().stream())
        .findFirst();
  }

  /** Returns the names of the trial directories with a record, in order. */
  static List<String> slugs(Path trials) throws IOException {
    if (!Files.isDirectory(trials)) {
      return List.of();
    }
    try (Stream<Path> directories = Files.list(trials)) {
      return directories
          .filter(directory -> Files.exists(directory.resolve(NAME)))
          .map(directory -> directory.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
