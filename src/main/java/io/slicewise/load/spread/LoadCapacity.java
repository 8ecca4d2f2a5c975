package io.slicewise.load.spread;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.UserDirectory;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * How much load a machine was measured to generate. The last measurement of each is kept in the
 * user's cache, for the checks before a run.
 *
 * @param perSecond requests, the mean of all rounds
 * @param low the lower end of its 95 % interval; {@code NaN} for one round
 * @param reached whether a limit was reached; otherwise the machine carries more
 */
public record LoadCapacity(
    double perSecond, double low, double high, int rounds, boolean reached, Instant measured) {

  /** Remembers this as the capacity of the machine with that name. */
  public void remember(String machine) {
    try {
      WholeFile.write(file(machine), Json.text(this));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns what was last measured of the machine with that name; empty if nothing was. */
  public static Optional<LoadCapacity> remembered(String machine) {
    try {
      Path file = file(machine);
      return Files.isReadable(file)
          ? Optional.of(Json.mapper().readValue(file.toFile(), LoadCapacity.class))
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static Path file(String machine) throws IOException {
    return UserDirectory.CACHE
        .of("generators")
        .resolve(URLEncoder.encode(machine, StandardCharsets.UTF_8) + ".json");
  }
}
