package io.slicewise.run.bundle;

import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.JournalHead;
import io.slicewise.run.journal.JournalLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * A run as of one moment. That of a run on which a process works is a temporary copy: the lines
 * that its journal has, and no trial that has not finished by then. Closing it removes the copy.
 *
 * @param copy empty if no process works on the run
 */
record RunMoment(RunDirectory run, Optional<Path> copy) implements AutoCloseable {
  static RunMoment of(RunDirectory run, boolean samples) throws IOException {
    if (!run.isWorkedOn()) {
      return new RunMoment(run, Optional.empty());
    }
    Path directory = Files.createTempDirectory("slicewise-live-");
    Path root = directory.resolve(run.name());
    RunMoment moment = new RunMoment(run, Optional.of(directory));
    try {
      copy(run, samples, root);
      return new RunMoment(RunDirectory.open(root), moment.copy);
    } catch (IOException | RuntimeException fault) {
      moment.close();
      throw fault;
    }
  }

  private static void copy(RunDirectory run, boolean samples, Path root) throws IOException {
    JournalLines lines = Journal.lines(run.journalFile());
    Set<Path> finished =
        JournalEvent.of(lines.events(), JournalEvent.TrialFinished.class)
            .map(event -> run.trialDirectory(event.slug()))
            .collect(Collectors.toSet());
    Path trials = run.trialDirectory("");
    for (Map.Entry<String, Path> one : RunBundle.files(run.root(), samples).entrySet()) {
      Path file = one.getValue();
      if (!file.startsWith(trials) || finished.stream().anyMatch(file::startsWith)) {
        try {
          Files.copy(file, RunBundle.place(root, one.getKey()));
        } catch (NoSuchFileException renamed) {
          // What is being written has another name for a moment.
        }
      }
    }
    Path journal = root.resolve(run.journalFile().getFileName());
    try (Stream<String> all = Files.lines(run.journalFile(), StandardCharsets.ISO_8859_1);
        JournalHead head = new JournalHead(journal)) {
      Files.write(journal, all.limit(lines.last()).toList(), StandardCharsets.ISO_8859_1);
      head.write(lines.last(), lines.sum());
    }
  }

  @Override
  public void close() {
    copy.ifPresent(
        directory -> {
          try {
            FileUtils.deleteDirectory(directory.toFile());
          } catch (IOException kept) {
            throw new UncheckedIOException("cannot remove " + directory, kept);
          }
        });
  }
}
