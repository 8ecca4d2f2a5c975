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

  /**
   * Returns a row of samples with its first column, the time stamp, by this clock, and with an
   * earlier start.
   */
  String stamped(String row, long earlierMillis) {
    if (error.isEmpty() && earlierMillis == 0) {
      return row;
    }
    String[] columns = row.split(",", 3);
    long stamp = Long.parseLong(columns[0]) + ahead().toMillis() - earlierMillis;
    return stamp + "," + (Long.parseLong(columns[1]) + earlierMillis) + "," + columns[2];
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
