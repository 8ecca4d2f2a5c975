package io.slicewise.load.spread;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** The rows of a generator's file of samples, as text. */
public final class SampleRows {
  private static final int THREAD = 5;

  private SampleRows() {}

  /** Returns all rows but the header. */
  public static List<String> of(Path samples) {
    try (BufferedReader rows =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
      return rows.lines().skip(1).toList();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Returns the names of the users that sampled. */
  static Set<String> users(Path samples) {
    return of(samples).stream()
        .map(row -> row.split(",", THREAD + 2)[THREAD])
        .collect(Collectors.toSet());
  }
}
