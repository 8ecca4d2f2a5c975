package io.slicewise.load.spread;

import io.slicewise.base.units.UserCache;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * How much load a machine was measured to generate. The last measurement of each is kept in the
 * user's cache, for the checks before a run.
 *
 * @param perSecond requests, the mean of all rounds
 * @param low the lower end of its 95 % interval; {@code NaN} for one round
 * @param reached whether a limit was reached; otherwise the machine carries more
 * @param cores of the machine
 */
public record LoadCapacity(
    double perSecond,
    double low,
    double high,
    int rounds,
    boolean reached,
    int cores,
    Instant measured) {

  /** Remembers this as the capacity of the machine with that name. */
  public void remember(String machine) {
    Properties all = new Properties();
    all.setProperty("per-second", Double.toString(perSecond));
    all.setProperty("low", Double.toString(low));
    all.setProperty("high", Double.toString(high));
    all.setProperty("rounds", Integer.toString(rounds));
    all.setProperty("reached", Boolean.toString(reached));
    all.setProperty("cores", Integer.toString(cores));
    all.setProperty("measured", measured.toString());
    try {
      StringWriter text = new StringWriter();
      all.store(text, "capacity of generator " + machine);
      WholeFile.write(file(machine), text.toString());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns what was last measured of the machine with that name; empty if nothing was. */
  public static Optional<LoadCapacity> remembered(String machine) {
    try {
      Path file = file(machine);
      if (!Files.isReadable(file)) {
        return Optional.empty();
      }
      Properties all = new Properties();
      try (Reader in = Files.newBufferedReader(file)) {
        all.load(in);
      }
      return Optional.of(
          new LoadCapacity(
              Double.parseDouble(all.getProperty("per-second")),
              Double.parseDouble(all.getProperty("low")),
              Double.parseDouble(all.getProperty("high")),
              Integer.parseInt(all.getProperty("rounds")),
              Boolean.parseBoolean(all.getProperty("reached")),
              Integer.parseInt(all.getProperty("cores")),
              Instant.parse(all.getProperty("measured"))));
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  private static Path file(String machine) throws IOException {
    return UserCache.directory("generators")
        .resolve(URLEncoder.encode(machine, StandardCharsets.UTF_8) + ".properties");
  }
}
