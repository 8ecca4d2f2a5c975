package io.slicewise.sweep.follow;

import io.slicewise.run.journal.StorageFault;
import io.slicewise.sweep.policy.Band;
import io.slicewise.sweep.policy.BandChoice.Change;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** The changes of band in {@code changes.csv}, each written when it is made. */
final class FollowLog implements AutoCloseable {
  private final Path file;
  private final BufferedWriter writer;

  private FollowLog(Path file, BufferedWriter writer) {
    this.file = file;
    this.writer = writer;
  }

  /** Begins the log in a run directory. */
  static FollowLog in(Path directory) {
    Path file = directory.resolve("changes.csv");
    try {
      FollowLog log =
          new FollowLog(file, Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW));
      log.line("time,load,from_band,to_band,in_force");
      return log;
    } catch (IOException fault) {
      throw StorageFault.of("cannot write " + file, fault);
    }
  }

  /** Adds a change of band. */
  void changed(Change change, String inForce) {
    line(
        String.format(
            Locale.ROOT,
            "%s,%.3f,%s,%s,%s",
            change.at(),
            change.load(),
            change.from().map(Band::profile).orElse(""),
            change.to().profile(),
            inForce));
  }

  private void line(String text) {
    try {
      writer.write(text + "\n");
      writer.flush();
    } catch (IOException fault) {
      throw StorageFault.of("cannot write " + file, fault);
    }
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException fault) {
      throw StorageFault.of("cannot write " + file, fault);
    }
  }
}
