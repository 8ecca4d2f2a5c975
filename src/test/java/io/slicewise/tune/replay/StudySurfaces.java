package io.slicewise.tune.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The throughputs and response times of the 2010 study, as published, and tables of neither. */
final class StudySurfaces {
  private static final Path TABLE = Path.of("src/test/resources/published/devine-2010-web-app.csv");

  private StudySurfaces() {}

  static List<Surface> all() {
    return read("throughput");
  }

  static List<Surface> responseTimes() {
    return read("response_time");
  }

  /** Tables on which nothing was tuned: 6 to 16 profiles, drawn with deviations of 5 to 20 %. */
  static List<Surface> drawn() {
    Random random = new Random(20_261_124);
    int[] sizes = {6, 8, 10, 10, 12, 12, 16, 16};
    double[] deviations = {0.05, 0.1, 0.15, 0.08, 0.2, 0.1, 0.07, 0.12};
    return IntStream.range(0, sizes.length)
        .mapToObj(i -> new Surface(i + 1, drawn(random, sizes[i], deviations[i])))
        .toList();
  }

  private static List<Surface.Profile> drawn(Random random, int size, double deviation) {
    return IntStream.range(0, size)
        .mapToObj(
            i -> new Surface.Profile("p" + i, 100 * Math.exp(deviation * random.nextGaussian()), 1))
        .toList();
  }

  /** The columns 2 to 8 are profile, users, metric, guest, unit, mean and deviation. */
  private static List<Surface> read(String metric) {
    try {
      Map<Integer, List<Surface.Profile>> loads =
          Files.readAllLines(TABLE).stream()
              .map(line -> line.split(",", 10))
              .filter(row -> row[4].equals(metric) && !row[7].isEmpty())
              .collect(
                  Collectors.groupingBy(
                      row -> Integer.valueOf(row[3]),
                      TreeMap::new,
                      Collectors.mapping(StudySurfaces::profile, Collectors.toList())));
      return loads.entrySet().stream()
          .map(load -> new Surface(load.getKey(), load.getValue()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Surface.Profile profile(String[] row) {
    return new Surface.Profile(row[2], Double.parseDouble(row[7]), Double.parseDouble(row[8]));
  }
}
