package io.slicewise.load.generator.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The wall clock of a generator. On the embedded lab, whose machines share one clock, a file whose
 * path is in the property {@code slicewise.clock} contains by how many milliseconds it is wrong.
 */
record WallClock(Optional<Path> error) {
  static WallClock ofThisProcess() {
    return new WallClock(Optional.ofNullable(System.getProperty("slicewise.clock")).map(Path::of));
  }

  Instant now() {
    return Instant.now().plus(ahead());
  }

  /** Returns a row of samples with its first column, the time stamp, by this clock. */
  String stamped(String row) {
    if (error.isEmpty()) {
      return row;
    }
    int end = row.indexOf(',');
    return Long.parseLong(row.substring(0, end)) + ahead().toMillis() + row.substring(end);
  }

  private Duration ahead() {
    try {
      return error.isPresent()
          ? Duration.ofMillis(Long.parseLong(Files.readString(error.get()).strip()))
          : Duration.ZERO;
    } catch (IOException none) {
      return Duration.ZERO;
    }
  }
}
